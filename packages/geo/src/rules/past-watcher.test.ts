import { celsius, degrees, epochMs, metres, metresPerSecond, percent, volts } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFence } from '../fences/area.ts';
import { DEFAULT_EDGE, FenceIndex } from '../fences/fence-index.ts';
import { normal, placeAt, random } from '../testing/drift.ts';
import type { Past, PastColumns } from './past.ts';
import { type Onlooker, PastWatcher } from './past-watcher.ts';
import type { RuleEvent, RuleFix, RuleTrigger, WatchedRule } from './rule.ts';
import { RuleFollower } from './rule-follower.ts';
import { nextMoment, weeklySchedule } from './schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday. */
const START = Date.UTC(2026, 10, 23);
const EVERY_DAY = new Set([1, 2, 3, 4, 5, 6, 7]);
const utc = () => 0;

const circle = (id: number, east: number, north: number, radius: number) => ({
  id,
  area: compileFence({ kind: 'circle', center: placeAt(east, north), radius: metres(radius) }),
  edge: DEFAULT_EDGE,
});
const FENCES = new FenceIndex([
  circle(1, 0, 0, 200),
  circle(2, 9000, 400, 150),
  circle(3, 4000, 0, 60),
  circle(4, 120_000, 0, 300),
]);

const TRIGGERS: readonly RuleTrigger[] = [
  { kind: 'enter' },
  { kind: 'cross' },
  { kind: 'exit', away: 7 * MINUTE },
  { kind: 'stay', longer: 30 * MINUTE },
  { kind: 'absent', next: after => nextMoment(after, EVERY_DAY, 9 * 60 + 7, utc) },
  { kind: 'speed', over: metresPerSecond(24), longer: 0 },
  { kind: 'speed', over: metresPerSecond(24), longer: 40_000 },
  {
    kind: 'limit',
    over: new Map([
      [1, metresPerSecond(8)],
      [3, metresPerSecond(12)],
      [4, metresPerSecond(20)],
    ]),
    longer: 0,
  },
  { kind: 'idle', longer: 5 * MINUTE },
  { kind: 'drive' },
  { kind: 'unidentified', cards: new Set(['A1']), isKnown: false, longer: 3 * MINUTE },
  { kind: 'tow' },
  { kind: 'ignition', to: true },
  { kind: 'ignition', to: false },
  { kind: 'temperature', min: celsius(0), max: celsius(8), longer: 10 * MINUTE },
  { kind: 'voltage', below: volts(11.5), longer: MINUTE },
  { kind: 'battery', below: percent(20), longer: 0 },
  { kind: 'fuel', lost: percent(8) },
  { kind: 'order', stops: [1, 2, 3] },
];

const night = weeklySchedule({ days: EVERY_DAY, from: 20 * 60, to: 6 * 60, isOutside: false }, utc);

/** One to three cases, each with some of all there is to ask for. */
function casesOf(seed: number): WatchedRule['conditions'] {
  const next = random(seed);
  const sometimes = <T>(one: T): T | null => (next() < 0.3 ? one : null);
  return Array.from({ length: 1 + Math.floor(next() * 3) }, () => ({
    drivers: sometimes({ cards: new Set(['B2']), isUsual: next() < 0.5 }),
    from: sometimes(metresPerSecond(6)),
    ignition: sometimes(next() < 0.7),
    when: sometimes(night),
    places: sometimes({ fences: new Set([2, 3]), is: next() < 0.5 ? ('inside' as const) : ('outside' as const) }),
    longer: next() < 0.5 ? 0 : Math.round(next() * 90) * MINUTE,
  }));
}

const ruleOf = (trigger: RuleTrigger, id: number, more: Partial<WatchedRule> = {}): WatchedRule => ({
  ...{
    id,
    version: 1,
    trigger,
    fences: null,
    where: null,
    when: null,
    conditions: null,
    repeat: 0,
    since: epochMs(START + HOUR),
  },
  ...(trigger.kind === 'absent' && { fences: new Set([2]) }),
  ...(trigger.kind === 'order' && { fences: new Set(trigger.stops) }),
  ...more,
});

const ways = fc.array(
  fc.record({
    what: fc.constantFrom('park', 'drive', 'drive', 'silence', 'jam'),
    minutes: fc.integer({ min: 1, max: 90 }),
    to: fc.constantFrom(0, 0, 4000, 8900, 9000, 190, 60_000, 45_000, -30_000),
    speed: fc.integer({ min: 3, max: 32 }),
    ignition: fc.constantFrom(true, false, null),
    says: fc.boolean(),
  }),
  { minLength: 3, maxLength: 10 },
);

