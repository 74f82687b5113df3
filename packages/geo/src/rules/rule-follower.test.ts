import { celsius, degrees, epochMs, metres, metresPerSecond, percent, volts } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFence } from '../fences/area.ts';
import { DEFAULT_EDGE, FenceIndex } from '../fences/fence-index.ts';
import { FenceFollower } from '../fences/follower.ts';
import { destination } from '../sphere.ts';
import type { RuleEvent, RuleFix, WatchedRule } from './rule.ts';
import { RuleFollower } from './rule-follower.ts';
import { NO_RULES_FOLLOWED, type RulesState } from './rule-state.ts';
import { nextMoment, weeklySchedule } from './schedule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** A Monday, 08:00 UTC. */
const START = Date.UTC(2026, 10, 23, 8);
const DEPOT = { lat: 36.15, lon: -95.99 };
const YARD = { lat: 36.18, lon: -95.99 };
const EVERY_DAY = new Set([1, 2, 3, 4, 5, 6, 7]);
const utc = () => 0;

const circle = (id: number, { lat, lon }: typeof DEPOT) => ({
  id,
  area: compileFence({ kind: 'circle', center: { lat: degrees(lat), lon: degrees(lon) }, radius: metres(200) }),
  edge: DEFAULT_EDGE,
});
const FENCES = new FenceIndex([circle(1, DEPOT), circle(2, YARD)]);

const rule = (trigger: WatchedRule['trigger'], more: Partial<WatchedRule> = {}): WatchedRule => ({
  id: 1,
  version: 1,
  trigger,
  fences: new Set([1]),
  where: null,
  when: null,
  conditions: null,
  repeat: 0,
  since: epochMs(0),
  ...more,
});

const NOT_MEASURED = { temperature: null, fuel: null, supply: null, battery: null, card: null };

interface Step {
  readonly seconds: number;
  readonly speed: number;
  readonly ignition?: boolean;
  readonly temperature?: RuleFix['temperature'];
  readonly fuel?: RuleFix['fuel'];
  readonly supply?: RuleFix['supply'];
  readonly battery?: RuleFix['battery'];
}

/** Drives along a meridian through the depot and the yard, from 1 km south of the depot; negative speeds go back. */
function drive(steps: readonly Step[], every = 10): RuleFix[] {
  const fixes: RuleFix[] = [];
  let north = -1000;
  let time = START;
  for (const { seconds, speed, ignition = true, ...measured } of steps) {
    for (let passed = 0; passed < seconds; passed += every) {
      const { lat, lon } = destination({ lat: degrees(DEPOT.lat), lon: degrees(DEPOT.lon) }, degrees(0), metres(north));
      const at = { time: epochMs(time), lat, lon, accuracy: null };
      fixes.push({ ...at, ...NOT_MEASURED, ...measured, ignition, speed: metresPerSecond(Math.abs(speed)) });
      north += speed * every;
      time += every * SECOND;
    }
  }
  return fixes;
}

const run = (rules: readonly WatchedRule[], fixes: readonly RuleFix[]): RuleEvent[] => {
  const follower = new RuleFollower(FENCES, rules);
  return fixes.flatMap(fix => follower.take(fix));
};

const alerts = (events: readonly RuleEvent[]) => events.filter(({ what }) => what === 'alert');
const minutesAfterStart = (at: number) => (at - START) / MINUTE;

/** To the depot within 80 s, an hour there, and away. */
const VISIT: readonly Step[] = [
  { seconds: 100, speed: 10 },
  { seconds: 3600, speed: 0, ignition: false },
  { seconds: 300, speed: 10 },
];

