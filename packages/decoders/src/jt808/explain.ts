import { hex, Reader } from '../bytes.ts';
import { walkFields } from '../explain/fields.ts';
import { asEither, asText, type FramePart, hexOf, moment, per, type Say, verdict, Walk } from '../explain/walk.ts';
import { ALARM_BITS, OTHER_ALARM_BITS } from './alarms.ts';
import { angleOf, DATE_LINE, NORTH_POLE } from './angle.ts';
import { locationBegin } from './find-location.ts';
import { bodyBytes, FLAG, isParted, isVersioned, packetEnd, xor } from './frame.ts';
import { STANDARD_ITEMS } from './items.ts';
import { MESSAGES } from './messages.ts';
import { headOf, identityOf } from './packet.ts';
import { SATELLITE_BYTES, satelliteLists } from './satellites.ts';
import { STATUS, STATUS_BITS } from './status.ts';

const ESCAPE = 0x7d;
const OPEN = 0x28;

/** JT/T 808-2013 §4.4: packets between flags. Parts of a long message are explained separately. */
export function explain(frame: Uint8Array): readonly FramePart[] {
  if (frame[0] === OPEN) return explainText(frame);
  const ends = packetEnds(frame);
  const [only] = ends;
  if (ends.length === 1 && only !== undefined) return packet(frame, 0, only, true);
  let from = 0;
  return ends.map((end, i) => {
    const parts = packet(frame, from, end, false);
    const whole: FramePart = { from, to: end, name: `packet ${i + 1}`, value: '', parts };
    from = end;
    return whole;
  });
}

function explainText(frame: Uint8Array): readonly FramePart[] {
  const walk = new Walk(frame);
  walk.u8('start', () => '(');
  walkFields(walk, frame.at(-1) === 0x29 ? frame.length - 1 : frame.length, ',', index =>
    index === 0 ? 'terminal' : undefined,
  );
  walk.rest('end');
  return walk.done();
}

function packetEnds(frame: Uint8Array): number[] {
  const ends: number[] = [];
  for (let at = 0; at < frame.length; ) {
    const found = frame[at] === FLAG ? packetEnd(frame, at) : 'none';
    at = typeof found === 'number' && found > at ? found : frame.length;
    ends.push(at);
  }
  return ends;
}

/** The unescaped bytes, with the offset of each in the frame, and last the offset of the end. */
function plainOf(frame: Uint8Array, from: number, to: number): { bytes: Uint8Array; offsets: number[] } {
  const bytes: number[] = [];
  const offsets: number[] = [];
  for (let at = from; at < to; at++) {
    offsets.push(at);
    const next = frame[at + 1];
    const escaped = frame[at] === ESCAPE && at + 1 < to && (next === 1 || next === 2);
    bytes.push(escaped ? (next === 2 ? FLAG : ESCAPE) : (frame[at] ?? 0));
    if (escaped) at++;
  }
  return { bytes: Uint8Array.from(bytes), offsets: [...offsets, to] };
}

function packet(frame: Uint8Array, from: number, to: number, nested: boolean): readonly FramePart[] {
  const { bytes, offsets } = plainOf(frame, from, to);
  const walk = new Walk(bytes);
  walk.u8('flag', hexOf(2));
  const id = walk.u16('message', value => `${hexOf(4)(value)} ${MESSAGES.get(value)?.name ?? 'not named'}`);
  const properties = walk.u16(
    'properties',
    value => `${bodyBytes(value)} bytes of body${isParted(value) ? ', a part' : ''}`,
  );
  const { hasVersion, phone } = headOf(bytes.subarray(1, -1), properties);
  if (hasVersion) walk.u8('version');
  walk.take('terminal', phone, digits => identityOf(hex(digits)));
  const versioned = isVersioned(properties) || phone > 6;
  walk.u16('serial number');
  if (isParted(properties)) {
    walk.u16('parts');
    walk.u16('this part');
  }
  const end = Math.max(walk.at, bytes.length - 2);
  const body = new Walk(bytes, walk.at, end);
  if (!isParted(properties))
    (BODIES[id] ?? (MESSAGES.has(id) ? undefined : anyLocation))?.(body, { versioned, nested });
  body.rest(body.parts.length > 0 ? 'more' : 'body', asEither);
  walk.parts.push(...body.parts);
  walk.at = body.at;
  walk.u8('checksum', verdict(xor(bytes.subarray(1), Math.max(0, end - 1)), 2));
  walk.u8('flag', hexOf(2));
  return walk.done().map(part => inFrame(part, offsets));
}

const inFrame = ({ from, to, parts, ...rest }: FramePart, offsets: readonly number[]): FramePart => ({
  ...rest,
  from: offsets[from] ?? 0,
  to: offsets[to] ?? 0,
  ...(parts ? { parts: parts.map(part => inFrame(part, offsets)) } : {}),
});

