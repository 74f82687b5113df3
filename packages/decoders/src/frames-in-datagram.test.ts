import { describe, expect, it } from 'vitest';
import { SESSION } from './fuzz-checks.ts';
import { SAMPLE_POSITION } from './fuzz-inputs.ts';
import { type ProtocolName, protocols } from './index.ts';
import { join } from './testing/stream.ts';

/** Protocols whose trackers also report over UDP in the form of their stream, and Teltonika's UDP channel. */
const NAMES: readonly ProtocolName[] = [
  'atrack',
  'eelink',
  'gl200',
  'gps103',
  'h02',
  'jt808',
  'meitrack',
  'ruptela',
  'suntech',
  'teltonika',
  'tk103',
  'wialon',
  'xexun',
];
/** In text, a line may come first. */
const TEXTS: readonly ProtocolName[] = ['gl200', 'gps103', 'h02', 'tk103', 'xexun'];
const IMEI = '352093081452251';
const LATER = { ...SAMPLE_POSITION, time: (SAMPLE_POSITION.time + 60_000) as typeof SAMPLE_POSITION.time };

describe.each(NAMES)('%s: several frames in one datagram', name => {
  const { datagram, datagramTracker } = protocols[name];
  const reports = (imei: string, position: typeof SAMPLE_POSITION) =>
    join(datagramTracker?.reports(imei, [position], 1) ?? []);
  const decode = (bytes: Uint8Array) => datagram!.decodeDatagram(bytes, SESSION.receivedAt);
  const timesIn = (bytes: Uint8Array) =>
    decode(bytes).messages.flatMap(message => (message.kind === 'position' ? [message.time] : []));
  const [one, two] = [reports(IMEI, SAMPLE_POSITION), reports(IMEI, LATER)];
  const both = [SAMPLE_POSITION.time, LATER.time];

  it('[R4.03] are all read, for one tracker, and all answered', () => {
    const { messages, acknowledgement } = decode(join([one, two]));
    expect(timesIn(join([one, two]))).toEqual(both);
    expect(messages.filter(({ kind }) => kind === 'login')).toHaveLength(1);
    expect(messages.filter(({ kind }) => kind === 'error')).toEqual([]);
    const answers = [one, two].flatMap(each => [...(decode(each).acknowledgement ?? [])]);
    expect([...(acknowledgement ?? [])]).toEqual(answers);
  });

  it('[R4.03] are read with bytes between and after them', () => {
    const cut = two.subarray(0, two.length - 12);
    const blank = Uint8Array.of(0x0d, 0x0a);
    if (name !== 'teltonika') expect(timesIn(join([one, blank, two, blank]))).toEqual(both);
    if (TEXTS.includes(name)) expect(timesIn(join([blank, one]))).toEqual([SAMPLE_POSITION.time]);
    expect(timesIn(join([one, cut]))[0]).toBe(SAMPLE_POSITION.time);
  });

  it('[R4.03] are read of the first tracker only', () => {
    expect(timesIn(join([one, reports('352093081452269', LATER)]))).toEqual([SAMPLE_POSITION.time]);
  });
});

describe('Teltonika over UDP', () => {
  const { datagram, datagramTracker } = protocols.teltonika;
  const [packet] = datagramTracker?.reports(IMEI, [SAMPLE_POSITION], 1) ?? [];
  const times = (bytes: Uint8Array) =>
    datagram!
      .decodeDatagram(bytes, SESSION.receivedAt)
      .messages.flatMap(message => (message.kind === 'position' ? [message.time] : []));

  it.each([2, 20, 200])('[R4.03] a stated length %i bytes off loses no record that is whole', wrong => {
    const length = packet!.length - 2;
    for (const stated of [length - wrong, length + wrong].filter(value => value > 0)) {
      expect(times(packet!.with(0, stated >> 8).with(1, stated & 255))).toEqual([SAMPLE_POSITION.time]);
    }
    expect(times(packet!.subarray(0, packet!.length - wrong))).toEqual([]);
  });
});