describe('rules about geofences', () => {
  it('[R7.37] alerts when a vehicle comes in, and again only after it was away', () => {
    const events = run([rule({ kind: 'enter' })], drive([...VISIT, { seconds: 300, speed: -10 }]));
    expect(events.map(({ what }) => what)).toEqual(['alert', 'ended', 'alert']);
    expect(events[0]).toMatchObject({ fenceId: 1 });
    // 800 m to the edge at 10 m/s.
    expect((events[0]?.at ?? 0) - START).toBeCloseTo(80 * SECOND, -3);
  });

  it('says nothing of a vehicle that was there from the first fix', () => {
    const inside = drive(VISIT).slice(10, 200);
    expect(run([rule({ kind: 'enter' })], inside)).toEqual([]);
    expect(alerts(run([rule({ kind: 'stay', longer: 10 * MINUTE })], inside))).toHaveLength(1);
  });

  it('alerts once of a stay that is too long, at the moment when it is, though the tracker sleeps', () => {
    const stay = rule({ kind: 'stay', longer: 40 * MINUTE });
    const [entered] = run([rule({ kind: 'enter' })], drive(VISIT));
    const all = run([stay], drive(VISIT));
    expect(all.map(({ what }) => what)).toEqual(['alert', 'ended']);
    expect(all[0]?.at).toBe((entered?.at ?? 0) + 40 * MINUTE);
    const asleep = drive(VISIT).filter(({ time }) => time < START + 10 * MINUTE || time > START + 61 * MINUTE);
    expect(alerts(run([stay], asleep)).map(({ at }) => at)).toEqual([all[0]?.at]);
  });

  it('alerts when a vehicle stays away, not when it is back in time', () => {
    const exit = rule({ kind: 'exit', away: 5 * MINUTE });
    const back = [...VISIT.slice(0, 2), { seconds: 100, speed: 10 }, { seconds: 100, speed: -10 }];
    expect(run([exit], drive([...back, { seconds: 900, speed: 0 }]))).toEqual([]);
    const [away] = run([exit], drive([...VISIT, { seconds: 900, speed: 0 }]));
    expect(away).toMatchObject({ what: 'alert', fenceId: 1 });
    expect((away?.at ?? 0) - (away?.began ?? 0)).toBe(5 * MINUTE);
  });

  it('alerts of a vehicle that is not there at the moment it should be', () => {
    const at = (minute: number) =>
      rule({ kind: 'absent', next: after => nextMoment(after, EVERY_DAY, minute, utc) }, { fences: new Set([1, 2]) });
    const fixes = drive([...VISIT, { seconds: 3600, speed: 0 }]);
    expect(alerts(run([at(8 * 60 + 30)], fixes))).toEqual([]);
    const [absent] = alerts(run([at(8 * 60 + 1)], fixes));
    expect(absent).toMatchObject({ fenceId: null });
    expect(minutesAfterStart(absent?.at ?? 0)).toBe(1);
    expect(alerts(run([at(9 * 60 + 4)], fixes))).toHaveLength(1);
  });

  it('alerts once of a moment at which the vehicle was just coming', () => {
    const late = rule({ kind: 'absent', next: after => nextMoment(after, EVERY_DAY, 8 * 60 + 1, utc) });
    expect(run([late], drive(VISIT)).map(({ what }) => what)).toEqual(['alert', 'ended']);
  });

  it('counts only at the times of its schedule; what lasts into them alerts when they begin', () => {
    const at = (from: number, to: number, isOutside = false) =>
      weeklySchedule({ days: EVERY_DAY, from: from * 60, to: to * 60, isOutside }, utc);
    const enter = (from: number, to: number, isOutside?: boolean) =>
      alerts(run([rule({ kind: 'enter' }, { when: at(from, to, isOutside) })], drive(VISIT))).length;
    expect([enter(8, 9), enter(22, 5), enter(22, 5, true), enter(20, 9)]).toEqual([1, 0, 1, 1]);
    const stay = rule({ kind: 'stay', longer: 10 * MINUTE }, { when: at(8.5, 12) });
    expect(alerts(run([stay], drive(VISIT))).map(each => minutesAfterStart(each.at))).toEqual([30]);
  });
});

