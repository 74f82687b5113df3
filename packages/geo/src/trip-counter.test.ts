import { epochMs, metres, percent } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daySegments } from './day-segments.ts';
import { driveArbitrary, fixAt, START } from './testing/drive.ts';
import { type TripCount, TripCounter, type TripFix } from './trip-counter.ts';
import { joinParts, type LegPart, meanSpeed, odometerDistance } from './trips.ts';

const at = (atS: number) => epochMs(START + atS * 1000);
const MPS = 50 / 3.6;
const withMore = (fix: ReturnType<typeof fixAt>, eastM: number, more: Partial<TripFix> = {}): TripFix => ({
  ...fix,
  odometer: metres(500_000 + Math.round(eastM)),
  fuel: percent(80 - eastM / 10_000),
  card: null,
  ...more,
});
const tripFix = (atS: number, kmh: number, eastM: number, ignition = true, card: string | null = null) =>
  withMore(fixAt(atS, kmh, { eastM, ignition }), eastM, { card });
const every = (stepS: number, fromS: number, toS: number, make: (s: number) => TripFix): TripFix[] =>
  Array.from({ length: Math.floor((toS - fromS) / stepS) + 1 }, (_, i) => make(fromS + i * stepS));
const countAll = (fixes: readonly TripFix[], fromS: number, toS: number) => {
  const counter = new TripCounter(at(fromS), at(toS));
  for (const fix of fixes) counter.add(fix);
  return counter;
};
const outline = (parts: readonly LegPart[]) =>
  parts.map(({ kind, from, to }) => `${kind} ${(from - START) / 1000}–${(to - START) / 1000}`);

const sum = (parts: readonly LegPart[], of: (part: LegPart) => number): number =>
  parts.reduce((total, part) => total + of(part), 0);

/** What the parts add up to, as the figures of a day have it. */
const sumsOf = (parts: readonly LegPart[]) => ({
  distance: sum(parts, ({ millimetres }) => millimetres) / 1000,
  moving: sum(parts, ({ movingMs }) => movingMs) / 1000,
  idling: sum(parts, ({ idlingMs }) => idlingMs) / 1000,
  stopped: sum(parts, ({ stoppedMs }) => stoppedMs) / 1000,
  fixes: sum(parts, ({ fixes }) => fixes),
  maxSpeed: parts.reduce<number | null>(
    (max, { maxSpeed }) => (maxSpeed === null ? max : Math.max(max ?? 0, maxSpeed)),
    null,
  ),
});

/** Parked; drives from 130; a traffic jam with the engine on; drives on; idles at the customer's before it parks. */
const delivery: TripFix[] = [
  tripFix(0, 0, 0, false),
  ...every(10, 100, 120, s => tripFix(s, 0, 0)),
  ...every(10, 130, 730, s => tripFix(s, 50, (s - 120) * MPS, true, 'A1')),
  ...every(10, 740, 1040, s => tripFix(s, 0, 610 * MPS)),
  ...every(10, 1050, 1650, s => tripFix(s, 50, (610 + s - 1040) * MPS, true, 'B2')),
  ...every(10, 1660, 2200, s => tripFix(s, 0, 1220 * MPS)),
  tripFix(2210, 0, 1220 * MPS, false),
];

