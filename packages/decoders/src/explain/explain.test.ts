import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SESSION } from '../fuzz-checks.ts';
import { damage, randomBytes, randomFrom, SAMPLE_POSITION } from '../fuzz-inputs.ts';
import { explainFrame, type FramePart, PROTOCOL_NAMES, type ProtocolName, protocols } from '../index.ts';
import * as osmandEncode from '../osmand/encode.ts';
import type { Registration } from '../registration.ts';
import * as teltonikaEncode from '../teltonika/encode.ts';
import { PARAMETERS } from '../testing/command-parameters.ts';
import { framesOf, join } from '../testing/stream.ts';

const IMEI = '352093081452251';
const SECOND = { ...SAMPLE_POSITION, event: 'sos' } as const;
const utf8 = new TextEncoder();

/** Checks that the parts are contiguous, from the first byte to the last, on both levels. */
function checkCover(parts: readonly FramePart[], from: number, to: number): void {
  let at = from;
  for (const part of parts) {
    if (part.from !== at || part.to <= part.from) throw new Error(`${part.name}: ${part.from}–${part.to} after ${at}`);
    if (part.parts) checkCover(part.parts, part.from, part.to);
    at = part.to;
  }
  if (at !== to) throw new Error(`ends at ${at} of ${to}`);
}

const flat = (parts: readonly FramePart[]): FramePart[] =>
  parts.flatMap(part => (part.parts ? flat(part.parts) : [part]));

/** Frames from our encoders: a tracker's reports, and its answers to each command. */
function framesFor(name: ProtocolName): Uint8Array[] {
  const { tracker, datagramTracker, stream, datagram, commands } = protocols[name];
  if (name === 'osmand') return [utf8.encode(osmandEncode.encodeQuery(IMEI, SAMPLE_POSITION))];
  const frames: Uint8Array[] = [];
  for (const side of [tracker, datagramTracker]) {
    if (!side) continue;
    for (const frame of [
      side.greeting(IMEI),
      ...side.reports(IMEI, [SAMPLE_POSITION], 1),
      ...side.reports(IMEI, [SAMPLE_POSITION, SECOND], 2),
      side.heartbeat(IMEI, 4),
    ]) {
      if (frame) frames.push(frame);
    }
    const encode = side === tracker ? stream?.encodeCommand : datagram?.encodeCommand;
    for (const { text } of commands) {
      const heard = encode && side.hear?.(IMEI, encode(text(PARAMETERS) ?? '', 7, IMEI));
      const reply = heard?.status === 'command' ? heard.command.reply(true, SAMPLE_POSITION) : null;
      if (reply) frames.push(reply);
    }
  }
  if (name === 'teltonika') {
    frames.push(
      teltonikaEncode.encodePacket([SAMPLE_POSITION], 'codec8'),
      teltonikaEncode.encodePacket([SAMPLE_POSITION], 'codec16'),
    );
  }
  return frames;
}

const SAMPLES = new URL('../../../../samples/', import.meta.url);