describe('rules about driving', () => {
  const anywhere = { fences: null };

  it('alerts of speed that lasts, with the highest, and not again after a hill', () => {
    const fast = rule({ kind: 'speed', over: metresPerSecond(30), longer: 30 * SECOND }, anywhere);
    const steps = [
      { seconds: 100, speed: 20 },
      { seconds: 20, speed: 33 },
      { seconds: 200, speed: 20 },
      { seconds: 60, speed: 33 },
      { seconds: 40, speed: 29 },
      { seconds: 60, speed: 36 },
      { seconds: 300, speed: 20 },
    ];
    const events = run([fast], drive(steps));
    expect(events.map(({ what }) => what)).toEqual(['alert', 'ended']);
    expect(minutesAfterStart(events[0]?.at ?? 0)).toBe(350 / 60);
    expect(events[1]).toMatchObject({ figures: { speed: 36 }, at: START + 470 * SECOND });
  });

  it('alerts of speed only inside or outside its geofences', () => {
    const over = { kind: 'speed', over: metresPerSecond(5), longer: 0 } as const;
    const steps = [{ seconds: 200, speed: 10 }];
    const [inside] = run([rule(over, { where: 'inside' })], drive(steps));
    expect(minutesAfterStart(inside?.at ?? 0)).toBeGreaterThan(1.3);
    const [outside] = run([rule(over, { where: 'outside' })], drive(steps));
    expect(minutesAfterStart(outside?.at ?? -1)).toBe(0);
  });

  it('alerts of idling, and not of a parked engine', () => {
    const idle = rule({ kind: 'idle', longer: 10 * MINUTE }, anywhere);
    const stop = (ignition: boolean) => [
      { seconds: 100, speed: 10 },
      { seconds: 1200, speed: 0, ignition },
    ];
    expect(alerts(run([idle], drive(stop(false))))).toEqual([]);
    expect(alerts(run([idle], drive(stop(true)))).map(each => minutesAfterStart(each.at))).toEqual([10 + 100 / 60]);
    // Two fixes an hour apart tell nothing about the hour.
    expect(
      run(
        [idle],
        drive(stop(true)).filter((_, nth) => nth === 10 || nth > 100),
      ),
    ).toEqual([]);
  });

  it('tells towing from driving', () => {
    const rules = [rule({ kind: 'tow' }, anywhere), rule({ kind: 'drive' }, { ...anywhere, id: 2 })];
    const on = (ignition: boolean) => alerts(run(rules, drive([{ seconds: 200, speed: 10, ignition }])));
    expect(on(true).map(({ ruleId }) => ruleId)).toEqual([2]);
    expect(on(false).map(({ ruleId }) => ruleId)).toEqual([1, 2]);
  });

  it('is quiet for as long as it should be, and about what was before it', () => {
    const day = [...VISIT, { seconds: 300, speed: -10 }, { seconds: 300, speed: 10 }];
    expect(alerts(run([rule({ kind: 'enter' })], drive(day)))).toHaveLength(2);
    const once = run([rule({ kind: 'enter' }, { repeat: 2 * HOUR })], drive(day));
    expect(once.map(({ what }) => what)).toEqual(['alert', 'ended', 'muted']);
    const since = epochMs(START + 30 * MINUTE);
    expect(alerts(run([rule({ kind: 'enter' }, { since, repeat: 2 * HOUR })], drive(day)))).toHaveLength(1);
  });
});

