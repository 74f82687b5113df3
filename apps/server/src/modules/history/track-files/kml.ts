import { metresPerSecond, toKilometresPerHour } from '@milepost/units';
import { coordinate, figure, inXml, iso, type TrackPoint, type VehicleTrack } from './points.ts';

/** KML colors are alpha, blue, green, red. */
const COLORS = ['ff9b5500', 'ff80870e', 'ff005cb8', 'ffb54c7f', 'ff2b2bb0'] as const;

/**
 * KML 2.2 (OGC 07-147r2) with the time-stamped tracks of Google's extension, so that Google Earth plays them: a
 * placemark for each vehicle, a `gx:Track` for each line, or part of a long one. Between them nothing is drawn.
 */
export async function* kmlOf(vehicles: AsyncIterable<VehicleTrack>): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">\n<Document>\n' +
    '<name>Milepost</name>\n';
  for (const [i, color] of COLORS.entries()) {
    yield `<Style id="s${i}"><LineStyle><color>${color}</color><width>4</width></LineStyle></Style>\n`;
  }
  yield '<Schema id="report"><gx:SimpleArrayField name="speed" type="float">' +
    '<displayName>Speed (km/h)</displayName></gx:SimpleArrayField></Schema>\n';
  let nth = 0;
  for await (const { lines, vehicle } of vehicles) {
    let isOpen = false;
    for await (const { points } of lines()) {
      if (!isOpen) {
        yield `<Placemark><name>${inXml(vehicle.name)}</name><styleUrl>#s${nth++ % COLORS.length}</styleUrl>` +
          '<gx:MultiTrack><gx:interpolate>0</gx:interpolate>\n';
      }
      isOpen = true;
      yield inKml(points);
    }
    if (isOpen) yield '</gx:MultiTrack></Placemark>\n';
  }
  yield '</Document>\n</kml>\n';
}

const inKml = (points: readonly TrackPoint[]): string =>
  [
    '<gx:Track><altitudeMode>clampToGround</altitudeMode>\n',
    ...points.map(({ timeMs }) => `<when>${iso(timeMs)}</when>\n`),
    ...points.map(
      ({ lat, lon, altitude }) =>
        `<gx:coord>${coordinate(lon)} ${coordinate(lat)} ${altitude === null ? 0 : figure(altitude, 10)}</gx:coord>\n`,
    ),
    '<ExtendedData><SchemaData schemaUrl="#report"><gx:SimpleArrayData name="speed">\n',
    ...points.map(({ speed }) => `<gx:value>${speed === null ? '' : kmh(speed)}</gx:value>\n`),
    '</gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track>\n',
  ].join('');

const kmh = (speed: number): number => figure(toKilometresPerHour(metresPerSecond(speed)), 10);
