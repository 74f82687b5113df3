import { type Dialect, type Dialects, separated, slot, together, unknownFields } from '../dialects/dialect.ts';
import type { PositionMessage } from '../protocol.ts';
import { encodeRecord, encodeReport } from './encode.ts';

/** What varies between makers and models, see `dialects/dialect.ts`. */

const IDENTITY = '4109876543';

const documented = (position: PositionMessage): string[] =>
  String.fromCharCode(...encodeReport(IDENTITY, position))
    .slice(1, -1)
    .split(',');

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
        slot('keyword', keyword, 'V2', 'V6'),
        slot('clock', clock, `${clock}.00`),
        slot('validity', flag, 'V'),
        slot('latitude', lat, `${lat}0`),
        slot('hemisphere', north),
        slot('longitude', lon, `${lon}0`),
        slot('hemisphere', east),
        slot('speed', speed, '', '0', '000.00'),
        slot('course', course, '', '0', '000.0'),
        slot('date', date),
        slot('status', status, status.toLowerCase()),
      ]),
      unknownFields('tail', random, 6),
    ];
  },
  seal: parts => together([Uint8Array.of(0x2a), ...parts, Uint8Array.of(0x23)]),
};

const record: Dialect = {
  name: 'record',
  brings: 'fix',
  slots: position => [{ name: 'record', ways: [encodeRecord(IDENTITY, position)] }],
  seal: together,
};

export const dialects: Dialects = { over: 'stream', dialects: [text, record] };