describe('rules about what is measured', () => {
  const anywhere = { fences: null };
  const trigger = { kind: 'temperature', min: celsius(-25), max: celsius(-15), longer: 10 * MINUTE } as const;
  /** A parked vehicle that reports each minute what `measured` says of the minute. */
  const parked = (minutes: number, measured: (minute: number) => Partial<RuleFix>, every = 1): RuleFix[] =>
    Array.from({ length: Math.floor(minutes / every) }, (_, nth) => ({
      ...{ time: epochMs(START + nth * every * MINUTE), lat: degrees(DEPOT.lat), lon: degrees(DEPOT.lon) },
      ...{ accuracy: null, ignition: false, speed: metresPerSecond(0) },
      ...NOT_MEASURED,
      ...measured(nth * every),
    }));
  const temperatures = (of: (minute: number) => number | null) => (minute: number) => {
    const temperature = of(minute);
    return { temperature: temperature === null ? null : celsius(temperature) };
  };

  it('alerts of a temperature that stays out of its range, with the one furthest out, and not of a single reading', () => {
    const cargo = rule(trigger, anywhere);
    const spike = parked(
      60,
      temperatures(minute => (minute === 20 ? -5 : -20)),
    );
    expect(run([cargo], spike)).toEqual([]);
    const thaw = parked(
      90,
      temperatures(minute => (minute >= 20 && minute < 50 ? -8 - (minute % 5) : -20)),
    );
    const [alert, ended] = run([cargo], thaw);
    expect(alert).toMatchObject({ what: 'alert', began: START + 20 * MINUTE, at: START + 30 * MINUTE });
    expect(ended).toMatchObject({ what: 'ended', at: START + 49 * MINUTE, figures: { temperature: -8 } });
    const cold = run(
      [cargo],
      parked(
        60,
        temperatures(minute => (minute < 20 ? -20 : -26)),
      ),
    );
    expect(alerts(cold)).toMatchObject([{ figures: { temperature: -26 } }]);
  });

  it('takes a reading that wavers about the limit for one alert, and fixes without one for nothing', () => {
    const cargo = rule({ ...trigger, longer: 0 }, anywhere);
    const wavers = parked(
      120,
      temperatures(minute => (minute < 10 ? -20 : minute % 20 < 10 ? -14.9 : -15.2)),
    );
    expect(run([cargo], wavers).map(({ what }) => what)).toEqual(['alert']);
    // A sensor that reports once an hour, among fixes that come each minute.
    const hourly = parked(
      300,
      temperatures(minute => (minute % 60 === 0 ? -5 : null)),
    );
    expect(alerts(run([rule({ ...trigger, longer: 90 * MINUTE }, anywhere)], hourly))).toMatchObject([
      { at: START + 120 * MINUTE },
    ]);
    expect(
      run(
        [cargo],
        parked(120, () => ({})),
      ),
    ).toEqual([]);
  });

  it('alerts of a low supply and of a low tracker battery, also if the tracker reports once a day', () => {
    const voltage = rule({ kind: 'voltage', below: volts(11.8), longer: 10 * MINUTE }, { ...anywhere, id: 1 });
    const battery = rule({ kind: 'battery', below: percent(20), longer: 0 }, { ...anywhere, id: 2 });
    const cranks = parked(60, minute => ({ supply: volts(minute === 30 ? 9 : 12.6) }));
    expect(run([voltage], cranks)).toEqual([]);
    const drains = parked(120, minute => ({ supply: volts(12.6 - minute / 60), battery: percent(90) }));
    expect(run([voltage, battery], drains)).toMatchObject([{ ruleId: 1, what: 'alert' }]);
    const daily = parked(6 * 1440, minute => ({ battery: percent(40 - (minute / 1440) * 6) }), 1440);
    expect(run([voltage, battery], daily)).toMatchObject([{ ruleId: 2, at: START + 4 * 1440 * MINUTE }]);
  });

  describe('fuel', () => {
    const theft = rule({ kind: 'fuel', lost: percent(10) }, anywhere);
    const fuel = (of: (minute: number) => number) => (minute: number) => ({ fuel: percent(of(minute)) });

    it('that is drained is one alert with all that was lost', () => {
      const level = (minute: number) => (minute < 30 ? 80 : minute < 50 ? 80 - (minute - 29) * 2 : 40);
      const events = run([theft], parked(120, fuel(level)));
      expect(events.map(({ what }) => what)).toEqual(['alert', 'ended']);
      expect(minutesAfterStart(events[0]?.began ?? 0)).toBeLessThan(40);
      const lost = events[1]?.figures && 'fuel' in events[1].figures ? events[1].figures.fuel : 0;
      expect(lost).toBeGreaterThan(38);
      expect(lost).toBeLessThan(41);
    });

    it('that is lost while the tracker sleeps is noticed when it wakes', () => {
      const night = parked(
        900,
        fuel(minute => (minute < 60 ? 80 : 55)),
      ).filter(({ time }) => time < START + 60 * MINUTE || time > START + 600 * MINUTE);
      expect(alerts(run([theft], night))).toHaveLength(1);
      // An auxiliary heater takes less.
      const heated = parked(
        900,
        fuel(minute => (minute < 60 ? 80 : 75)),
      );
      expect(run([theft], heated)).toEqual([]);
    });

    it('that an engine used, that was filled up, or that sloshes alerts nobody', () => {
      const driven = drive([{ seconds: 4 * 3600, speed: 25 }]).map((fix, nth) => ({
        ...fix,
        fuel: percent(90 - (nth / 360) * 20),
      }));
      expect(run([theft], driven)).toEqual([]);
      const filled = parked(
        120,
        fuel(minute => (minute < 60 ? 20 : 95)),
      );
      expect(run([theft], filled)).toEqual([]);
      const sloshing = drive([{ seconds: 3600, speed: 20 }]).map((fix, nth) => ({
        ...fix,
        fuel: percent(60 + (nth % 2 === 0 ? 7 : -7)),
      }));
      expect(run([theft], sloshing)).toEqual([]);
    });

    it('that was lost while the rule does not count is not missed afterwards', () => {
      const when = weeklySchedule({ days: EVERY_DAY, from: 9 * 60, to: 12 * 60, isOutside: false }, utc);
      const at = (lostAt: number) =>
        alerts(
          run(
            [{ ...theft, when }],
            parked(
              180,
              fuel(minute => (minute < lostAt ? 80 : 50)),
            ),
          ),
        );
      expect(at(30)).toEqual([]);
      expect(at(90)).toHaveLength(1);
    });
  });

  it('alerts when the ignition is turned on, not when it was on before, or when a fix does not say', () => {
    const on = rule({ kind: 'ignition', to: true }, anywhere);
    const off = rule({ kind: 'ignition', to: false }, { ...anywhere, id: 2 });
    const states = (of: (minute: number) => boolean | null) => parked(60, minute => ({ ignition: of(minute) }));
    expect(
      run(
        [on],
        states(() => true),
      ),
    ).toEqual([]);
    const events = run(
      [on, off],
      states(minute => (minute < 10 ? false : minute < 20 ? null : minute < 40)),
    );
    expect(events.map(({ at, ruleId, what }) => [ruleId, what, minutesAfterStart(at)])).toEqual([
      [1, 'alert', 20],
      [1, 'ended', 40],
      [2, 'alert', 40],
    ]);
  });

  it('alerts of each crossing, and says which way', () => {
    const events = run([rule({ kind: 'cross' })], drive([...VISIT, { seconds: 300, speed: -10 }]));
    expect(events.map(({ crossing, what }) => [what, crossing])).toEqual([
      ['alert', 'in'],
      ['ended', 'in'],
      ['alert', 'out'],
      ['ended', 'out'],
      ['alert', 'in'],
    ]);
  });
});

