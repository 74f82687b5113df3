import { describe, expect, it } from 'vitest';
import { GT06_SAMPLES, TELTONIKA_SAMPLES } from './fuzz-inputs.ts';
import { gt06, teltonika } from './index.ts';
import type { StreamProtocol } from './protocol.ts';
import { annotated } from './testing/annotated.ts';
import { framesOf, join } from './testing/stream.ts';

const TOPIN_FRAMES = [
  annotated('7878 0d 01 0352093081452251 34 0d0a | login'),
  annotated('7878 01 08 0d0a | heartbeat'),
  annotated('7878 12 10 1a0304050607 cb 047e3764 0966d308 30 1c5a 0d0a | fix'),
  annotated('7878 01 69 260304050607 8089174498b4 5c 01 0136 04 81fe 066d 5a 0d0a | station and tower'),
  annotated('7878 00 17 260304050607 02 0136 04 81fe 066d 5a 81ff 066e 64 0d0a | towers'),
];

const CASES: readonly [string, StreamProtocol, readonly Uint8Array[]][] = [
  ['teltonika', teltonika, TELTONIKA_SAMPLES],
  ['gt06', gt06, GT06_SAMPLES],
  ['gt06’s relative', gt06, TOPIN_FRAMES],
  ['gt06 and its relative', gt06, GT06_SAMPLES.flatMap((frame, i) => [frame, TOPIN_FRAMES[i] ?? frame])],
];

describe.each(CASES)('framing of %s', (_, protocol, samples) => {
  it('finds each whole frame', () => {
    for (const sample of samples) expect(protocol.nextFrame(sample)).toEqual({ status: 'frame', end: sample.length });
  });

  it('waits for the rest, wherever a frame is cut off', () => {
    for (const sample of samples) {
      for (let cut = 0; cut < sample.length; cut++) {
        expect(protocol.nextFrame(sample.subarray(0, cut)), `${cut} of ${sample.length}`).toEqual({ status: 'more' });
      }
    }
  });

  it('finds the same frames however the bytes arrive', () => {
    const stream = join(samples);
    for (const size of [1, 2, 3, 7, 16, 64, stream.length]) {
      expect(framesOf(protocol, stream, size), `${size} at a time`).toEqual({ frames: samples, garbage: 0 });
    }
  });

  it('finds the frames after garbage', () => {
    const garbage = Uint8Array.of(1, 2, 3, 0x41, 0x0d, 0x0a, 0x99);
    const stream = join(samples.flatMap(sample => [garbage, sample]));
    const found = framesOf(protocol, stream, 5);
    expect(found.frames).toEqual(samples);
    expect(found.garbage).toBe(garbage.length * samples.length);
  });

  it('does not wait for a frame longer than the limit', () => {
    const endless = protocol === teltonika ? annotated('00000000 7fffffff 08') : annotated('7979 ffff 94');
    expect(protocol.nextFrame(endless).status).toBe('garbage');
  });
});

describe('a frame without its end marker', () => {
  it('is lost, but not the next one', () => {
    const [, location, heartbeat] = GT06_SAMPLES;
    const broken = location!.with(location!.length - 1, 0x55);
    const { frames } = framesOf(gt06, join([broken, heartbeat!]), 11);
    expect(frames).toEqual([heartbeat]);
  });
});
