import { type Dialect, type Dialects, separated, slot, together, unknownFields } from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeReport } from './encode.ts';

/** What varies between models and makers, see `dialects/dialect.ts`. */

const IMEI = '352093081452251';
const KEYWORDS = [
  'tracker',
  '',
  '001',
  'help me',
  'acc on',
  'jt',
  'T:+11',
  'oil 51.67',
  'rfid',
  'low battery',
  'etc alarm',
];

const documented = (position: PositionMessage): string[] =>
  String.fromCharCode(...encodeReport(IMEI, position, 'tracker'))
    .slice(0, -1)
    .split(',');

/** `26/03/04 05:06`. */
const sliced = (local: string): string =>
  `${local.slice(0, 2)}/${local.slice(2, 4)}/${local.slice(4, 6)} ${local.slice(6, 8)}:${local.slice(8, 10)}`;

const alternatives = (angle: string, hemisphere: string): string[] => [
  `${angle},${hemisphere}`,
  `${angle}0,${hemisphere}`,
  `${angle}0000000,${hemisphere}`,
  `${hemisphere},${angle}`,
  `${angle}${hemisphere}`,
  `${hemisphere}${angle}`,
  `${angle.replace('.', '')},${hemisphere}`,
  ` ${angle}, ${hemisphere}`,
];

const localTimes = (local: string): string[] => [
  local.slice(0, 6),
  local.slice(0, 10),
  sliced(local),
  `20${local}`,
  '',
  '000000000',
  `20${sliced(local).replaceAll('/', '-')}:${local.slice(10)}`,
  `20${sliced(local)}`,
  `${local.slice(0, 6)}246099`,
];

type Angle = readonly [text: string, hemisphere: string];

/** One of the two angles in another form, and both in decimal degrees. */
function places([lat, north]: Angle, [lon, east]: Angle, position: PositionMessage): string[] {
  const [first = '', ...lats] = alternatives(lat, north);
  const [second = '', ...lons] = alternatives(lon, east);
  const decimal = (angle: number, decimals: number): string => Math.abs(angle).toFixed(decimals);
  return [
    `${first},${second}`,
    ...lats.map(text => `${text},${second}`),
    ...lons.map(text => `${first},${text}`),
    ...[4, 6, 12].map(places => `${decimal(position.lat, places)},${north},${decimal(position.lon, places)},${east}`),
  ];
}

const report: Dialect = {
  name: 'report',
  brings: 'fix',
  slots: (position, random) => {
    const [
      imei = '',
      ,
      local = '',
      phone = '',
      signal = '',
      clock = '',
      flag = '',
      lat = '',
      north = '',
      lon = '',
      east = '',
      ...rest
    ] = documented(position);
    const [speed = '', course = ''] = rest;
    return [
      ...separated(',', [
        slot('imei', imei, imei.slice(0, -1), `${imei}01`, imei.replace(':', ': '), imei.replace('imei', 'IMEI')),
        slot('keyword', ...KEYWORDS),
        slot('local time', local, ...localTimes(local)),
        slot('telephone', phone, '13554900601', '100%', '04001A2B'),
        slot('signal', signal, '', 'L', '1'),
        slot(
          'clock',
          clock,
          clock.slice(0, 6),
          `${Number(clock)}`,
          clock.slice(0, 6).replace(/(..)(..)(..)/, '$1:$2:$3'),
        ),
        slot('validity', flag, 'V', '', '1'),
        slot('place', ...places([lat, north], [lon, east], position)),
        slot('speed', speed, '', '0', '-'),
        slot('course', course, '', '0', '65535', '-1'),
      ]),
      unknownFields('tail', random, 9, ',', ['', '0', '1', '51.93%', 'P0021', '+22', '-0.1', 'x', '0.00%', '20']),
      slot('end', ';', '\r', '\n'),
    ];
  },
  seal: together,
};

const noFix: Dialect = {
  name: 'without a fix',
  brings: 'no fix',
  slots: (position, random) => {
    const [imei = '', , local = ''] = documented(position);
    return [
      ...separated(',', [
        slot('imei', imei),
        slot('keyword', ...KEYWORDS, 'OBD'),
        slot('local time', local, '000000000', ''),
        slot('telephone', '', '13554900601'),
        slot('signal', 'L', 'F', ''),
        slot('towers', ',,2e24,,8d8a,', '', ',,,,', '120000,A,9934.4026,N,19934.4026,E', ',V,,N,,E', '2e24,8d8a'),
      ]),
      unknownFields('tail', random, 4, ',', ['', '0', '51.93%', 'x']),
    ];
  },
  seal: parts => together([...parts, Uint8Array.of(0x3b)]),
};

export const dialects: Dialects = { over: 'stream', dialects: [report, noFix] };
