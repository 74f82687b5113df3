import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDatagram, checkStream, SESSION } from './fuzz-checks.ts';
import { damage, randomBytes, randomFrom, SAMPLE_POSITION } from './fuzz-inputs.ts';
import { PROTOCOL_NAMES, type ProtocolName, protocols } from './index.ts';
import type { TrackerSide } from './registration.ts';
import { PARAMETERS } from './testing/command-parameters.ts';
import { framesOf, join } from './testing/stream.ts';

/** Checks for every registered protocol; tests of a single protocol are in its folder. */

const IMEI = '352093081452251';
const SECOND = { ...SAMPLE_POSITION, event: 'sos', ignition: false } as const;

const present = (frame: Uint8Array | null): Uint8Array[] => (frame ? [frame] : []);
const samplesOf = (tracker: TrackerSide): Uint8Array[] => [
  ...present(tracker.greeting(IMEI)),
  ...tracker.reports(IMEI, [SAMPLE_POSITION, SECOND], 1),
  ...present(tracker.heartbeat(IMEI, 3)),
];

const streams = PROTOCOL_NAMES.flatMap(name => {
  const { stream, tracker } = protocols[name];
  return stream && tracker ? [{ name, stream, frames: samplesOf(tracker) }] : [];
});
const datagrams = PROTOCOL_NAMES.flatMap(name => {
  const { datagram, datagramTracker } = protocols[name];
  return datagram && datagramTracker ? [{ name, datagram, frames: samplesOf(datagramTracker) }] : [];
});

it('has a tracker side for every transport except HTTP', () => {
  for (const name of PROTOCOL_NAMES) {
    const { stream, tracker, datagram, datagramTracker, http } = protocols[name];
    expect([name, !stream, !datagram]).toEqual([name, !tracker, !datagramTracker]);
    expect(Boolean(stream ?? datagram ?? http), name).toBe(true);
  }
});

describe.each(streams)('$name over a stream', ({ stream, frames }) => {
  it('returns the positions in order', () => {
    const messages = frames.flatMap(frame => stream.decode(frame, SESSION).messages);
    const positions = messages.filter(message => message.kind === 'position');
    expect(messages.filter(message => message.kind === 'error')).toEqual([]);
    expect(positions).toHaveLength(2);
    for (const position of positions) {
      expect(position.time).toBe(SAMPLE_POSITION.time);
      expect(position.valid).toBe(true);
      expect(position.lat).toBeCloseTo(SAMPLE_POSITION.lat, 4);
      expect(position.lon).toBeCloseTo(SAMPLE_POSITION.lon, 4);
    }
  });

  it('finds the same frames however the bytes arrive', () => {
    for (const frame of frames) expect(stream.nextFrame(frame)).toEqual({ status: 'frame', end: frame.length });
    for (const size of [1, 2, 3, 7, 16, 64, 10_000]) {
      expect(framesOf(stream, join(frames), size), `${size} at a time`).toEqual({ frames, garbage: 0 });
    }
  });

  it('waits for the rest, wherever a frame is cut off', () => {
    for (const frame of frames) {
      for (let cut = 0; cut < frame.length; cut++) {
        expect(stream.nextFrame(frame.subarray(0, cut)), `${cut} of ${frame.length}`).toEqual({ status: 'more' });
      }
    }
  });

  it('[I3] survives frames that are cut off, repeated or have flipped bits', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        const random = randomFrom(seed);
        for (const frame of frames) checkStream(stream, damage(random, frame));
        checkStream(stream, randomBytes(random, 600));
      }),
      { numRuns: 300 },
    );
  });

  it('[I3] survives a frame start followed by far too much data', () => {
    const size = Math.max(60_000, stream.maxFrameBytes * 1.2);
    for (const frame of frames.slice(0, 2)) {
      const start = frame.slice(0, Math.max(1, Math.min(24, frame.length - 1)));
      checkStream(stream, join(Array.from({ length: Math.ceil(size / start.length) }, () => start)));
      checkStream(stream, new Uint8Array(size).fill(frame[0] ?? 0));
    }
  });

  it.each(['\r', '\n', '#', ']', ';', '$', '*', ')', ','])(
    '[I3] does not wait behind its longest frame, at which %j stands',
    ender => {
      for (const frame of frames.slice(0, 2)) {
        for (const start of [frame.slice(0, 1), frame.slice(0, 12), new TextEncoder().encode('0')]) {
          for (const length of [-2, -1, 0, 1].map(more => stream.maxFrameBytes + more)) {
            const rest = '0'.repeat(Math.max(0, length - start.length - 1));
            checkStream(stream, join([start, new TextEncoder().encode(`${rest}${ender}${'0'.repeat(100)}`)]));
          }
        }
      }
    },
  );

  it('decodes nothing from frames of other protocols', () => {
    for (const other of streams) {
      if (other.stream === stream) continue;
      for (const frame of framesOf(stream, join(other.frames), 10_000).frames) {
        const { messages } = stream.decode(frame, SESSION);
        const positions = messages.filter(message => message.kind === 'position');
        expect(positions, `of ${other.name}: ${JSON.stringify(messages)}`).toEqual([]);
      }
    }
  });
});

describe.each(datagrams)('$name over datagrams', ({ datagram, frames }) => {
  it('identifies the tracker first, then returns the positions in order', () => {
    const decoded = frames.map(frame => datagram.decodeDatagram(frame, SESSION.receivedAt).messages);
    for (const [who] of decoded) expect(who).toMatchObject({ kind: 'login', imei: IMEI });
    const positions = decoded.flat().filter(message => message.kind === 'position');
    expect(positions).toHaveLength(2);
    for (const position of positions) expect(position.lat).toBeCloseTo(SAMPLE_POSITION.lat, 4);
  });

  it('[I3] survives datagrams that are cut off, repeated or have flipped bits', () => {
    fc.assert(
      fc.property(fc.integer(), seed => {
        const random = randomFrom(seed);
        for (const frame of frames) checkDatagram(datagram, damage(random, frame));
        checkDatagram(datagram, randomBytes(random, 600));
      }),
      { numRuns: 300 },
    );
  });

  it('decodes nothing from messages of other protocols', () => {
    const foreign = [...streams, ...datagrams].filter(other => !isFamily(other.name));
    for (const frame of foreign.flatMap(other => other.frames)) {
      const { messages } = datagram.decodeDatagram(frame, SESSION.receivedAt);
      expect(messages.filter(message => message.kind === 'position')).toEqual([]);
    }
    function isFamily(name: ProtocolName): boolean {
      return protocols[name].datagram === datagram;
    }
  });
});

describe('commands', () => {
  const all = PROTOCOL_NAMES.flatMap(name => protocols[name].commands.map(command => ({ name, ...command })));
  it.each(all)('$name: $command gives a frame when its parameters are right', ({ name, parameters, text }) => {
    const { stream, datagram } = protocols[name];
    const words = text({ ...PARAMETERS });
    expect(words, parameters.join()).not.toBeNull();
    const encode = stream?.encodeCommand ?? datagram?.encodeCommand;
    expect(encode?.(words ?? '', 7, IMEI).length).toBeGreaterThan(0);
    for (const parameter of parameters) {
      if (!parameter.endsWith('?')) expect(text({ ...PARAMETERS, [parameter]: '\u0000,;#' }), parameter).toBeNull();
    }
  });
});
