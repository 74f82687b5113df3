import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DayFigures } from './day-counter.ts';
import { daySegments } from './day-segments.ts';
import { doubtsOf } from './doubts.ts';
import type { Fix } from './fix.ts';
import { advanceMotion, type MotionState } from './motion.ts';
import { distanceMetres } from './sphere.ts';
import { driveArbitrary, fixAt, START } from './testing/drive.ts';

const at = (atS: number) => epochMs(START + atS * 1000);
const outline = (day: DayFigures) =>
  day.segments.map(({ kind, from, to }) => `${kind} ${(from - START) / 1000}–${(to - START) / 1000}`);
const every = (stepS: number, fromS: number, toS: number, make: (s: number) => Fix): Fix[] =>
  Array.from({ length: Math.floor((toS - fromS) / stepS) + 1 }, (_, i) => make(fromS + i * stepS));

/**
 * Parked; engine on at 100; drives 10 minutes at 50 km/h from 130; five minutes in a traffic jam; drives on; parks at
 * 1630.
 */
const MPS = 50 / 3.6;
const shortDay: Fix[] = [
  fixAt(0, 0, { ignition: false }),
  ...every(10, 100, 120, s => fixAt(s, 0)),
  ...every(10, 130, 730, s => fixAt(s, 50, { eastM: (s - 120) * MPS })),
  ...every(10, 740, 1040, s => fixAt(s, 0, { eastM: 610 * MPS })),
  ...every(10, 1050, 1620, s => fixAt(s, 60, { eastM: 610 * MPS + ((s - 1040) * 60) / 3.6 })),
  fixAt(1630, 0, { ignition: false, eastM: 610 * MPS + (580 * 60) / 3.6 }),
];

describe('a day', () => {
  it('is split into driving, idling and standing, with the distance, the stops and the top speed', () => {
    const day = daySegments(shortDay, at(0), at(3600));
    expect(outline(day)).toEqual([
      'stopped 0–130',
      'moving 130–740',
      'idling 740–1050',
      'moving 1050–1630',
      'stopped 1630–3600',
    ]);
    expect(day.moving).toBe(610 + 580);
    expect(day.idling).toBe(310);
    expect(day.stopped).toBe(130 + 1970);
    expect(day.stops).toBe(1);
    expect(day.maxSpeed).toBeCloseTo(60 / 3.6, 9);
    expect(day.distance).toBeCloseTo(610 * MPS + (580 * 60) / 3.6, -1);
    expect(day).toMatchObject({ gap: 0, fixes: shortDay.length, leftOut: 0 });
  });

  it('begins with a gap if nothing was known before, but not if an earlier fix shows how it began', () => {
    const later = shortDay.slice(1);
    expect(outline(daySegments(later, at(-600), at(100)))).toEqual(['gap -600–100']);
    expect(outline(daySegments(later, at(-600), at(130)))).toEqual(['gap -600–100', 'stopped 100–130']);
    expect(outline(daySegments(shortDay, at(60), at(130)))).toEqual(['stopped 60–130']);
  });

  it('shows a silence while driving as a gap, and the straight-line distance across it', () => {
    const drive = [
      fixAt(0, 50),
      fixAt(10, 50, { eastM: 140 }),
      fixAt(1810, 50, { eastM: 20_140 }),
      fixAt(1820, 50, { eastM: 20_280 }),
    ];
    const day = daySegments(drive, at(0), at(1830));
    expect(outline(day)).toEqual(['moving 0–10', 'gap 10–1810', 'moving 1810–1830']);
    expect(day.segments.map(({ distance }) => Math.round(distance / 10) * 10)).toEqual([140, 20_000, 140]);
  });

  it('ends in a gap once the last drive is older than the live status allows', () => {
    const drive = [fixAt(0, 50), fixAt(10, 50, { eastM: 140 })];
    expect(outline(daySegments(drive, at(0), at(610)))).toEqual(['moving 0–610']);
    expect(outline(daySegments(drive, at(0), at(611)))).toEqual(['moving 0–10', 'gap 10–611']);
  });

  it('lets a fix after the end settle what was undecided', () => {
    const halted = [fixAt(0, 50), fixAt(10, 50, { eastM: 140 }), fixAt(60, 0, { eastM: 200 })];
    expect(outline(daySegments(halted, at(0), at(120)))).toEqual(['moving 0–120']);
    const settled = [...halted, fixAt(300, 0, { eastM: 200 })];
    expect(outline(daySegments(settled, at(0), at(120)))).toEqual(['moving 0–60', 'idling 60–120']);
  });

  it('leaves out invalid and impossible fixes, counts them, and continues the drive past them', () => {
    const drive = every(10, 0, 100, s => fixAt(s, 50, { eastM: s * MPS }));
    const spoilt = [
      ...drive,
      fixAt(15, 50, { valid: false }),
      fixAt(25, 50, { eastM: 700_000 }),
      fixAt(35, 50, { doubts: ['null-island'] }),
      fixAt(45, 50, { doubts: ['impossible-time'] }),
    ];
    const [clean, day] = [daySegments(drive, at(0), at(110)), daySegments(spoilt, at(0), at(110))];
    expect(day).toEqual({ ...clean, leftOut: 4 });
  });

  it('has no distance and no stops while standing, however much the fixes scatter', () => {
    const scatter = every(10, 0, 3600, s => fixAt(s, 1, { ignition: false, eastM: (s % 30) - 10 }));
    expect(daySegments(scatter, at(0), at(3600))).toMatchObject({ distance: 0, stops: 0, stopped: 3600 });
  });

  it('is one gap without any fix, and empty if it has no length', () => {
    expect(outline(daySegments([], at(0), at(60)))).toEqual(['gap 0–60']);
    expect(daySegments(shortDay, at(60), at(60)).segments).toEqual([]);
  });
});

