import { degrees, epochMs, metres, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFence } from '../fences/area.ts';
import { DEFAULT_EDGE, FenceIndex } from '../fences/fence-index.ts';
import { FenceFollower } from '../fences/follower.ts';
import { destination } from '../sphere.ts';
import { NearFollower } from './near-follower.ts';
import type { RuleConditions, RuleFix, WatchedRule } from './rule.ts';
import { RuleFollower } from './rule-follower.ts';
import { type Schedule, weeklySchedule } from './schedule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** A Monday, 08:00 UTC. */
const START = Date.UTC(2026, 10, 23, 8);
const DEPOT = { lat: degrees(36.15), lon: degrees(-95.99) };
const [DEPOT_ID, YARD_ID] = [1, 2];
const north = (meters: number) => destination(DEPOT, degrees(0), metres(meters));

const circle = (id: number, center: typeof DEPOT, radius: number) => ({
  id,
  area: compileFence({ kind: 'circle', center, radius: metres(radius) }),
  edge: DEFAULT_EDGE,
});
// The yard is around the depot.
const FENCES = new FenceIndex([circle(DEPOT_ID, DEPOT, 200), circle(YARD_ID, DEPOT, 900)]);

const ANY: RuleConditions = { drivers: null, from: null, ignition: null, when: null, places: null, longer: 0 };
const at = (fence: number, is: 'inside' | 'outside') => ({ fences: new Set([fence]), is });

const rule = (trigger: WatchedRule['trigger'], cases: readonly Partial<RuleConditions>[]): WatchedRule => ({
  ...{ id: 1, version: 1, trigger, where: null, when: null, repeat: 0, since: epochMs(0) },
  fences: trigger.kind === 'stay' || trigger.kind === 'exit' ? new Set([DEPOT_ID]) : null,
  conditions: cases.map(one => ({ ...ANY, ...one })),
});

interface Step {
  readonly minutes: number;
  readonly speed: number;
  readonly ignition: boolean | null;
  readonly card: string | null;
}

/** To and fro through the depot, from its middle on. */
function drive(steps: readonly Step[]): RuleFix[] {
  const fixes: RuleFix[] = [];
  let [place, time] = [0, START];
  const nothing = { accuracy: null, temperature: null, fuel: null, supply: null, battery: null };
  for (const { card, ignition, minutes, speed } of steps) {
    for (let passed = 0; passed < minutes * 6; passed++) {
      const { lat, lon } = north(place);
      const fix = { time: epochMs(time), lat, lon, speed: metresPerSecond(Math.abs(speed)), ignition, card };
      fixes.push({ ...fix, ...nothing });
      place += speed * 10;
      time += 10 * SECOND;
    }
  }
  return fixes;
}

function alertsOf(watched: WatchedRule, fixes: readonly RuleFix[]): number[] {
  const follower = new RuleFollower(FENCES, [watched]);
  const events = fixes.flatMap(fix => follower.take(fix));
  return events.filter(({ what }) => what === 'alert').map(each => each.at);
}
const minutesOf = (moments: readonly number[]) => moments.map(moment => Math.round((moment - START) / MINUTE));

