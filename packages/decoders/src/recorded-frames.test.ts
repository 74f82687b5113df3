import { existsSync, readFileSync } from 'node:fs';
import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { gt06, osmand, teltonika } from './index.ts';
import type { DecodedMessage, PositionMessage, Session, StreamProtocol } from './protocol.ts';
import { fromHex } from './testing/annotated.ts';
import { framesOf, join } from './testing/stream.ts';

/**
 * Recordings of real trackers, which may stand beside the checkout and never in it, with what they must yield: a fix, no
 * fix, or a value whose name is a hint.
 */
const FOLDER = new URL('../../../../shared/fixtures/frames/', import.meta.url);
const present = existsSync(FOLDER);
if (!present) console.warn('Recorded frames are not beside this checkout: their tests are skipped.');

interface Recording {
  readonly hex?: string;
  readonly http?: string;
  readonly expect: {
    readonly kind: 'position' | 'positions' | 'nothing' | 'attribute' | 'attributes' | 'something';
    readonly attribute?: string;
    readonly value?: string;
    readonly time?: string;
    readonly lat?: number;
    readonly lon?: number;
  };
}

const recordingsOf = (protocol: string): readonly Recording[] =>
  present
    ? (JSON.parse(readFileSync(new URL(`${protocol}.json`, FOLDER), 'utf8')) as { frames: Recording[] }).frames
    : [];

const SESSION: Session = { imei: '352093081452251', receivedAt: epochMs(Date.UTC(2026, 0, 15)) };

/** Where we answer otherwise than the recording expects, by number from 1, and why. */
const DISAGREEMENTS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  teltonika: {
    8: 'Codec 13, an answer to “getinfo”: there is no fix in it',
    9: 'Codec 12, text of a device on the serial port: there is no fix in it',
    10: 'Codec 12, a Modbus frame: there is no fix in it',
    12: 'the checksum is wrong',
    13: 'the checksum is wrong',
    16: 'Codec 12, text of a device on the serial port: there is no fix in it',
    18: 'the last byte of the frame is missing',
    20: 'Codec 12, an answer to a command: there is no fix in it',
  },
  gt06: {
    14: 'the expected altitude is the checksum read as a number',
    25: 'the checksum is wrong',
    29: 'alarm 0x0C is “power on” in the maker’s table',
    71: 'an answer in words without a time zone: its fix would stand at a guessed time',
    79: 'the checksum is wrong',
    94: 'the checksum is wrong',
    96: 'alarm 0x19 is “internal battery low” in the maker’s table',
    97: 'no document says that the status of this length holds volts',
  },
  osmand: {},
};

/** Recordings that end before their frame does. */
const CUT_SHORT: Readonly<Record<string, readonly number[]>> = { teltonika: [18], gt06: [] };

const ALARMS: Readonly<Record<string, string>> = {
  tampering: 'tamper',
  removing: 'tamper',
  low_battery: 'batteryLow',
  general: 'alarm',
  acceleration: 'harshAcceleration',
  accident: 'crash',
  sos: 'sos',
};

/** The words of the hints, and where the value stands here. */
const HINTS: Readonly<Record<string, (message: DecodedMessage, value: string) => unknown>> = {
  tag1battery: message => Math.round(Number(noteOf(message, 'tag1Battery')) * 1000),
  eyetemp1: message => noteOf(message, 'eyeTemperature1'),
  power: message => noteOf(message, 'externalVoltage'),
  battery: message => noteOf(message, 'batteryVoltage'),
  battery_level: message => noteOf(message, 'batteryLevel'),
  humidity: message => noteOf(message, 'humidity'),
  temp: message => (message.kind === 'position' ? message.temperature : null),
  ignition: message => (message.kind === 'position' ? message.ignition : null),
  event: message => noteOf(message, 'alarmCode'),
  eventfiles: message => noteOf(message, 'files'),
  serial: message => `RFID:${noteOf(message, 'rfid')}`,
  iccid: message => (message.kind === 'reply' ? /\d{19,20}/.exec(message.text)?.[0] : null),
  alarm: message => ('event' in message ? message.event : null),
  driver_unique_id: (message, value) => {
    const card = String(message.kind === 'position' ? message.rfid : noteOf(message, 'rfid'));
    return card.toLowerCase() === value ? value : String(Number.parseInt(card, 16));
  },
  result: (message, value) => {
    const data = String(noteOf(message, 'externalData'));
    // The hint has the bytes with their frame as hexadecimal where they are no plain text.
    return value.includes(Buffer.from(data).toString('hex')) ? value : data;
  },
};

