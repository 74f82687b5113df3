import { coordinate, figure, inXml, iso, type LinePiece, type TrackPoint, type VehicleTrack } from './points.ts';

/**
 * GPX 1.1 (topografix.com/GPX/1/1): a track for each vehicle, a segment for each line. Speed (m/s) and course stand in
 * Garmin's TrackPointExtension 2, because GPX 1.1 has neither.
 */
export async function* gpxOf(vehicles: AsyncIterable<VehicleTrack>): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<gpx version="1.1" creator="Milepost" xmlns="http://www.topografix.com/GPX/1/1"' +
    ' xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"' +
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
    ' xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd' +
    ' http://www.garmin.com/xmlschemas/TrackPointExtension/v2' +
    ' https://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">\n';
  for await (const { lines, vehicle } of vehicles) {
    let isOpen = false;
    for await (const piece of lines()) {
      if (!isOpen) yield `<trk><name>${inXml(vehicle.name)}</name>\n<trkseg>\n`;
      else if (piece.isNewLine) yield '</trkseg>\n<trkseg>\n';
      isOpen = true;
      yield newPoints(piece).map(inGpx).join('');
    }
    if (isOpen) yield '</trkseg>\n</trk>\n';
  }
  yield '</gpx>\n';
}

/** A segment goes on, so the point that the last piece ended with is in it already. */
const newPoints = ({ isNewLine, points }: LinePiece): readonly TrackPoint[] => (isNewLine ? points : points.slice(1));

/** Below 180, as the schema has it. */
const longitude = (value: number): string => {
  const text = coordinate(value);
  return text === '180' ? '-180' : text;
};

function inGpx({ lat, lon, timeMs, altitude, satellites, hdop, speed, course }: TrackPoint): string {
  const more = [
    speed === null ? '' : `<gpxtpx:speed>${figure(speed)}</gpxtpx:speed>`,
    course === null ? '' : `<gpxtpx:course>${figure(course, 10) % 360}</gpxtpx:course>`,
  ].join('');
  return [
    `<trkpt lat="${coordinate(lat)}" lon="${longitude(lon)}">`,
    altitude === null ? '' : `<ele>${figure(altitude, 10)}</ele>`,
    `<time>${iso(timeMs)}</time>`,
    satellites === null ? '' : `<sat>${Math.max(0, Math.round(satellites))}</sat>`,
    hdop === null ? '' : `<hdop>${figure(hdop)}</hdop>`,
    more && `<extensions><gpxtpx:TrackPointExtension>${more}</gpxtpx:TrackPointExtension></extensions>`,
    '</trkpt>\n',
  ].join('');
}
