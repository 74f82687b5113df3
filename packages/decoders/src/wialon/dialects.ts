import { toKilometresPerHour } from '@milepost/units';
import { crc16Ibm } from '../crc16.ts';
import {
  asciiBytes,
  type Dialect,
  type Dialects,
  type Random,
  type Slot,
  separated,
  slot,
  together,
} from '../dialects/dialect.ts';
import { angleText, clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';

/** What varies between trackers and the protocol versions they use. */

const LINE_END = asciiBytes('\r\n');

const signed = (angle: number): string => `${angle < 0 ? '' : '+'}${angle.toFixed(6)}`;

/** Both coordinates in one of the notations, with their hemispheres. */
function coordinates({ lat, lon }: PositionMessage): Slot {
  const [north, south] = [angleText(lat, 2, 4), angleText(lat, 2, 7)];
  const [east, west] = [angleText(lon, 3, 4), angleText(lon, 3, 7)];
  const [latSide, lonSide] = [latitudeSign(lat), longitudeSign(lon)];
  const inDegrees = (decimals: number): string =>
    [Math.abs(lat).toFixed(decimals), latSide, Math.abs(lon).toFixed(decimals), lonSide].join(';');
  const [first = '', ...lats] = [
    north,
    south,
    `${south}00000000`,
    `0${north}`,
    `-${north}`,
    north.replace('.', ','),
    ` ${north} `,
    `${north}${latSide}`,
  ];
  const [second = '', ...lons] = [
    east,
    west,
    `${west}00000000`,
    `-${east}`,
    east.replace('.', ','),
    `${east} ${lonSide}`,
  ];
  return slot(
    'coordinates',
    [first, latSide, second, lonSide].join(';'),
    ...lats.map(text => [text, latSide, second, lonSide].join(';')),
    ...lons.map(text => [first, latSide, text, lonSide].join(';')),
    ...[latSide.toLowerCase(), ` ${latSide} `].map(side => [first, side, second, lonSide.toLowerCase()].join(';')),
    ...[4, 6, 14].map(inDegrees),
    ...['', 'NA'].map(side => [signed(lat), side, signed(lon), side].join(';')),
    ...(lat < 0 || lon < 0 ? [[lat.toFixed(6), '', lon.toFixed(6), ''].join(';')] : []),
  );
}

function place(position: PositionMessage): Slot[] {
  const { time, speed, course } = position;
  const kmh = String(Math.round(toKilometresPerHour(speed ?? (0 as never))));
  return [
    slot(
      'date',
      dateText(time, 'dmy'),
      dateText(time, 'dmy').replace(/..$/, '20$&'),
      dateText(time, 'dmy').replace(/^0/, ''),
    ),
    slot('time', clockText(time), `${clockText(time)}.000`, clockText(time).replace(/^0/, ''), ` ${clockText(time)} `),
    coordinates(position),
    slot('speed', kmh, 'NA', '', `${kmh}.5`),
    slot('course', String(course ?? 0), 'NA', '', '359.99', '400', '-1', 'na'),
    slot('altitude', '181', 'NA', '', '-4.000'),
    slot('satellites', '11', 'NA', '', '0', '4'),
  ];
}

const REST: readonly Slot[] = [
  slot('HDOP', '0.8', 'NA', ''),
  slot('inputs', '5', 'NA', '', '452986639'),
  slot('outputs', '2', 'NA', ''),
  slot('analog inputs', '14.77,0.02', '', 'NA', ',,', '106.000000'),
  slot('card', 'AB45DF01145', 'NA', '', 'NA;'),
  slot(
    'parameters',
    'ignition:1:1,bat:3:87',
    'NA',
    '',
    'zz',
    ':::,',
    'SOS:1:1',
    'x:3:y z,temp:2:18.5',
    'NA;',
    'gsm:1:',
  ),
];

/** The end of the message: no checksum, or one in different notations. */
const ENDS = ['', 'upper', 'lower', 'short', '0x', '0X'] as const;
const ending = { name: 'checksum', alternatives: ENDS.map(end => asciiBytes(end)) };

function checked(message: string, end: string): string {
  if (end === '') return message;
  const bytes = asciiBytes(`${message};`);
  const digits = crc16Ibm(bytes, 0, bytes.length).toString(16);
  const full = digits.padStart(4, '0');
  const written =
    end === 'upper' ? full.toUpperCase() : end === 'lower' ? full : end === 'short' ? digits : `${end}${full}`;
  return `${message};${written}`;
}

const texts = (parts: readonly Uint8Array[]): string[] => parts.map(part => String.fromCharCode(...part));

const packet = (name: string, types: readonly string[], slots: (position: PositionMessage) => Slot[]): Dialect => ({
  name,
  brings: 'fix',
  slots: position => [
    slot('lead', '', '352093081452251', '2.0;352093081452251'),
    slot('type', ...types),
    ...slots(position),
    ending,
  ],
  seal: parts => {
    const [lead = '', type = '', ...rest] = texts(parts);
    const end = rest.pop() ?? '';
    return together([asciiBytes(`${lead}#${type}#${checked(rest.join(''), end)}`), LINE_END]);
  },
});

const data = packet('data', ['D', 'DD', 'X'], position => separated(';', [...place(position), ...REST]));
const short = packet('short data', ['SD'], position => separated(';', place(position)));

/** Some trackers leave out values that they do not have. */
const shortened = (fields: number): Dialect =>
  packet(`data of ${fields} fields`, ['D', 'SD'], position =>
    separated(';', [...place(position), ...REST].slice(0, fields - 3)),
  );

/** A valid record among invalid ones, and empty records. */
const blackBox: Dialect = {
  name: 'black box',
  brings: 'fix',
  slots: (position: PositionMessage, random: Random) => [
    slot('before', '', 'nonsense;1|', '|', `${'1;'.repeat(Math.floor(random() * 20))}|`),
    ...separated(';', [...place(position), ...REST]),
    slot('behind', '', '|', '|nonsense', '||', '|NA;NA;NA'),
    slot('checksum', '', '|crc', '|0x'),
  ],
  seal: parts => {
    const rest = texts(parts);
    const end = rest.pop() ?? '';
    const message = rest.join('');
    if (end === '') return together([asciiBytes(`#B#${message}`), LINE_END]);
    const bytes = asciiBytes(`${message}|`);
    const digits = crc16Ibm(bytes, 0, bytes.length).toString(16).toUpperCase().padStart(4, '0');
    return together([asciiBytes(`#B#${message}|${end === '|0x' ? '0x' : ''}${digits}`), LINE_END]);
  },
};

export const dialects: Dialects = {
  over: 'stream',
  dialects: [data, short, shortened(6), shortened(9), shortened(12), shortened(15), blackBox],
};