const RULES: readonly WatchedRule[] = [
  rule({ kind: 'enter' }, { id: 1, fences: null }),
  rule({ kind: 'exit', away: 3 * MINUTE }, { id: 2, fences: null }),
  rule({ kind: 'exit', away: 0 }, { id: 3 }),
  rule({ kind: 'stay', longer: 4 * MINUTE }, { id: 4, fences: null }),
  rule({ kind: 'absent', next: after => nextMoment(after, EVERY_DAY, 8 * 60 + 20, utc) }, { id: 5 }),
  rule({ kind: 'speed', over: metresPerSecond(20), longer: 40 * SECOND }, { id: 6, fences: null, repeat: 10 * MINUTE }),
  rule({ kind: 'idle', longer: 3 * MINUTE }, { id: 7, where: 'outside' }),
  rule({ kind: 'drive' }, { id: 8, fences: null }),
  rule({ kind: 'tow' }, { id: 9, fences: null }),
  rule(
    { kind: 'stay', longer: 2 * MINUTE },
    { id: 10, when: weeklySchedule({ days: EVERY_DAY, from: 490, to: 500, isOutside: true }, utc) },
  ),
  rule({ kind: 'cross' }, { id: 11, fences: null }),
  rule({ kind: 'ignition', to: true }, { id: 12, where: 'outside' }),
  rule({ kind: 'temperature', min: celsius(2), max: celsius(8), longer: 3 * MINUTE }, { id: 13, fences: null }),
  rule({ kind: 'voltage', below: volts(12), longer: MINUTE }, { id: 14, fences: null }),
  rule({ kind: 'battery', below: percent(20), longer: 0 }, { id: 15, fences: null, repeat: 5 * MINUTE }),
  rule({ kind: 'fuel', lost: percent(10) }, { id: 16, fences: null }),
];

const stepArbitrary = fc.record({
  seconds: fc.integer({ min: 2, max: 80 }).map(tens => tens * 10),
  speed: fc.oneof(fc.constant(0), fc.integer({ min: -28, max: 28 })),
  ignition: fc.boolean(),
  temperature: fc.constantFrom(null, celsius(1.8), celsius(5), celsius(7.8), celsius(12)),
  fuel: fc.constantFrom(null, percent(20), percent(45), percent(48), percent(80)),
  supply: fc.constantFrom(null, volts(11), volts(12.2), volts(13)),
  battery: fc.constantFrom(null, percent(10), percent(22), percent(90)),
});
const journey = fc
  .tuple(fc.array(stepArbitrary, { minLength: 3, maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 12 }))
  // Some fixes are missing.
  .map(([steps, holes]) => drive(steps).filter((_, nth) => !holes.includes(nth % 61)));

