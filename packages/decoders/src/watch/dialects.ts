import { toKilometresPerHour } from '@milepost/units';
import {
  asciiBytes,
  cutAnywhere,
  type Dialect,
  type Dialects,
  type Slot,
  separated,
  slot,
  together,
  unknownFields,
} from '../dialects/dialect.ts';
import { angleText, clockText, dateText, latitudeSign, longitudeSign } from '../nmea.ts';
import type { PositionMessage } from '../protocol.ts';
import { locationText } from './encode.ts';

/** What varies between makers and models, see `dialects/dialect.ts`. */

const HEADER: readonly Slot[] = [
  slot('maker', '3G', 'SG', 'CS', 'ZJ', 'YW', 'sg', 'ABC'),
  slot('tracker', '8800000015', '352093081452251', '014111001332708', '0000012345', 'YQ32109876'),
  slot('serial number', '', '0001*', 'ffff*', '3*'),
  slot('length', 'right', 'lower', 'short', 'more', 'less', 'none'),
];

/** The length as the slot says, then the rest. */
function seal([maker, tracker, serial, length, ...content]: readonly Uint8Array[]): Uint8Array {
  const text = (bytes: Uint8Array | undefined): string => String.fromCharCode(...(bytes ?? []));
  const bytes = together(content);
  const kind = text(length);
  const stated = kind === 'more' ? bytes.length + 300 : kind === 'less' ? bytes.length - 9 : bytes.length;
  const right = (kind === 'none' ? 0 : stated).toString(16).toUpperCase().padStart(4, '0');
  const written = kind === 'lower' ? right.toLowerCase() : kind === 'short' ? right.replace(/^0+/, '') : right;
  const head = asciiBytes(`[${text(maker)}*${text(tracker)}*${text(serial)}${written}*`);
  return together([head, bytes, asciiBytes(']')]);
}

/** A number with its hemisphere, with a sign besides, or with a sign only. */
function angles(name: string, angle: number, hemisphere: string, digits: number): Slot {
  const bare = Math.abs(angle).toFixed(digits);
  const sign = angle < 0 ? '-' : '';
  return slot(
    name,
    `${bare},${hemisphere}`,
    `0${bare},${hemisphere}`,
    ` ${bare} , ${hemisphere}`,
    `${bare},${hemisphere.toLowerCase()}`,
    `${sign}${bare},${hemisphere}`,
    `${sign}${bare},`,
    `${Math.abs(angle).toFixed(5)},${hemisphere}`,
  );
}

const WORDS = [
  'UD',
  'UD2',
  'UD_LTE',
  'UD_WCDMA',
  'UD2_LTE',
  'AL',
  'AL_LTE',
  'AL_WCDMA',
  'ud',
  'PP,091046',
  'CR',
  'WAD',
  'UD3',
  'XY,1,2',
];

const BEHIND = [
  '350.2,279.7,17,28,79,1000,50,0010001F',
  '2,1,310,410,23999,132013696,28,55C0,3B882A2,132',
  '2,My car, really,60:45:cb:cb:34:68,-93,,4C:30:00:24:27:3a,-57,8.263865',
];

const location: Dialect = {
  name: 'location',
  brings: 'fix',
  slots: (position, random) => {
    const { time, lat, lon, speed } = position;
    return [
      ...HEADER,
      ...separated(',', [
        slot('word', ...WORDS),
        slot('date', dateText(time, 'dmy'), ` ${dateText(time, 'dmy')}`),
        slot('time', clockText(time), `${clockText(time)} `),
        slot('validity', 'A', 'V', '', 'a'),
        angles('latitude', lat, latitudeSign(lat), 6),
        angles('longitude', lon, longitudeSign(lon), 7),
        slot('speed', (speed === null ? 0 : toKilometresPerHour(speed)).toFixed(2), '', '-1', '9999999', 'x'),
      ]),
      cutAnywhere('behind', asciiBytes(`,${BEHIND.join(',')}`)),
      unknownFields('tail', random, 4),
    ];
  },
  seal,
};

/** Forms that only a real time and both hemispheres show to be a location. */
const loose: Dialect = {
  name: 'location in other forms',
  brings: 'fix',
  slots: (position, random) => {
    const { time, lat, lon } = position;
    const [north, east] = [latitudeSign(lat), longitudeSign(lon)];
    const [date, clock] = [dateText(time, 'dmy'), clockText(time)];
    const [bareLat, bareLon] = [Math.abs(lat).toFixed(6), Math.abs(lon).toFixed(6)];
    return [
      ...HEADER,
      ...separated(',', [
        slot('word', ...WORDS),
        slot(
          'date',
          date,
          `${Number(date)}`,
          date.replace(/..$/, '20$&'),
          `20${dateText(time, 'ymd')}`,
          date.replace(/(..)(..)(..)/, '$1/$2/$3'),
        ),
        slot('time', clock, `${Number(clock)}`, clock.replace(/(..)(..)(..)/, '$1:$2:$3'), `${clock}.00`),
        slot('validity', 'A', 'V', '', '1', '0', 'B', '3'),
        slot(
          'place',
          `${bareLat},${north},${bareLon},${east}`,
          `${north},${bareLat},${east},${bareLon}`,
          `${bareLat}${north},${bareLon}${east}`,
          `${north}${bareLat},${east}${bareLon}`,
          `${angleText(lat, 2, 4)},${north},${angleText(lon, 3, 4)},${east}`,
          `${bareLat}000000,${north},${bareLon}000000,${east}`,
        ),
        slot('speed', '0.00', ''),
      ]),
      cutAnywhere('behind', asciiBytes(`,${BEHIND.join(',')}`)),
      unknownFields('tail', random, 4),
    ];
  },
  seal,
};

const noFix: Dialect = {
  name: 'without a fix',
  brings: 'no fix',
  slots: (position: PositionMessage, random) => {
    const day = `${dateText(position.time, 'dmy')},${clockText(position.time)}`;
    const behind = locationText(position, 0).split(',').slice(7).join(',');
    return [
      ...HEADER,
      slot('word', 'UD,', 'AL_LTE,', 'LK,', 'TK,', 'TKQ,', 'img,5,160429110950,', 'CONFIG,', 'bphrt,', 'VERNO,', 'XY,'),
      slot(
        'place',
        `${day},V,0.0,N,0.0,E,`,
        `${day},V,00.000000,,00.0000000,,`,
        `${day},A,00.000000,N, 0.0000000,E,`,
        `${day},A,,N,,E,`,
        `${day},V,,,,,`,
        `${day},0,,S,,W,`,
        `${clockText(position.time)},${dateText(position.time, 'dmy')},3,4,5.5,6,7,`,
        `${day},A,91.5,N,8.5,E,`,
        `000000,000000,A,41.5,N,87.5,W,`,
        `010170,${clockText(position.time)},A,41.5,N,87.5,W,`,
      ),
      cutAnywhere('behind', asciiBytes(behind)),
      unknownFields('tail', random, 4),
    ];
  },
  seal,
};

export const dialects: Dialects = { over: 'stream', dialects: [location, loose, noFix] };