/** A few days of a vehicle whose receiver jitters; it drives to places, waits there, and now and then says nothing. */
function storyOf(seed: number, legs: typeof ways extends fc.Arbitrary<infer Legs> ? Legs : never): RuleFix[] {
  const next = random(seed);
  const fixes: RuleFix[] = [];
  const sigma = 1 + next() * 15;
  let [time, east, fuel] = [START, next() < 0.5 ? 0 : 5000, 80];
  const report = (speed: number, ignition: boolean | null, says: boolean): void => {
    time += 10_000;
    const jump = next() < 1 / 300 ? 250 : 0;
    if (next() < 1 / 900) fuel -= 15;
    fixes.push({
      time: epochMs(time),
      ...placeAt(east + sigma * normal(next) + jump, sigma * normal(next)),
      speed: says ? metresPerSecond(Math.max(0, speed + (jump > 0 ? 20 : 0) + 0.2 * normal(next))) : null,
      ignition,
      accuracy: next() < 0.2 ? metres(40) : null,
      temperature: next() < 0.5 ? null : celsius(4 + 6 * Math.sin(time / HOUR)),
      fuel: next() < 0.7 ? null : percent(Math.max(0, fuel)),
      supply: volts(12.5 + Math.cos(time / HOUR)),
      battery: next() < 0.9 ? null : percent(Math.max(0, 60 - (time - START) / HOUR)),
      card: Math.floor(time / HOUR) % 3 === 0 ? null : Math.floor(time / HOUR) % 3 === 1 ? 'A1' : 'B2',
    });
  };
  for (const { ignition, minutes, says, speed, to, what } of legs) {
    if (what === 'silence') time += minutes * 4 * MINUTE;
    else if (what === 'drive') {
      while (Math.abs(to - east) > speed * 10) {
        east += Math.sign(to - east) * speed * 10;
        report(speed, ignition ?? true, says);
      }
      east = to;
    } else for (let i = 0; i < minutes * 6; i++) report(what === 'jam' && i % 9 < 2 ? 4 : 0, ignition, says);
  }
  return fixes;
}

/** Of a fix that says little. */
const storyless = {
  ...{ ignition: true, accuracy: null, temperature: null, fuel: null, supply: null, battery: null, card: null },
};

/** Cut at midnights, or more often; `read` hears which columns are looked at. */
function pastsOf(fixes: readonly RuleFix[], every: number, read: (past: number) => void = () => {}): Past[] {
  return [...Map.groupBy(fixes, ({ time }) => Math.floor(time / every)).values()].map((all, nth) => {
    const columns = new Map<string, unknown>();
    return {
      count: all.length,
      lastAt: all.at(-1)?.time ?? 0,
      box: {
        south: Math.min(...all.map(({ lat }) => lat)),
        west: Math.min(...all.map(({ lon }) => lon)),
        north: Math.max(...all.map(({ lat }) => lat)),
        east: Math.max(...all.map(({ lon }) => lon)),
      },
      column: name => {
        read(nth);
        const column = columns.get(name) ?? all.map(fix => fix[name as keyof RuleFix]);
        columns.set(name, column);
        return column as PastColumns[typeof name];
      },
      fix: i => {
        read(nth);
        return all[i] as RuleFix;
      },
      forget: () => {},
    };
  });
}

/** The first fix on the other side of some edge, as a naive onlooker sees it. */
function sides(): Onlooker & { readonly seen: number[] } {
  let known = '';
  const seen: number[] = [];
  return {
    seen,
    nextDue: () => null,
    take: fix => {
      const now = [1, 2, 3, 4].filter(id => (FENCES.get(id)?.area.signedDistance(fix) ?? 1) <= 0).join();
      if (now !== known) seen.push(fix.time);
      known = now;
    },
  };
}

function both(fences: FenceIndex, rules: readonly WatchedRule[], fixes: readonly RuleFix[], every = DAY) {
  const end = epochMs((fixes.at(-1)?.time ?? START) + DAY);
  const follower = new RuleFollower(fences, rules);
  const all = sides();
  const each: RuleEvent[] = fixes.flatMap(fix => {
    all.take(fix);
    return follower.take(fix);
  });
  each.push(...follower.passTime(end));
  const some = sides();
  let taken = 0;
  const watcher = new PastWatcher(fences, rules, {
    ...some,
    take: fix => {
      taken++;
      some.take(fix);
    },
  });
  const read = new Set<number>();
  const pasts = pastsOf(fixes, every, nth => read.add(nth));
  const found = pasts.flatMap(past => watcher.take(past));
  found.push(...watcher.passTime(end));
  return { each, found, taken, seen: [all.seen, some.seen], pasts: pasts.length, read };
}

