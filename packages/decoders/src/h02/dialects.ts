import { type Dialect, type Dialects, separated, slot, together, unknownFields } from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeRecord, encodeReport } from './encode.ts';

/** What varies between makers and models, see `dialects/dialect.ts`. */

const IDENTITY = '4109876543';

const documented = (position: PositionMessage): string[] =>
  String.fromCharCode(...encodeReport(IDENTITY, position))
    .slice(1, -1)
    .split(',');

const sealed = (parts: readonly Uint8Array[]): Uint8Array =>
  together([Uint8Array.of(0x2a), ...parts, Uint8Array.of(0x23)]);

const noPoint = (angle: string): string => angle.replace('.', '');

const text: Dialect = {
  name: 'text',
  brings: 'fix',
  slots: (position, random) => {
    const [maker = '', identity = '', keyword = '', ...fields] = documented(position);
    const [clock = '', flag = '', lat = '', north = '', lon = '', east = '', speed = '', course = '', date = ''] =
      fields;
    const status = fields[9] ?? '';
    return [
      ...separated(',', [
        slot('maker', maker, 'TH', 'hq'),
        slot('identity', identity, '352093081452251'),
        slot('keyword', keyword, 'V2', 'V5', 'V6', 'V8', 'V0', 'VI1', 'B1', 'XX', 'ALARM'),
        slot('clock', clock, `${clock}.00`),
        slot('validity', flag, 'V', '0', '1', '', 'B'),
        slot('latitude', ...ways(lat, north)),
        slot('longitude', ...ways(lon, east)),
        slot('speed', speed, '', '0', '000.00', '-', 'N'),
        slot('course', course, '', '0', '000.0', '-'),
        slot('date', date, `4,${date}`, ''),
        slot('status', status, status.toLowerCase(), '', 'FFFF'),
      ]),
      unknownFields('tail', random, 6),
    ];
  },
  seal: sealed,
};

const ways = (angle: string, hemisphere: string): string[] => [
  `${angle},${hemisphere}`,
  `${angle}0,${hemisphere}`,
  `${noPoint(angle)},${hemisphere}`,
  `${hemisphere},${angle}`,
  `${angle}${hemisphere}`,
  `${hemisphere}${angle}`,
  `-${angle},${hemisphere}`,
];

/** Without coordinates: whatever else stands there, it is no place. */
const noFix: Dialect = {
  name: 'without a fix',
  brings: 'no fix',
  slots: (position, random) => {
    const [maker = '', identity = '', keyword = '', clock = '', , , , , , , , date = '', status = ''] =
      documented(position);
    return [
      ...separated(',', [
        slot('maker', maker),
        slot('identity', identity),
        slot('keyword', keyword, 'V2', 'V5', 'V8', 'VP1', 'LINK', 'V3', 'NBR', 'XX'),
        slot('clock', clock, '', '000000'),
        slot('validity', 'V', 'A', '0', ''),
        slot(
          'place',
          ',N,,E',
          '0.0000,0,0.0000,0',
          ',,,',
          '22344026,,113564321,',
          '9934.4026,N,19934.4026,E',
          '310,260,32936,13641',
        ),
        slot('motion', '000.00,000', ','),
        slot('date', date, '', '000000'),
        slot('status', status, ''),
      ]),
      unknownFields('tail', random, 4, ',', ['', '0', '310', 'FFFFFFFF', '6']),
    ];
  },
  seal: sealed,
};

const record: Dialect = {
  name: 'record',
  brings: 'fix',
  slots: position => [{ name: 'record', ways: [encodeRecord(IDENTITY, position)] }],
  seal: together,
};

export const dialects: Dialects = { over: 'stream', dialects: [text, noFix, record] };
