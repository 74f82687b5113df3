import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecentFrames, FRAME_LIMITS } from './recent-frames.ts';

const frame = (seed: number, length: number) => ({
  bytes: Uint8Array.from({ length }, (_, i) => (seed * 31 + i) & 255),
  over: 'tcp' as const,
});

it('keeps the newest frames of each vehicle, newest first, and nothing of another', () => {
  const frames = createRecentFrames();
  for (let i = 0; i < 80; i++) frames.keep(1, frame(i, 70), 'teltonika', 1000 + i);
  frames.keep(2, { bytes: Uint8Array.of(1, 2), over: 'mqtt' }, 'mqtt', 5);
  const kept = frames.of(1);
  expect(kept).toHaveLength(FRAME_LIMITS.frames);
  expect(kept[0]).toEqual({ ...frame(79, 70), protocol: 'teltonika', receivedAt: 1079, length: 70 });
  expect(kept.map(({ receivedAt }) => receivedAt)).toEqual(kept.map((_, i) => 1079 - i));
  expect(frames.of(2)).toEqual([
    { bytes: Uint8Array.of(1, 2), over: 'mqtt', protocol: 'mqtt', receivedAt: 5, length: 2 },
  ]);
  frames.forget(1);
  expect(frames.of(1)).toEqual([]);
});

it('keeps the beginning of a frame that is too long, and says how long it was', () => {
  const frames = createRecentFrames();
  frames.keep(1, frame(7, 9000), 'osmand', 1);
  const [kept] = frames.of(1);
  expect(kept?.length).toBe(9000);
  expect(kept?.bytes).toEqual(frame(7, 9000).bytes.subarray(0, FRAME_LIMITS.frameBytes));
});

it('stays within its bounds, and what it gives back is what came last', () => {
  const limits = { frames: 5, frameBytes: 200, firstBytes: 64, mostBytes: 512, allBytes: 1024 };
  const sent = fc.array(fc.tuple(fc.nat(3), fc.nat(300)), { maxLength: 120 });
  fc.assert(
    fc.property(sent, all => {
      const frames = createRecentFrames(limits);
      const told = new Map<number, { at: number; length: number }[]>();
      for (const [at, [vehicle, length]] of all.entries()) {
        frames.keep(vehicle, frame(at, length), 'gt06', at);
        told.set(vehicle, [{ at, length }, ...(told.get(vehicle) ?? [])]);
        const kept = frames.of(vehicle);
        expect(kept.length).toBeGreaterThan(0);
        expect(kept.length).toBeLessThanOrEqual(limits.frames);
        for (const [i, one] of kept.entries()) {
          const expected = told.get(vehicle)?.[i];
          expect([one.receivedAt, one.length]).toEqual([expected?.at, expected?.length]);
          expect(one.bytes).toEqual(frame(one.receivedAt, one.length).bytes.subarray(0, one.bytes.length));
          expect(one.bytes.length).toBeLessThanOrEqual(limits.frameBytes);
        }
      }
    }),
  );
});