describe('for any drive', () => {
  const window = fc.tuple(fc.integer({ min: -5000, max: 200_000 }), fc.integer({ min: 0, max: 200_000 }));

  it('the segments cover the period exactly, alternate, and sum to the totals', () => {
    fc.assert(
      fc.property(driveArbitrary, window, (drive, [fromS, lengthS]) => {
        const day = daySegments(drive, at(fromS), at(fromS + lengthS));
        let end = at(fromS);
        for (const [i, segment] of day.segments.entries()) {
          expect(segment.from).toBe(end);
          expect(segment.to).toBeGreaterThan(segment.from);
          expect(segment.kind).not.toBe(day.segments[i - 1]?.kind);
          end = segment.to;
        }
        expect(end).toBe(at(fromS + lengthS));
        expect(day.moving + day.idling + day.stopped + day.gap).toBeCloseTo(lengthS, 6);
        const sum = day.segments.reduce((total, segment) => total + segment.distance, 0);
        expect(day.distance).toBeCloseTo(sum, 6);
        const inside = drive.filter(fix => fix.time >= at(fromS) && fix.time < at(fromS + lengthS)).length;
        expect(day.fixes + day.leftOut).toBe(inside);
      }),
    );
  });

  it('[I6] shuffled and repeated fixes give the same day', () => {
    const shuffled = driveArbitrary.chain(drive =>
      fc.tuple(fc.constant(drive), fc.shuffledSubarray([...drive, ...drive], { minLength: drive.length * 2 })),
    );
    fc.assert(
      fc.property(shuffled, ([drive, mixed]) => {
        expect(daySegments(mixed, at(0), at(50_000))).toEqual(daySegments(drive, at(0), at(50_000)));
      }),
    );
  });

  it('[I6] doubts from another order of arrival change nothing', () => {
    fc.assert(
      fc.property(driveArbitrary, fc.infiniteStream(fc.boolean()), (drive, coins) => {
        const marked = drive.map(fix => {
          return coins.next().value ? { ...fix, doubts: ['impossible-speed'] as const } : fix;
        });
        expect(daySegments(marked, at(0), at(50_000))).toEqual(daySegments(drive, at(0), at(50_000)));
      }),
    );
  });

  it('the last segment matches the live detector at the same moment', () => {
    fc.assert(
      fc.property(driveArbitrary, drive => {
        let live: MotionState | null = null;
        for (const [i, fix] of drive.entries()) {
          live = advanceMotion(live, { ...fix, doubts: doubtsOf(live?.place ?? null, fix, fix.time) });
          const day = daySegments(drive.slice(0, i + 1), at(0), epochMs(fix.time + 1));
          const last = day.segments.at(-1);
          expect(last?.kind).toBe(live.motion ?? 'gap');
          if (live.since !== null) expect(last?.from).toBe(Math.max(live.since, at(0)));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('two halves add up to the whole, except for what the first could not know yet', () => {
    fc.assert(
      fc.property(driveArbitrary, fc.integer({ min: 1, max: 50_000 }), (drive, cutS) => {
        const whole = daySegments(drive, at(0), at(60_000));
        const [first, second] = [daySegments(drive, at(0), at(cutS)), daySegments(drive, at(cutS), at(60_000))];
        for (const total of ['moving', 'idling', 'stopped', 'gap'] as const) {
          // The undecided end of the first half is treated like the middle of the whole, because later fixes are given,
          // too.
          const halves = first[total] + second[total];
          if (drive.at(-1)!.time >= at(cutS)) expect(halves).toBeCloseTo(whole[total], 6);
        }
        expect(first.fixes + second.fixes).toBe(whole.fixes);
      }),
    );
  });

  it('the same drive at another hour gives the same day at that hour', () => {
    fc.assert(
      fc.property(driveArbitrary, fc.integer({ min: -1e9, max: 1e9 }), (drive, shiftS) => {
        const moved = drive.map(fix => ({ ...fix, time: epochMs(fix.time + shiftS * 1000) }));
        const [here, there] = [
          daySegments(drive, at(0), at(50_000)),
          daySegments(moved, at(shiftS), at(shiftS + 50_000)),
        ];
        expect(there.segments.map(({ kind, from, distance }) => [kind, from - shiftS * 1000, distance])).toEqual(
          here.segments.map(({ kind, from, distance }) => [kind, from, distance]),
        );
      }),
    );
  });

  it('the distance is never longer than all legs between reliable fixes', () => {
    fc.assert(
      fc.property(driveArbitrary, drive => {
        const clean = drive.filter(fix => daySegments([fix], fix.time, epochMs(fix.time + 1)).fixes === 1);
        const legs = clean.slice(1).map((fix, i) => distanceMetres(clean[i]!, fix));
        const all = legs.reduce((sum, leg) => sum + leg, 0);
        const day = daySegments(clean, at(0), at(300_000));
        // Each segment is rounded to whole millimeters.
        expect(day.distance).toBeLessThanOrEqual(all + 0.0005 * day.segments.length + 1e-6);
      }),
    );
  });
});