interface Form {
  readonly versioned: boolean;
  /** There is room for another level below. */
  readonly nested: boolean;
}

type Body = (walk: Walk, form: Form) => void;
const ALARMS = [...ALARM_BITS.map(([bit, , what]) => [bit, what] as const), ...OTHER_ALARM_BITS];

const namesOf = (bits: readonly (readonly [number, string])[], word: number): string[] =>
  bits.filter(([bit]) => (word >>> bit) & 1).map(([, name]) => name);

/** "All times in this standard are GMT+8". */
const time: Say<Uint8Array> = bytes => {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = [...bytes].map(
    byte => (byte >> 4) * 10 + (byte & 15),
  );
  return moment(Date.UTC(2000 + year, month - 1, day, hour - 8, minute, second));
};

const location: Body = walk => {
  walk.u32('alarms', word => namesOf(ALARMS, word).join(', ') || 'none');
  walk.u32('status', word =>
    [
      word & STATUS.ignition ? 'ignition on' : 'ignition off',
      word & STATUS.positioned ? 'positioned' : 'not positioned',
      word & STATUS.south ? 'south' : 'north',
      word & STATUS.west ? 'west' : 'east',
      ...namesOf(STATUS_BITS, word),
    ].join(', '),
  );
  walk.u32('latitude', raw => angleOf(raw, NORTH_POLE, false), '°');
  walk.u32('longitude', raw => angleOf(raw, DATE_LINE, false), '°');
  walk.i16('altitude', undefined, 'm');
  walk.u16('speed', per(10), 'km/h');
  walk.u16('course', undefined, '°');
  walk.take('time', 6, time);
  while (walk.left >= 2) item(walk);
};

const ITEMS = new Map(STANDARD_ITEMS.map(row => [row[0], row]));

function item(walk: Walk): void {
  const row = ITEMS.get(walk.peek());
  const length = walk.peek(1);
  const fits = row && row[1] === length;
  walk.take(
    fits ? row[2] : `item ${hexOf(2)(walk.peek())}`,
    2 + length,
    bytes => {
      const value = bytes.subarray(2);
      if (!fits) return asEither(value);
      return Number((value.reduce((sum, byte) => sum * 256 + byte, 0) * (row[4] ?? 1)).toPrecision(12));
    },
    fits ? row[3] : undefined,
  );
}

const registration: Body = (walk, { versioned }) => {
  walk.u16('province');
  walk.u16('city');
  const [maker, model, terminal] = versioned ? [11, 30, 30] : walk.left >= 33 ? [5, 20, 7] : [5, 8, 7];
  walk.take('maker', maker ?? 0, asText);
  walk.take('model', model ?? 0, asText);
  walk.take('terminal number', terminal ?? 0, asText);
  walk.u8('color of the plate');
  walk.rest('plate');
};

const batch: Body = (walk, form) => {
  const count = walk.u16('reports');
  walk.u8('kind', kind => (kind === 1 ? 'from memory' : 'live'));
  for (let i = 1; i <= Math.max(count, 1) && walk.left > 0; i++) {
    const length = walk.u16('length', undefined, 'bytes');
    const end = Math.min(walk.at + length, walk.end);
    if (!form.nested) walk.take(`report ${i}`, end - walk.at);
    else {
      walk.group(
        `report ${i}`,
        inner => {
          location(inner, form);
          inner.rest('more');
        },
        end,
      );
    }
  }
};

const answer: Body = walk => {
  walk.u16('serial number of the command');
  walk.u16('message of the command', hexOf(4));
  walk.u8('result', value => ['done', 'failed', 'message wrong', 'not supported', 'alarm confirmed'][value] ?? value);
};

const answeringLocation: Body = (walk, form) => {
  walk.u16('serial number of the command');
  location(walk, form);
};

/** By the amended standard; of OBD terminals, the version of their software. */
const skyOrVersion: Body = (walk, form) => {
  const lists = satelliteLists(new Reader(walk.bytes, walk.at, walk.end));
  if (lists === null) return;
  for (const { system, satellites } of lists) {
    walk.u8(`${system} satellites`);
    if (satellites > 0) walk.take(`${system} list`, satellites * SATELLITE_BYTES);
  }
  location(walk, form);
};

/** For an undocumented message id. */
const anyLocation: Body = (walk, form) => {
  const begin = locationBegin(new Reader(walk.bytes, walk.at, walk.end));
  if (begin === null) return;
  if (begin > walk.at) walk.take('before the location', begin - walk.at);
  location(walk, form);
};

const BODIES: Readonly<Record<number, Body>> = {
  1: answer,
  256: registration,
  258: walk => void walk.rest('password'),
  512: location,
  513: answeringLocation,
  517: skyOrVersion,
  1280: answeringLocation,
  1796: batch,
};
