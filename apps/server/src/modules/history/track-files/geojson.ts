import { metresPerSecond, toKilometresPerHour } from '@milepost/units';
import { figure, iso, type LinePiece, type TrackPoint, type VehicleTrack } from './points.ts';

/**
 * GeoJSON (RFC 7946): a line for each stretch without silence, or part of a long one, with time and speed of each of
 * its points in `coordinateProperties`.
 */
export async function* geojsonOf(vehicles: AsyncIterable<VehicleTrack>): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let separator = '\n';
  for await (const { lines, vehicle } of vehicles) {
    for await (const piece of lines()) {
      yield separator + JSON.stringify(featureOf(vehicle.name, String(vehicle.id), piece));
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}

function featureOf(name: string, deviceId: string, { points }: LinePiece): object {
  const coordinates = points.map(positionOf);
  const [only] = coordinates;
  return {
    type: 'Feature',
    properties: {
      name,
      deviceId,
      from: iso(points[0]?.timeMs ?? 0),
      to: iso(points.at(-1)?.timeMs ?? 0),
      coordinateProperties: {
        times: points.map(({ timeMs }) => iso(timeMs)),
        speedsKmh: points.map(({ speed }) =>
          speed === null ? null : figure(toKilometresPerHour(metresPerSecond(speed)), 10),
        ),
      },
    },
    // A line has two points at least.
    geometry:
      points.length === 1 ? { type: 'Point', coordinates: only } : { type: 'LineString', coordinates: coordinates },
  };
}

const positionOf = ({ lat, lon, altitude }: TrackPoint): number[] => [
  figure(lon, 1e7),
  figure(lat, 1e7),
  ...(altitude === null ? [] : [figure(altitude, 10)]),
];