describe('trips', () => {
  it('go from leaving to the engine turned off, idling on the way included', () => {
    const { parts, day } = countAll(delivery, 0, 3600).figures();
    expect(outline(parts)).toEqual(['stop 0–130', 'trip 130–2210', 'stop 2210–3600']);
    const trip = parts[1] as LegPart;
    expect(trip.movingMs).toBe(day.moving * 1000);
    expect(trip.idlingMs).toBe(day.idling * 1000);
    // From where it stood to the fix that showed that it had stopped.
    expect(trip.start?.time).toBe(at(120));
    expect(trip.end?.time).toBe(at(2210));
    expect(odometerDistance(trip)).toBe(Math.round(1220 * MPS));
    expect(trip.fuel).toEqual({ first: 80, last: 80 - (1220 * MPS) / 10_000 });
    expect(trip.cards).toEqual(['A1', 'B2']);
    expect(trip.maxSpeed).toBeCloseTo(MPS, 9);
    expect(meanSpeed(trip)).toBeCloseTo(day.distance / day.moving, 9);
  });

  it('end where the vehicle falls silent; the silence is a leg of its own, with the straight way across it', () => {
    const fixes = [
      ...every(10, 0, 600, s => tripFix(s, 50, s * MPS)),
      ...every(10, 3000, 3600, s => tripFix(s, 50, s * MPS)),
    ];
    const { parts } = countAll(fixes, 0, 3601).figures();
    expect(outline(parts)).toEqual(['trip 0–600', 'gap 600–3000', 'trip 3000–3601']);
    expect(parts[1]?.millimetres).toBeGreaterThan(0);
    // The last fix before the silence is the trip's.
    expect(parts[0]?.end?.time).toBe(at(600));
  });

  it('are whole over midnight, and idling at midnight belongs to what was before it', () => {
    const cut = 1800;
    const [first, second] = [countAll(delivery, 0, cut).figures().parts, countAll(delivery, cut, 3600).figures().parts];
    expect(outline(second)).toEqual(['idling 1800–2210', 'stop 2210–3600']);
    const legs = joinParts([...first, ...second]);
    expect(outline(legs)).toEqual(['stop 0–130', 'trip 130–2210', 'stop 2210–3600']);
    expect(outline(joinParts(second))).toEqual(['stop 1800–3600']);
    // Engine hours before it leaves are the stop's.
    expect(outline(joinParts(countAll(delivery, 110, 130).figures().parts))).toEqual(['stop 110–130']);
  });

  it('have no distance by an odometer that was set back', () => {
    const { parts } = countAll(delivery, 0, 3600).figures();
    expect(odometerDistance({ ...(parts[1] as LegPart), odometer: { first: metres(5), last: metres(4) } })).toBeNull();
  });
});

describe('for any drive', () => {
  const cards = fc.infiniteStream(fc.constantFrom(null, 'A1', 'B2'));
  const drive = fc.tuple(driveArbitrary, cards).map(([fixes, stream]) => {
    return fixes.map(
      (fix, i): TripFix => ({
        ...withMore(fix, i * 1000),
        card: stream.next().value ?? null,
      }),
    );
  });
  const window = fc.tuple(fc.integer({ min: -500, max: 5000 }), fc.integer({ min: 1, max: 100_000 }));

  it('[I6] the parts cover the day and add up to its figures exactly', () => {
    fc.assert(
      fc.property(drive, window, (fixes, [fromS, lengthS]) => {
        const { parts, day } = countAll(fixes, fromS, fromS + lengthS).figures();
        expect(day).toEqual(daySegments(fixes, at(fromS), at(fromS + lengthS)));
        const { distance, moving, idling, stopped, fixes: count, maxSpeed } = day;
        expect(sumsOf(parts)).toEqual({ distance, moving, idling, stopped, fixes: count, maxSpeed });
        let end: number = at(fromS);
        for (const [i, part] of parts.entries()) {
          expect(part.from).toBe(end);
          expect(part.kind).not.toBe(parts[i - 1]?.kind);
          end = part.to;
        }
        expect(end).toBe(at(fromS + lengthS));
        const stops = parts.filter(({ kind, stoppedMs }, i) => {
          const before = parts.slice(0, i).findLast(part => part.kind === 'trip' || part.stoppedMs > 0);
          return kind === 'stop' && stoppedMs > 0 && before?.kind === 'trip';
        });
        expect(stops).toHaveLength(day.stops);
      }),
    );
  });

  it('[I6] stored as JSON after any fix and continued, they are exactly those of all fixes at once', () => {
    fc.assert(
      fc.property(drive, window, fc.infiniteStream(fc.boolean()), (fixes, [fromS, lengthS], coins) => {
        const whole = countAll(fixes, fromS, fromS + lengthS).figures();
        let counter = new TripCounter(at(fromS), at(fromS + lengthS));
        for (const fix of fixes) {
          counter.add(fix);
          if (coins.next().value) {
            const count: TripCount = JSON.parse(JSON.stringify(counter.count()));
            counter = new TripCounter(at(fromS), at(fromS + lengthS), count);
          }
        }
        expect(counter.figures()).toEqual(whole);
      }),
    );
  });

  it('every leg lies between its fixes, and parts of two days make up legs that alternate', () => {
    fc.assert(
      fc.property(drive, fc.integer({ min: 1, max: 50_000 }), (fixes, cutS) => {
        const parts = [...countAll(fixes, 0, cutS).figures().parts, ...countAll(fixes, cutS, 100_000).figures().parts];
        const legs = joinParts(parts);
        expect(sumsOf(legs)).toEqual(sumsOf(parts));
        for (const [i, leg] of legs.entries()) {
          expect(leg.kind).not.toBe(legs[i - 1]?.kind);
          if (leg.start && leg.end) expect(leg.start.time).toBeLessThanOrEqual(leg.end.time);
        }
      }),
    );
  });
});