describe('[R2.08] the past, without the fixes that change nothing', () => {
  const alertsTheSame = (numRuns: number): void =>
    fc.assert(
      fc.property(fc.integer(), ways, fc.integer({ min: 0, max: TRIGGERS.length }), (seed, legs, which) => {
        const more: Partial<WatchedRule> =
          seed % 3 === 0
            ? { when: night }
            : seed % 5 === 0
              ? { repeat: 50 * MINUTE }
              : seed % 7 < 3
                ? {
                    conditions: casesOf(seed),
                  }
                : {};
        const all = TRIGGERS.map((trigger, id) => {
          const where = !['enter', 'exit', 'cross', 'stay', 'absent', 'order'].includes(trigger.kind) && id % 2 === 0;
          return ruleOf(trigger, id, { ...more, ...(where && { where: 'outside', fences: new Set([1, 2]) }) });
        });
        const rules = which === TRIGGERS.length ? all : [all[which] as WatchedRule];
        const { each, found, seen } = both(FENCES, rules, storyOf(seed, legs), seed % 2 === 0 ? DAY : HOUR);
        expect(found).toEqual(each);
        // Of all geofences, if the rules are about them.
        if (which < 4 || which === TRIGGERS.length) expect(seen[1]).toEqual(seen[0]);
      }),
      { numRuns },
    );

  it('alerts the same as each fix in turn, of every trigger, alone and with all others', () => alertsTheSame(50));

  it('alerts the same in two thousand stories', { tags: ['long'], timeout: 300_000 }, () => alertsTheSame(2000));

  it('looks at few fixes of a vehicle that is parked, or far away', () => {
    const fixes = storyOf(7, [
      { what: 'park', minutes: 600, to: 0, speed: 0, ignition: false, says: true },
      { what: 'drive', minutes: 0, to: 60_000, speed: 25, ignition: true, says: true },
      { what: 'park', minutes: 600, to: 0, speed: 0, ignition: false, says: true },
    ]);
    const { each, found, taken } = both(FENCES, [ruleOf({ kind: 'exit', away: 0 }, 1)], fixes);
    expect(found).toEqual(each);
    expect(taken).toBeLessThan(fixes.length / 20);
    expect(
      both(new FenceIndex([]), [ruleOf({ kind: 'speed', over: metresPerSecond(40), longer: 0 }, 1)], fixes).taken,
    ).toBe(2);
  });

  it('doesn’t read days on which a vehicle is far from all geofences, or stands in one', () => {
    // Three days in the yard, four days 40 to 70 km away, three days in the yard again.
    const eastAt = (minute: number): number => {
      const day = minute / 1440;
      if (day < 3 || day > 7.2) return 0;
      if (day < 3.1 || day > 7.1) return 55_000 * Math.min(1, Math.min(day - 3, 7.2 - day) * 10);
      return 55_000 + 15_000 * Math.sin(minute / 50);
    };
    const fixes = Array.from({ length: 10 * 1440 }, (_, minute): RuleFix => {
      const speed = metresPerSecond(Math.abs(eastAt(minute + 1) - eastAt(minute)) / 60);
      const place = placeAt(eastAt(minute) + 10 * Math.sin(minute), 10 * Math.cos(minute));
      return { ...storyless, time: epochMs(START + minute * MINUTE), ...place, speed, ignition: speed > 0 };
    });
    const rules = [{ kind: 'cross' } as const, { kind: 'exit', away: 0 } as const].map((each, id) => ruleOf(each, id));
    const { each, found, read, seen } = both(FENCES, rules, fixes);
    expect(found).toEqual(each);
    expect(seen[1]).toEqual(seen[0]);
    expect(each.length).toBeGreaterThan(2);
    // Days 1 and 8 in the yard and 5 and 6 far away aren't; the last one tells how the time ends.
    expect([...read].toSorted((a, b) => a - b)).toEqual([0, 2, 3, 4, 7, 9]);
  });

  it('is the same across the 180th meridian and near a pole', () => {
    for (const [lat, lon] of [
      [0, 179.9995],
      [89.2, 20],
    ] as const) {
      const at = (meters: number) => ({
        lat: degrees(lat),
        lon: degrees(((lon + 540 + meters / (111_320 * Math.cos((lat * Math.PI) / 180))) % 360) - 180),
      });
      const fences = new FenceIndex([
        { id: 1, area: compileFence({ kind: 'circle', center: at(0), radius: metres(150) }), edge: DEFAULT_EDGE },
      ]);
      const fixes: RuleFix[] = Array.from({ length: 400 }, (_, i) => ({
        time: epochMs(START + 2 * HOUR + i * 10_000),
        ...at(2000 * Math.sin(i / 20)),
        speed: metresPerSecond(10),
        ...storyless,
      }));
      const { each, found } = both(fences, [ruleOf({ kind: 'cross' }, 1)], fixes);
      expect(each.length).toBeGreaterThan(5);
      expect(found).toEqual(each);
    }
  });
});
