import { existsSync, readFileSync } from 'node:fs';
import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { recordings as atrack } from './atrack/recordings.ts';
import { recordings as calamp } from './calamp/recordings.ts';
import { recordings as eelink } from './eelink/recordings.ts';
import { recordings as galileosky } from './galileosky/recordings.ts';
import { recordings as gl200, binaryRecordings as gl200Binary } from './gl200/recordings.ts';
import { recordings as gps103 } from './gps103/recordings.ts';
import { recordings as gt06 } from './gt06/recordings.ts';
import { recordings as h02 } from './h02/recordings.ts';
import { type ProtocolName, protocols } from './index.ts';
import { recordings as jt808 } from './jt808/recordings.ts';
import { recordings as meitrack } from './meitrack/recordings.ts';
import { recordings as osmand } from './osmand/recordings.ts';
import type { DecodedMessage, PositionMessage, Session, StreamProtocol } from './protocol.ts';
import { recordings as ruptela } from './ruptela/recordings.ts';
import { recordings as suntech } from './suntech/recordings.ts';
import { recordings as teltonika } from './teltonika/recordings.ts';
import { fromHex } from './testing/annotated.ts';
import { noteOf, type Recordings } from './testing/recordings.ts';
import { framesOf, join } from './testing/stream.ts';
import { recordings as tk103 } from './tk103/recordings.ts';
import { recordings as totem } from './totem/recordings.ts';
import { recordings as watch } from './watch/recordings.ts';
import { recordings as wialon } from './wialon/recordings.ts';
import { recordings as xexun } from './xexun/recordings.ts';

/**
 * Recordings of real trackers, kept outside the repository, so they may be absent. Each gives the expected result: a
 * fix, no fix, or a value named by a hint.
 */
const FOLDER = new URL('../../../../shared/fixtures/frames/', import.meta.url);
const present = existsSync(FOLDER);
if (!present) console.warn('Recorded frames are not beside this checkout: their tests are skipped.');

/** By file name, one line each. */
const RECORDED: readonly (readonly [file: string, ProtocolName, Recordings])[] = [
  ['atrack', 'atrack', atrack],
  ['calamp', 'calamp', calamp],
  ['eelink', 'eelink', eelink],
  ['galileo', 'galileosky', galileosky],
  ['gl200', 'gl200', gl200],
  ['queclink-bin', 'gl200', gl200Binary],
  ['gps103', 'gps103', gps103],
  ['gt06', 'gt06', gt06],
  ['h02', 'h02', h02],
  ['jt808', 'jt808', jt808],
  ['meitrack', 'meitrack', meitrack],
  ['osmand', 'osmand', osmand],
  ['ruptela', 'ruptela', ruptela],
  ['suntech', 'suntech', suntech],
  ['teltonika', 'teltonika', teltonika],
  ['tk103', 'tk103', tk103],
  ['totem', 'totem', totem],
  ['watch', 'watch', watch],
  ['wialon', 'wialon', wialon],
  ['xexun', 'xexun', xexun],
];

/** Coordinates are compared to five decimals. */
const STEP = 1e-5;

interface Recording {
  readonly hex?: string;
  readonly text?: string;
  readonly http?: string;
  readonly expect: {
    readonly kind: 'position' | 'positions' | 'nothing' | 'attribute' | 'attributes' | 'something';
    readonly attribute?: string;
    readonly value?: string;
    readonly time?: string;
    readonly valid?: boolean;
    readonly lat?: number;
    readonly lon?: number;
  };
}

const recordingsIn = (file: string): readonly Recording[] =>
  present ? (JSON.parse(readFileSync(new URL(`${file}.json`, FOLDER), 'utf8')) as { frames: Recording[] }).frames : [];

const SESSION: Session = { imei: '352093081452251', receivedAt: epochMs(Date.UTC(2026, 0, 15)) };

const ALARMS: Readonly<Record<string, string>> = {
  tampering: 'tamper',
  vibration: 'vibration',
  removing: 'tamper',
  low_battery: 'batteryLow',
  general: 'alarm',
  acceleration: 'harshAcceleration',
  accident: 'crash',
  sos: 'sos',
};

/** The names of the hints, and where each value is in every protocol. */
const HINTS: NonNullable<Recordings['hints']> = {
  power: message => noteOf(message, 'externalVoltage'),
  battery: message => noteOf(message, 'batteryVoltage'),
  battery_level: message => noteOf(message, 'batteryLevel'),
  humidity: message => noteOf(message, 'humidity'),
  temp: message => (message.kind === 'position' ? message.temperature : null),
  ignition: message => (message.kind === 'position' ? message.ignition : noteOf(message, 'ignition')),
  alarm: message => ('event' in message ? message.event : null),
  driver_unique_id: (message, value) => {
    const card = String(message.kind === 'position' ? message.rfid : noteOf(message, 'rfid'));
    return card.toLowerCase() === value ? value : String(Number.parseInt(card, 16));
  },
  result: (message, value) => {
    const data = String(noteOf(message, 'externalData') ?? (message.kind === 'reply' ? message.text : ''));
    // If the frame is not plain text, the hint gives the bytes with their frame in hexadecimal.
    return value.includes(Buffer.from(data).toString('hex')) ? value : data;
  },
};

