import { metres, metresPerSecond, toKilometres, toKilometresPerHour } from '@milepost/units';
import { stringify } from 'csv-stringify/sync';
import { doubtsFromBits } from '../../../fleet/vehicle-state.ts';
import { figure, iso, type TrackPoint, type VehicleTrack } from './points.ts';

/** A spreadsheet runs a cell that starts like a formula (ASVS 5.0 1.2.10), so such cells get an apostrophe in front. */
const FORMAT = { escape_formulas: true, record_delimiter: 'windows' } as const;

const HEADS = [
  'vehicle',
  'time_utc',
  'latitude',
  'longitude',
  'speed_kmh',
  'course_deg',
  'altitude_m',
  'odometer_km',
  'fuel_percent',
  'temperature_c',
  'ignition',
  'satellites',
  'hdop',
  'gsm',
  'event',
  'driver',
  'valid',
  'doubts',
  'late',
] as const;

/** Every report, also those that are doubted or came late, which its last columns say. */
export async function* csvOf(vehicles: AsyncIterable<VehicleTrack>): AsyncGenerator<string> {
  // Spreadsheets recognize UTF-8 only by the byte order mark.
  yield stringify([[...HEADS]], { ...FORMAT, bom: true });
  for await (const { pages, vehicle, driverOf } of vehicles) {
    for await (const page of pages()) {
      yield stringify(
        page.map(point => cellsOf(vehicle.name, point, driverOf)),
        FORMAT,
      );
    }
  }
}

function cellsOf(name: string, point: TrackPoint, driverOf: VehicleTrack['driverOf']): unknown[] {
  const { speed, course, altitude, odometer, fuel, temperature, satellites, hdop, gsm } = point;
  const yes = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'no');
  return [
    name,
    iso(point.timeMs),
    figure(point.lat, 1e7),
    figure(point.lon, 1e7),
    speed === null ? null : figure(toKilometresPerHour(metresPerSecond(speed)), 10),
    course === null ? null : figure(course, 10),
    altitude === null ? null : figure(altitude, 10),
    odometer === null ? null : figure(toKilometres(metres(odometer)), 1000),
    fuel === null ? null : figure(fuel),
    temperature === null ? null : figure(temperature),
    yes(point.ignition),
    satellites,
    hdop === null ? null : figure(hdop),
    gsm,
    point.event,
    point.rfid === null ? null : (driverOf(point.rfid) ?? point.rfid),
    yes(point.valid),
    doubtsFromBits(point.doubts).join(' '),
    yes(point.late),
  ];
}
