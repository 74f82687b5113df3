import { toKilometresPerHour } from '@milepost/units';
import { crc16Modbus } from '../crc16.ts';
import { asciiBytes, type Dialect, type Dialects, type Slot, slot, together } from '../dialects/dialect.ts';
import { angleText, clockText, dateText, gprmcText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { fieldsOf, sealed, sealedSeries } from './encode.ts';

/** What varies between models: the fields behind the fix, the form of the fix, the line end. */

const IMEI = '352093081452251';
const TYPES = ['AA', '01', '10', '30', '49', '60', '88', '99', '0F'] as const;
const text = (parts: readonly Uint8Array[]): string => String.fromCharCode(...together(parts));

const LINE_END = slot('line end', '\r\n', '\n');

/** Each with its bar behind it. */
function behind(position: PositionMessage): Slot[] {
  const [, hdop = '', , status = '', clock = '', voltage = '', adc = '', cell = ''] = fieldsOf(position, 7);
  return [
    slot('DOPs', `02.3|${hdop}|01.0|`, `${hdop}|`, '00.0|00.0|00.0|', ''),
    slot('status', `${status}|`, '00000000|', '11111111111|', ''),
    slot('clock', `${clock}|`, '20000000000000|', '20090215000153|', ''),
    slot('voltage', `${voltage}|`, '13811|', '00000000|', ''),
    slot('ADC', `${adc}|`, ''),
    slot('cell', `${cell}|`, '4EECBF8B31|', '00000000|', ''),
    slot('temperature', '0000|', '00000000|', '-123|', '0345|', ''),
    slot('odometer', '0.0000|', '12.7614|', ''),
    slot('serial', '0007|', '9999|', ''),
    slot('card', '', '|', '00000|', '0A1B2C3D4E|'),
  ];
}

/** A checksum in front of the line end. */
function withEnd(content: string, end: string): Uint8Array {
  const frame = sealed(content);
  return together([frame.subarray(0, -2), asciiBytes(end)]);
}

const sealedText = (parts: readonly Uint8Array[]): Uint8Array =>
  withEnd(text(parts.slice(0, -1)), text(parts.slice(-1)));

const classic = (name: string, fixed: boolean): Dialect => ({
  name,
  brings: fixed ? 'fix' : 'no fix',
  slots: position => [
    slot('tracker', `${IMEI}|`),
    slot('alarm', ...TYPES),
    fixed
      ? slot('GPRMC', `$${gprmcText(position)}`, `$${gprmcText({ ...position, speed: null, course: null })}`)
      : slot(
          'no fix',
          '0'.repeat(60),
          '0'.repeat(59),
          '$GPRMC,000000.00,V,0000.0000,N,00000.0000,E,000.0,000.0,000000,,,A*73',
          '',
        ),
    slot('bar', '|'),
    ...behind(position),
    LINE_END,
  ],
  seal: sealedText,
});

const short: Dialect = {
  name: 'with bars',
  brings: 'fix',
  slots: position => {
    const { time, lat, lon } = position;
    return [
      slot('tracker', `${IMEI}|`),
      slot('alarm', ...TYPES),
      slot('moment', `${dateText(time, 'dmy')}${clockText(time)}|`),
      slot('validity', 'A|', 'V|'),
      slot('latitude', `${angleText(lat, 2, 4)}|${latitudeSign(lat)}|`),
      slot('longitude', `${angleText(lon, 3, 4)}|${longitudeSign(lon)}|`),
      slot('speed', '1.579|', '|', '0|'),
      slot('course', '178|', '|'),
      ...behind(position),
      slot('checksum', 'right', 'another'),
      LINE_END,
    ];
  },
  seal: parts => {
    const end = text(parts.slice(-1));
    const frame = withEnd(text(parts.slice(0, -2)), end);
    if (text(parts.slice(-2, -1)) === 'right') return frame;
    const at = frame.length - end.length - 4;
    const other = (crc16Modbus(frame, 0, at) ^ 0x1234).toString(16).toUpperCase().padStart(4, '0');
    return together([frame.subarray(0, at), asciiBytes(other), asciiBytes(end)]);
  },
};

const series: Dialect = {
  name: 'AT series',
  brings: 'fix',
  slots: position => {
    const { time, lat, lon, speed } = position;
    const kmh = String(Math.round(toKilometresPerHour(speed ?? (0 as never)))).padStart(3, '0');
    return [
      slot('type', 'AA', '02', '11', '5A'),
      slot('status', '50044000', '00000000', 'FFFFFFFF'),
      slot('time', `${dateText(time, 'ymd')}${clockText(time)}`),
      slot('values', '4212000052093852', '401400000000000000B8797D', '4212000000753AE901655', ''),
      slot('satellites', '11', '04', '99'),
      slot('signal', '29', '99'),
      slot('course', '036', '000', '359'),
      slot('speed', kmh, '000', '112'),
      slot('HDOP', '00.7', '00.0', '99.9'),
      slot('odometer', '0000213'),
      slot('place', `${angleText(lat, 2, 4)}${latitudeSign(lat)}${angleText(lon, 3, 4)}${longitudeSign(lon)}`),
      slot('serial', '0485', '9999'),
    ];
  },
  seal: ([type, ...parts]) => sealedSeries(text(type ? [type] : []), IMEI, text(parts)),
};

/** Other values around the place. */
const around: Dialect = {
  name: 'AT series, other values',
  brings: 'fix',
  slots: ({ time, lat, lon }, random) => [
    slot('type', 'AA', '02', 'E2'),
    slot('status', '50044000', '00000000'),
    slot('time', `${dateText(time, 'ymd')}${clockText(time)}`),
    slot('values', '42120000', '', '4212000052093852112903600000.7', '12.5,3|', '0'.repeat(60)),
    slot(
      'place',
      ...([4, 5, 6] as const).map(
        digits => `${angleText(lat, 2, digits)}${latitudeSign(lat)}${angleText(lon, 3, digits)}${longitudeSign(lon)}`,
      ),
    ),
    slot('behind', '0485', '', '0485,25.5', `|${Math.floor(random() * 1e9)}`),
  ],
  seal: ([type, ...parts]) => sealedSeries(text(type ? [type] : []), IMEI, text(parts)),
};

const cloud: Dialect = {
  name: 'values of the bus',
  brings: 'fix',
  slots: ({ time, lat, lon }) => [
    slot('time', `${dateText(time, 'ymd')}${clockText(time)},`),
    slot('place', `${lon.toFixed(6)},${lat.toFixed(6)},`),
    slot('values', '$Cloud,1738,621,730,12100,0,0,255,', '$Cloud,', '$Cloud,,,,'),
    slot('end', '|', ''),
  ],
  seal: parts => sealedSeries('E5', IMEI, text(parts)),
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [classic('report', true), classic('report without a fix', false), short, series, around, cloud],
};