/** The recordings in the repository. */
function recordedFrames(name: ProtocolName): Uint8Array[] {
  const { stream } = protocols[name];
  const lines = readFileSync(new URL(`${name}.jsonl`, SAMPLES), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const pieces = lines.map(line => {
    const { hex, text } = JSON.parse(line) as { hex?: string; text?: string };
    return hex === undefined ? utf8.encode(text ?? '') : Uint8Array.from(Buffer.from(hex, 'hex'));
  });
  return stream ? framesOf(stream, join(pieces), 10_000).frames : pieces;
}

describe.each(PROTOCOL_NAMES)('%s', name => {
  const frames = framesFor(name);

  it('explains every byte of a tracker’s frames, with no part unknown', () => {
    for (const frame of [...frames, ...recordedFrames(name)]) {
      const parts = explainFrame(name, frame);
      checkCover(parts, 0, frame.length);
      const riddles = flat(parts).filter(
        ({ name: what, value }) => what === 'not explained' || /^(cut short|wrong)/.test(value),
      );
      expect(riddles, Buffer.from(frame).toString('hex')).toEqual([]);
    }
  });

  it('shows the position that the decoder reads', () => {
    const { stream, datagram } = protocols[name];
    for (const frame of frames) {
      const decoded = stream?.decode(frame, SESSION) ?? datagram?.decodeDatagram(frame, SESSION.receivedAt);
      const positions = (decoded?.messages ?? []).filter(message => message.kind === 'position');
      const shown = (what: RegExp) =>
        flat(explainFrame(name, frame))
          .filter(part => what.test(part.name))
          .map(({ value }) => Math.abs(Number.parseFloat(value)));
      const [latitudes, longitudes] = [shown(/latitude/), shown(/longitude/)];
      for (const { lat, lon } of positions) {
        expect(
          latitudes.some(value => Math.abs(value - Math.abs(lat)) < 1e-5),
          `${lat} in ${latitudes}`,
        ).toBe(true);
        expect(
          longitudes.some(value => Math.abs(value - Math.abs(lon)) < 1e-5),
          `${lon} in ${longitudes}`,
        ).toBe(true);
      }
    }
  });

  it('[I3] covers frames that are cut off, repeated or have flipped bits, and those of other protocols', () => {
    const foreign = PROTOCOL_NAMES.flatMap(framesFor);
    for (const frame of foreign) checkCover(explainFrame(name, frame), 0, frame.length);
    fc.assert(
      fc.property(fc.integer(), seed => {
        const random = randomFrom(seed);
        for (const frame of frames) {
          const damaged = damage(random, frame);
          checkCover(explainFrame(name, damaged), 0, damaged.length);
        }
        const nonsense = randomBytes(random, 400);
        checkCover(explainFrame(name, nonsense), 0, nonsense.length);
      }),
      { numRuns: 100 },
    );
    for (const frame of frames.slice(0, 3)) {
      for (let cut = 0; cut < frame.length; cut++) checkCover(explainFrame(name, frame.subarray(0, cut)), 0, cut);
    }
  });

  it('[I3] is not slow on far more data than a frame', () => {
    // Processor time, which a busy machine does not stretch.
    const began = process.cpuUsage();
    for (const frame of frames.slice(0, 2)) {
      const many = join(Array.from({ length: Math.ceil(60_000 / frame.length) }, () => frame));
      checkCover(explainFrame(name, many), 0, many.length);
    }
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000);
  });
});

/** Recordings of real trackers; may be absent. Some have another name than the protocol. */
const FILES: Readonly<Partial<Record<ProtocolName, string>>> = { galileosky: 'galileo' };
const RECORDINGS = new URL('../../../../../shared/fixtures/frames/', import.meta.url);

describe.runIf(existsSync(RECORDINGS))('recorded frames', () => {
  it.each(PROTOCOL_NAMES)('of %s are covered, and a place that is shown is the one that is read', name => {
    const { stream, datagram, terminator } = protocols[name] as Registration;
    const { frames: recorded } = JSON.parse(
      readFileSync(new URL(`${FILES[name] ?? name}.json`, RECORDINGS), 'utf8'),
    ) as {
      frames: { hex?: string; text?: string }[];
    };
    for (const { hex, text = '' } of recorded) {
      const bare = hex === undefined ? utf8.encode(text) : Uint8Array.from(Buffer.from(hex, 'hex'));
      const isOpen = terminator !== undefined && stream?.nextFrame(bare).status === 'more';
      const frame = isOpen ? join([bare, utf8.encode(terminator)]) : bare;
      const parts = explainFrame(name, frame);
      checkCover(parts, 0, frame.length);
      const shown = flat(parts)
        .filter(part => part.name === 'latitude')
        .map(({ value }) => Math.abs(Number.parseFloat(value)));
      const decoded = [stream?.decode(frame, SESSION), datagram?.decodeDatagram(frame, SESSION.receivedAt)];
      for (const message of shown.length > 0 ? decoded.flatMap(each => each?.messages ?? []) : []) {
        if (message.kind !== 'position' || message.lat === 0) continue;
        expect(
          shown.some(value => Math.abs(value - Math.abs(message.lat)) < 1e-4),
          `${message.lat} in ${shown}`,
        ).toBe(true);
      }
    }
  });
});

describe('JSON', () => {
  const say = (text: string) => explainFrame('mqtt', utf8.encode(text)).map(({ name, value }) => [name, value]);

  it('names each value by its path', () => {
    expect(say('{"action":"positionReport","lat":41.9,"extras":{"a":[1,{"b":"x\\"y"},null]}, "é":"ü"}')).toEqual([
      ['action', 'positionReport'],
      ['lat', '41.9'],
      ['extras.a.0', '1'],
      ['extras.a.1.b', 'x\\"y'],
      ['extras.a.2', 'null'],
      ['??', 'ü'],
      ['end', ''],
    ]);
  });

  it('covers bytes that are not JSON, too', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', 'a', '1', '\\', ' ') }),
        text => {
          const bytes = utf8.encode(text);
          checkCover(explainFrame('mqtt', bytes), 0, bytes.length);
        },
      ),
    );
  });
});