function expectedOf(value: string): unknown {
  const bare = value.replace(/^"|"$/g, '');
  if (/alarm_/i.test(bare)) return ALARMS[bare.toLowerCase().replace(/^.*alarm_/, '')];
  if (bare === 'true' || bare === 'false') return bare === 'true';
  return bare;
}

function expectAsRecorded(
  messages: readonly DecodedMessage[],
  expected: Recording['expect'],
  hints: Recordings['hints'],
): void {
  const positions = messages.filter((message): message is PositionMessage => message.kind === 'position');
  const reports = messages.filter(message => message.kind !== 'error' && message.kind !== 'login');
  if (expected.kind === 'nothing') {
    expect(positions).toEqual([]);
    return;
  }
  expect(messages.filter(message => message.kind === 'error')).toEqual([]);
  expect(messages.length).toBeGreaterThan(0);
  if (expected.kind === 'position' || expected.kind === 'positions') expect(positions.length).toBeGreaterThan(0);
  const [first] = positions;
  if (expected.time !== undefined) expect(first!.time).toBe(Date.parse(expected.time.replace(' ', 'T')));
  if (expected.valid !== undefined) expect(first!.valid).toBe(expected.valid);
  if (expected.lat !== undefined) expect(Math.abs(first!.lat - expected.lat)).toBeLessThan(STEP);
  if (expected.lon !== undefined) expect(Math.abs(first!.lon - expected.lon)).toBeLessThan(STEP);
  if (expected.kind !== 'attribute') return;
  const hint = (expected.attribute ?? '')
    .toLowerCase()
    .replace(/^.*(key_|prefix_)/, '')
    .replace(/ \+ 1$/, '');
  const value = expectedOf(expected.value ?? '');
  const message = positions[0] ?? reports[0] ?? messages[0]!;
  const ours = (hints?.[hint] ?? HINTS[hint])?.(message, String(value));
  const same = typeof ours === 'number' ? ours === Number(value) : ours === value;
  expect(same, `${hint}: ${JSON.stringify(ours)} for ${JSON.stringify(value)}`).toBe(true);
}

/** As sent: text with its terminator. */
function bytesOf({ hex, text }: Recording, terminator: string): Uint8Array {
  if (text === undefined) return fromHex(hex ?? '');
  return new TextEncoder().encode(text.endsWith(terminator) ? text : text + terminator);
}

describe.skipIf(!present).each(RECORDED)('recorded frames of %s', (file, name, notes) => {
  const { stream, datagram, http, terminator } = protocols[name];
  const recordings = recordingsIn(file).map((recording, i) => ({
    number: i + 1,
    bytes: bytesOf(recording, terminator ?? ''),
    request: recording.http ?? '',
    expected: recording.expect,
    reason: notes.disagreements[i + 1],
    cutShort: notes.cutShort?.includes(i + 1) ?? false,
  }));
  const decodeAll = ({ bytes, request }: { bytes: Uint8Array; request: string }): readonly DecodedMessage[] => {
    if (http) {
      const query = request.slice(request.indexOf('?') + 1);
      return http.decodeRequest({ method: 'GET', query, contentType: null, body: '' }, SESSION.receivedAt);
    }
    if (!stream) return datagram!.decodeDatagram(bytes, SESSION.receivedAt).messages;
    const { frames } = framesOf(stream, bytes, bytes.length);
    const whole = frames.length > 0 ? frames : [bytes];
    return whole.flatMap(frame => stream.decode(frame, SESSION).messages);
  };

  it.each(recordings.filter(({ reason }) => reason === undefined))(
    '$number yields what it must ($expected.kind)',
    recording => expectAsRecorded(decodeAll(recording), recording.expected, notes.hints),
  );

  it.each(recordings.filter(({ reason }) => reason !== undefined))('$number does not: $reason', recording => {
    expect(() => expectAsRecorded(decodeAll(recording), recording.expected, notes.hints)).toThrow();
  });

  if (stream) {
    const whole = recordings.filter(({ cutShort }) => !cutShort);
    it.each(whole)('$number is found whole, wherever it is cut', ({ bytes }) => expectWholeWhereverCut(stream, bytes));

    it('are found when joined together, in pieces of any size', () => {
      const alone = whole.flatMap(({ bytes }) => framesOf(stream, bytes, bytes.length).frames);
      const glued = join(whole.map(({ bytes }) => bytes));
      for (const size of [1, 13, 1460]) {
        expect(framesOf(stream, glued, size)).toEqual({ frames: alone, garbage: 0 });
      }
    });
  }
});

function expectWholeWhereverCut(protocol: StreamProtocol, bytes: Uint8Array): void {
  const whole = framesOf(protocol, bytes, bytes.length);
  expect(whole.garbage).toBe(0);
  expect(join(whole.frames)).toEqual(bytes);
  for (let cut = 1; cut < bytes.length; cut++) {
    const first = framesOf(protocol, bytes.subarray(0, cut), cut).frames;
    const arrived = first.reduce((sum, frame) => sum + frame.length, 0);
    expect(whole.frames.slice(0, first.length), `cut at ${cut}`).toEqual(first);
    expect(framesOf(protocol, join([bytes.subarray(arrived, cut), bytes.subarray(cut)]), 1000).frames).toEqual(
      whole.frames.slice(first.length),
    );
  }
}
