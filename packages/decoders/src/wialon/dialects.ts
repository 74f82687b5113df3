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

function place({ time, lat, lon, speed, course }: PositionMessage): Slot[] {
  const kmh = String(Math.round(toKilometresPerHour(speed ?? (0 as never))));
  const [north, south] = [angleText(lat, 2, 4), angleText(lat, 2, 7)];
  const [east, west] = [angleText(lon, 3, 4), angleText(lon, 3, 7)];
  const [latSide, lonSide] = [latitudeSign(lat), longitudeSign(lon)];
  return [
    slot(
      'date',
      dateText(time, 'dmy'),
      dateText(time, 'dmy').replace(/..$/, '20$&'),
      dateText(time, 'dmy').replace(/^0/, ''),
    ),
    slot('time', clockText(time), `${clockText(time)}.000`, clockText(time).replace(/^0/, ''), ` ${clockText(time)} `),
    slot(
      'latitude',
      north,
      south,
      `0${north}`,
      `-${north}`,
      north.replace('.', ','),
      ` ${north} `,
      `${north}${latSide}`,
    ),
    slot('hemisphere', latSide, latSide.toLowerCase(), ` ${latSide} `),
    slot('longitude', east, west, `-${east}`, east.replace('.', ','), `${east} ${lonSide}`),
    slot('hemisphere', lonSide, lonSide.toLowerCase()),
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
    separated(';', [...place(position), ...REST].slice(0, fields)),
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
