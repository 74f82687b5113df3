import type { TrackFileFormat } from '@milepost/contract';
import type { Databases } from '../../../db/database.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { csvOf } from './csv.ts';
import { geojsonOf } from './geojson.ts';
import { gpxOf } from './gpx.ts';
import { kmlOf } from './kml.ts';
import { iso, linesOf, type Period, pointsOf, type TrackPoint, type VehicleTrack } from './points.ts';

interface TrackFile {
  /** The media type. */
  readonly type: string;
  readonly write: (vehicles: AsyncIterable<VehicleTrack>) => AsyncGenerator<string>;
}

export const TRACK_FILES: Readonly<Record<TrackFileFormat, TrackFile>> = {
  gpx: { type: 'application/gpx+xml', write: gpxOf },
  kml: { type: 'application/vnd.google-earth.kml+xml', write: kmlOf },
  geojson: { type: 'application/geo+json', write: geojsonOf },
  csv: { type: 'text/csv; charset=utf-8', write: csvOf },
};

export interface TracksOptions {
  readonly format: TrackFileFormat;
  readonly period: Period;
  readonly isSeen: (vehicle: DirectoryEntry, rfid: string | null, atMs: number) => boolean;
  readonly driverOf: (accountId: number, rfid: string) => string | null;
}

/** The tracks of vehicles as a file, a day of a vehicle in memory at a time. */
export function writtenTracks(
  db: Databases,
  vehicles: readonly DirectoryEntry[],
  { driverOf, format, isSeen, period }: TracksOptions,
): AsyncGenerator<string> {
  async function* tracks(): AsyncGenerator<VehicleTrack> {
    for (const vehicle of vehicles) {
      const pages = (): AsyncGenerator<readonly TrackPoint[]> => pointsOf(db, vehicle, period, isSeen);
      yield {
        vehicle,
        pages,
        lines: () => linesOf(pages()),
        driverOf: rfid => driverOf(vehicle.accountId, rfid),
      };
    }
  }
  return TRACK_FILES[format].write(tracks());
}

/** `Truck 12 2026-11-19.gpx` */
export function nameOf(vehicles: readonly DirectoryEntry[], { from, to }: Period, format: TrackFileFormat): string {
  const [only] = vehicles;
  const what = vehicles.length === 1 && only ? only.name : 'tracks';
  const days = [...new Set([from, to].map(date => iso(date.getTime()).slice(0, 10)))];
  return `${what} ${days.join(' to ')}.${format}`;
}