const noteOf = (message: DecodedMessage, name: string): unknown =>
  'attributes' in message ? message.attributes?.[name] : undefined;

function expectedOf(value: string): unknown {
  const bare = value.replace(/^"|"$/g, '');
  if (/alarm_/i.test(bare)) return ALARMS[bare.toLowerCase().replace(/^.*alarm_/, '')];
  if (bare === 'true' || bare === 'false') return bare === 'true';
  return bare;
}

const positionsIn = (messages: readonly DecodedMessage[]): PositionMessage[] =>
  messages.filter(message => message.kind === 'position');

function expectAsRecorded(messages: readonly DecodedMessage[], expected: Recording['expect']): void {
  const positions = positionsIn(messages);
  const right = messages.filter(message => message.kind !== 'error');
  if (expected.kind === 'nothing') {
    expect(positions).toEqual([]);
    return;
  }
  expect(messages.filter(message => message.kind === 'error')).toEqual([]);
  expect(right.length).toBeGreaterThan(0);
  if (expected.kind === 'position' || expected.kind === 'positions') expect(positions.length).toBeGreaterThan(0);
  const [first] = positions;
  if (expected.time !== undefined) expect(new Date(first!.time).toISOString()).toBe(expected.time);
  if (expected.lat !== undefined) expect(first!.lat).toBeCloseTo(expected.lat, 5);
  if (expected.lon !== undefined) expect(first!.lon).toBeCloseTo(expected.lon, 5);
  if (expected.kind !== 'attribute') return;
  const hint = (expected.attribute ?? '')
    .toLowerCase()
    .replace(/^.*(key_|prefix_)/, '')
    .replace(/ \+ 1$/, '');
  const value = expectedOf(expected.value ?? '');
  const message = positions[0] ?? right[0]!;
  const ours = HINTS[hint]?.(message, String(value));
  const same = typeof ours === 'number' ? ours === Number(value) : ours === value;
  expect(same, `${hint}: ${JSON.stringify(ours)} for ${JSON.stringify(value)}`).toBe(true);
}

describe.skipIf(!present).each([
  ['teltonika', teltonika],
  ['gt06', gt06],
] as const)('recorded frames of %s', (name, protocol: StreamProtocol) => {
  const recordings = recordingsOf(name).map((recording, i) => ({
    number: i + 1,
    bytes: fromHex(recording.hex ?? ''),
    expected: recording.expect,
    reason: DISAGREEMENTS[name]?.[i + 1],
    cutShort: CUT_SHORT[name]?.includes(i + 1) ?? false,
  }));
  const decodeAll = (bytes: Uint8Array): DecodedMessage[] => {
    const { frames } = framesOf(protocol, bytes, bytes.length);
    const whole = frames.length > 0 ? frames : [bytes];
    return whole.flatMap(frame => protocol.decode(frame, SESSION).messages);
  };

  it.each(recordings.filter(({ reason }) => reason === undefined))(
    '$number yields what it must ($expected.kind)',
    ({ bytes, expected }) => expectAsRecorded(decodeAll(bytes), expected),
  );

  it.each(recordings.filter(({ reason }) => reason !== undefined))(
    '$number does not: $reason',
    ({ bytes, expected }) => {
      expect(() => expectAsRecorded(decodeAll(bytes), expected)).toThrow();
    },
  );

  it.each(recordings.filter(({ cutShort }) => !cutShort))('$number is found whole, wherever it is cut', ({ bytes }) => {
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
  });

  it('are found glued to each other, in pieces of any size', () => {
    const whole = recordings.filter(({ cutShort }) => !cutShort).map(({ bytes }) => bytes);
    const alone = whole.flatMap(bytes => framesOf(protocol, bytes, bytes.length).frames);
    for (const size of [1, 13, 1460]) {
      expect(framesOf(protocol, join(whole), size)).toEqual({ frames: alone, garbage: 0 });
    }
  });
});

describe.skipIf(!present)('recorded requests of osmand', () => {
  const recordings = recordingsOf('osmand').map((recording, i) => ({ number: i + 1, ...recording }));

  it.each(recordings)('$number yields what it must ($expect.kind)', ({ http = '', expect: expected }) => {
    const query = http.slice(http.indexOf('?') + 1);
    const request = { method: 'GET', query, contentType: null, body: '' };
    expectAsRecorded(osmand.decodeRequest(request, SESSION.receivedAt), expected);
  });
});