describe('any journey', () => {
  it('[R7.37] gives the same alerts however often it is written, read and looked at in between', () => {
    fc.assert(
      fc.property(journey, fc.array(fc.nat(400), { maxLength: 8 }), (fixes, cuts) => {
        let state: RulesState = NO_RULES_FOLLOWED;
        let follower = new RuleFollower(FENCES, RULES, state);
        const events: RuleEvent[] = [];
        for (const [nth, fix] of fixes.entries()) {
          // A clock that is as late as the reports.
          const lastMs = fixes[nth - 1]?.time ?? fix.time;
          if (nth % 3 === 0) events.push(...follower.passTime(epochMs((lastMs + fix.time) / 2)));
          if (cuts.includes(nth)) {
            state = JSON.parse(JSON.stringify(follower.state()));
            follower = new RuleFollower(FENCES, RULES, state);
          }
          events.push(...follower.take(fix));
        }
        expect(events).toEqual(run(RULES, fixes));
      }),
    );
  });

  it('alerts of each stay that is long enough, and of no other', () => {
    fc.assert(
      fc.property(journey, fixes => {
        const follower = new FenceFollower(FENCES);
        const crossed = fixes.flatMap(fix => follower.take(fix));
        const longer = 4 * MINUTE;
        const visits = crossed.filter(({ kind }) => kind !== 'enter');
        const over = visits.flatMap(({ entry, exit }) =>
          exit && exit.at - entry.at >= longer ? entry.at + longer : [],
        );
        const open = [1, 2].flatMap(id => follower.entry(id) ?? []).map(({ at }) => at + longer);
        const known = (fixes.at(-1)?.time ?? 0) - 2 * MINUTE;
        const expected = [...over, ...open.filter(at => at <= known)].toSorted((a, b) => a - b);
        const found = run([rule({ kind: 'stay', longer }, { fences: null })], fixes);
        expect(alerts(found).map(({ at }) => at)).toEqual(expected);
      }),
    );
  });

  it('never has more ends than alerts, and none before it', () => {
    fc.assert(
      fc.property(journey, fixes => {
        const standing = new Set<string>();
        for (const { what, ruleId, fenceId, began, at } of run(RULES, fixes)) {
          const key = `${ruleId} ${fenceId}`;
          expect(at).toBeGreaterThanOrEqual(began);
          if (what === 'ended') expect(standing.delete(key)).toBe(true);
          if (what !== 'alert') continue;
          expect(standing.has(key)).toBe(false);
          standing.add(key);
        }
      }),
    );
  });
});

describe('schedules', () => {
  const offsetAt = (at: number): number => (at < Date.UTC(2026, 10, 1, 7) ? -5 : -6) * HOUR;

  it('finds the next moment on the clock, across the end of daylight saving time', () => {
    const seven = (at: number) => nextMoment(epochMs(at), EVERY_DAY, 7 * 60, offsetAt);
    expect(seven(Date.UTC(2026, 9, 31, 11))).toBe(Date.UTC(2026, 9, 31, 12));
    expect(seven(Date.UTC(2026, 9, 31, 12))).toBe(Date.UTC(2026, 10, 1, 13));
    expect(nextMoment(epochMs(START), new Set(), 0, utc)).toBe(null);
    expect(nextMoment(epochMs(START), new Set([1]), 8 * 60, utc)).toBe(START + 7 * 24 * HOUR);
  });

  it('takes a holiday for a day off, also of the night that would begin on it', () => {
    const monday = START / (24 * HOUR) - 8 / 24;
    const holidays = new Set([monday]);
    const day = { days: new Set([1, 2, 3, 4, 5]), from: 8 * 60, to: 17 * 60 };
    const at = (hours: number) => epochMs(START - 8 * HOUR + hours * HOUR);
    const open = weeklySchedule({ ...day, isOutside: false }, utc, holidays);
    expect([open.isWithin(at(10)), open.isWithin(at(34))]).toEqual([false, true]);
    const closed = weeklySchedule({ ...day, isOutside: true }, utc, holidays);
    expect([closed.isWithin(at(10)), closed.isWithin(at(34))]).toEqual([true, false]);
    const night = weeklySchedule({ ...day, from: 22 * 60, to: 5 * 60, isOutside: false }, utc, holidays);
    expect([night.isWithin(at(23)), night.isWithin(at(26)), night.isWithin(at(47))]).toEqual([false, false, true]);
    expect(nextMoment(at(0), EVERY_DAY, 7 * 60, utc, holidays)).toBe(at(31));
    expect(open.next(at(0))).toBe(at(32));
  });

  it('begins a night on the day that is named', () => {
    const nights = weeklySchedule({ days: new Set([5]), from: 22 * 60, to: 5 * 60, isOutside: false }, utc);
    const friday = START + 4 * 24 * HOUR;
    const at = (hours: number): boolean => nights.isWithin(epochMs(friday + hours * HOUR));
    // 08:00 on Friday is 0.
    expect([at(-5), at(13), at(14), at(20), at(21), at(38)]).toEqual([false, false, true, true, false, false]);
    expect(nights.next(epochMs(friday))).toBe(friday + 14 * HOUR);
  });
});