describe('[R2.08] conditions of a rule, of which one is enough', () => {
  const idle = { kind: 'idle', longer: 5 * MINUTE } as const;
  const standing = { speed: 0, ignition: true, card: null };
  const away: Step = { minutes: 5, speed: 10, ignition: true, card: null };

  it('can each demand another duration, in another place', () => {
    const watched = rule(idle, [
      { places: at(DEPOT_ID, 'inside'), longer: 30 * MINUTE },
      { places: at(DEPOT_ID, 'outside') },
    ]);
    expect(
      minutesOf(alertsOf(watched, drive([{ ...standing, minutes: 29 }, away, { ...standing, minutes: 4 }]))),
    ).toEqual([]);
    expect(
      minutesOf(alertsOf(watched, drive([{ ...standing, minutes: 40 }, away, { ...standing, minutes: 20 }]))),
    ).toEqual([30, 50]);
  });

  it('alert nobody if none of them can be true', () => {
    expect(alertsOf(rule(idle, []), drive([{ ...standing, minutes: 60 }]))).toEqual([]);
    expect(alertsOf({ ...rule(idle, []), conditions: null }, drive([{ ...standing, minutes: 60 }]))).toHaveLength(1);
  });

  it('are those at the crossing, of a vehicle that left, and demand how long it is away', () => {
    const watched = rule({ kind: 'exit', away: 0 }, [
      { drivers: { cards: new Set(['A1']), isUsual: false }, longer: 10 * MINUTE },
      { drivers: { cards: new Set(['B2']), isUsual: false } },
    ]);
    const left = (card: string, minutes: number) =>
      alertsOf(
        watched,
        drive([
          { ...standing, minutes: 5 },
          { ...away, card },
          { ...standing, minutes },
        ]),
      );
    expect(left('B2', 1)).toHaveLength(1);
    expect(left('A1', 1)).toEqual([]);
    expect((left('A1', 20)[0] ?? 0) - (left('B2', 1)[0] ?? 0)).toBe(10 * MINUTE);
    expect(left('C3', 20)).toEqual([]);
  });

  it('are about whoever is signed in, before any card or usual driver', () => {
    const signedIn = (isThem: boolean | null) => ({
      drivers: { cards: new Set(['A1']), isUsual: true, isSignedIn: () => isThem },
    });
    const idles = (isThem: boolean | null, card: string | null) =>
      alertsOf(rule(idle, [signedIn(isThem)]), drive([{ ...standing, minutes: 60, card }])).length;
    expect([idles(true, 'B2'), idles(true, null)]).toEqual([1, 1]);
    expect([idles(false, 'A1'), idles(false, null)]).toEqual([0, 0]);
    expect([idles(null, 'A1'), idles(null, 'B2'), idles(null, null)]).toEqual([1, 0, 1]);
    const unknown = { kind: 'unidentified', cards: new Set(['A1']), isKnown: false, longer: MINUTE } as const;
    const alone = (isSignedIn: boolean) =>
      alertsOf(rule({ ...unknown, isSignedIn: () => isSignedIn }, [{}]), drive([{ ...away, minutes: 30 }])).length;
    expect([alone(false), alone(true)]).toEqual([1, 0]);
  });

  it('decide about vehicles that come close, too, each when it has lasted long enough for it', () => {
    const near = { kind: 'near', meters: 100, others: new Set([7]), longer: 2 * MINUTE } as const;
    const cases = [{ ignition: false }, { ignition: true, longer: 8 * MINUTE }].map(one => ({ ...ANY, ...one }));
    const watched = { ...rule(near, []), trigger: near, conditions: cases };
    const own = drive([{ ...standing, minutes: 40 }]);
    const other = drive([away, { ...standing, speed: -10, minutes: 5 }, { ...standing, minutes: 30 }]).slice(18);
    const follower = new NearFollower([watched], FENCES, { through: epochMs(START), rules: {} });
    const tracks = { own, others: new Map([[7, other]]) };
    const [alert] = follower.take(tracks, epochMs(START + 38 * MINUTE)).filter(({ what }) => what === 'alert');
    expect((alert?.at ?? 0) - (alert?.began ?? 0)).toBe(8 * MINUTE);
  });

  const morning = weeklySchedule({ days: new Set([1]), from: 8 * 60 + 20, to: 8 * 60 + 50, isOutside: false }, () => 0);
  const someCase = fc.record({
    drivers: fc.constantFrom(
      null,
      null,
      { cards: new Set(['A1']), isUsual: false },
      { cards: new Set(['B2']), isUsual: true },
    ),
    from: fc.constantFrom(null, null, metresPerSecond(12)),
    ignition: fc.constantFrom(null, null, true, false),
    when: fc.constantFrom<Schedule | null>(null, null, morning),
    places: fc.constantFrom(
      null,
      at(DEPOT_ID, 'inside'),
      at(DEPOT_ID, 'outside'),
      at(YARD_ID, 'inside'),
      at(YARD_ID, 'outside'),
    ),
    longer: fc.integer({ min: 0, max: 20 }).map(minutes => minutes * MINUTE),
  });
  const cases = fc.array(someCase, { minLength: 1, maxLength: 3 });
  const journey = fc
    .array(
      fc.record({
        minutes: fc.integer({ min: 1, max: 25 }),
        speed: fc.constantFrom(0, 0, 4, -4, 10, -10, 15, -15),
        ignition: fc.constantFrom(true, true, false, null),
        card: fc.constantFrom(null, 'A1', 'B2'),
      }),
      { minLength: 2, maxLength: 8 },
    )
    .map(drive);

  /** In which geofences the vehicle is known to be after each fix. */
  function placesAfter(fixes: readonly RuleFix[]) {
    const follower = new FenceFollower(FENCES);
    return fixes.map(fix => {
      const crossed = follower.take(fix);
      return { crossed, inside: [DEPOT_ID, YARD_ID].filter(id => follower.entry(id) !== null) };
    });
  }

  /** All that can be asked for, word by word. */
  function isTrue(one: RuleConditions, { card, ignition, speed }: RuleFix, moment: number, inside: readonly number[]) {
    const asked = [
      one.ignition === null || one.ignition === ignition,
      one.from === null || (speed ?? -1) >= one.from,
      one.when === null || one.when.isWithin(epochMs(moment)),
      one.drivers === null || (card === null ? one.drivers.isUsual : one.drivers.cards.has(card)),
      one.places === null || inside.some(id => one.places?.fences.has(id)) === (one.places.is === 'inside'),
    ];
    return asked.every(Boolean);
  }

  it('alert of idling at the fixes at which a slow look at all of them finds one true', () => {
    fc.assert(
      fc.property(journey, cases, (fixes, asked) => {
        const places = placesAfter(fixes);
        const expected: number[] = [];
        let begun: { since: number; last: number; told: boolean } | null = null;
        for (const [nth, fix] of fixes.entries()) {
          const isIdle = fix.ignition === true && Number(fix.speed) < 1.5;
          const now = isIdle ? asked.filter(one => isTrue(one, fix, fix.time, places[nth]?.inside ?? [])) : [];
          if (begun && now.length === 0 && fix.time - begun.last > MINUTE) begun = null;
          if (now.length === 0) continue;
          begun ??= { since: fix.time, last: fix.time, told: false };
          begun.last = fix.time;
          const lasted = fix.time - begun.since;
          if (begun.told || lasted < 5 * MINUTE || now.every(({ longer }) => longer > lasted)) continue;
          begun.told = true;
          expected.push(fix.time);
        }
        expect(alertsOf(rule(idle, asked), fixes)).toEqual(expected);
      }),
    );
  });

  it('alert of a stay at the first of their moments at which one is true by the last fix', () => {
    fc.assert(
      fc.property(journey, cases, (fixes, asked) => {
        const longer = 6 * MINUTE;
        const places = placesAfter(fixes);
        const expected: number[] = [];
        const visits = places.flatMap(({ crossed }, nth) =>
          crossed.flatMap(({ entry, exit, fenceId, kind }) =>
            fenceId === DEPOT_ID && kind !== 'exit' ? [{ from: entry.at, nth, passed: exit }] : [],
          ),
        );
        for (const { from, nth, passed } of visits) {
          const exitNth = passed
            ? nth
            : places.findIndex(
                ({ crossed }, i) =>
                  i > nth && crossed.some(({ fenceId, kind }) => fenceId === DEPOT_ID && kind === 'exit'),
              );
          const exit = exitNth < 0 ? null : places[exitNth]?.crossed.find(({ fenceId }) => fenceId === DEPOT_ID)?.exit;
          const moments = [0, ...asked.map(one => one.longer)]
            .map((duration, i) => {
              const first = from + Math.max(longer, duration);
              const when = asked[i - 1]?.when;
              if (!when || when.isWithin(epochMs(first))) return first;
              for (let at = Math.ceil(first / MINUTE) * MINUTE; at < first + 8 * 1440 * MINUTE; at += MINUTE) {
                if (when.isWithin(epochMs(at))) return at;
              }
              return Infinity;
            })
            .toSorted((a, b) => a - b);
          for (const moment of moments) {
            if (exit && moment > exit.at) break;
            // It is judged by the last fix before it is settled, at the latest by the one before the exit was certain.
            const settled = fixes.findIndex(({ time }) => time >= moment + 2 * MINUTE);
            const atExit = exit && (settled < 0 || exitNth < settled);
            const judge = atExit ? exitNth : settled;
            if (judge <= 0) break;
            const fix = fixes[judge - 1] as RuleFix;
            const inside = places[atExit ? judge : judge - 1]?.inside ?? [];
            if (!asked.some(one => isTrue(one, fix, moment, inside) && moment - from >= one.longer)) continue;
            expected.push(moment);
            break;
          }
        }
        expect(alertsOf(rule({ kind: 'stay', longer }, asked), fixes)).toEqual(expected.toSorted((a, b) => a - b));
      }),
    );
  });
});
