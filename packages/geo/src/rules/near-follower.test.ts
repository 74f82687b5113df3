import { degrees, type EpochMs, epochMs, metres, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ellipsoidDistance } from '../fences/ellipsoid.ts';
import { FenceIndex } from '../fences/fence-index.ts';
import type { LatLon } from '../fix.ts';
import { destination } from '../sphere.ts';
import { normal, random } from '../testing/drift.ts';
import { NearFollower, type NearRule, type NearState, type Tracks } from './near-follower.ts';
import { watchNearPast } from './near-past.ts';
import type { Past } from './past.ts';
import { placeInTime } from './place-in-time.ts';
import type { RuleEvent, RuleFix } from './rule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 23, 8);
/** Across the 180th meridian, near a pole, and where fleets are. */
const MIDDLES: readonly LatLon[] = [
  { lat: degrees(36.15), lon: degrees(-95.99) },
  { lat: degrees(-17.8), lon: degrees(179.9995) },
  { lat: degrees(89.99), lon: degrees(20) },
];
const NOTHING: NearState = { through: epochMs(0), rules: {} };
/** As it is stored: so many fixes a day. */
const daysOf = (fixes: readonly RuleFix[], size: number): Past[] =>
  Array.from({ length: Math.ceil(fixes.length / size) }, (_, nth) => {
    const some = fixes.slice(nth * size, (nth + 1) * size);
    return {
      count: some.length,
      lastAt: some.at(-1)?.time ?? 0,
      box: { south: -90, west: -180, north: 90, east: 180 },
      column: name => some.map(fix => fix[name]) as never,
      fix: i => some[i] as RuleFix,
      forget: () => {},
    };
  });
const NO_FENCES = new FenceIndex([]);

const rule = (kind: 'near' | 'apart', more: Partial<NearRule['trigger']> = {}): NearRule => ({
  id: 1,
  version: 1,
  trigger: { kind, meters: 200, others: new Set([2, 3]), longer: 0, ...more },
  ...{ fences: null, where: null, when: null, conditions: null, repeat: 0, since: epochMs(0) },
});

interface Leg {
  readonly seconds: number;
  /** Meters a second along a line, or back. */
  readonly speed: number;
}

/** On the line through the middle with this bearing, from `from` meters on; a fix every so many seconds. */
function track(
  middle: LatLon,
  bearing: number,
  from: number,
  legs: readonly Leg[],
  every: number,
  first = 0,
): RuleFix[] {
  const fixes: RuleFix[] = [];
  const total = legs.reduce((sum, { seconds }) => sum + seconds, 0);
  for (let second = first; second <= total; second += every) {
    let [left, away, speed] = [second, from, 0];
    for (const leg of legs) {
      const passed = Math.min(left, leg.seconds);
      away += passed * leg.speed;
      left -= passed;
      if (passed > 0 || left > 0) speed = leg.speed;
      if (left <= 0) break;
    }
    const { lat, lon } = destination(middle, degrees(away < 0 ? bearing + 180 : bearing), metres(Math.abs(away)));
    const measured = { temperature: null, fuel: null, supply: null, battery: null, card: null };
    fixes.push({
      ...{ time: epochMs(START + second * SECOND), lat, lon, accuracy: null, ...measured },
      ...{ speed: metresPerSecond(Math.abs(speed)), ignition: speed !== 0 },
    });
  }
  return fixes;
}

const tracksOf = (own: readonly RuleFix[], ...others: readonly (readonly RuleFix[])[]): Tracks => ({
  own,
  others: new Map(others.map((fixes, nth) => [nth + 2, fixes])),
});
const endOf = ({ others, own }: Tracks): EpochMs =>
  epochMs(Math.max(...[own, ...others.values()].flatMap(fixes => fixes.map(({ time }) => time))));
const run = (watched: NearRule, tracks: Tracks): RuleEvent[] =>
  new NearFollower([watched], NO_FENCES, NOTHING).take(tracks, endOf(tracks));
const alerts = (events: readonly RuleEvent[]) => events.filter(({ what }) => what === 'alert');

/** When two vehicles come that close, or apart, to the second: by their places at each second alone. */
function slowly({ others, own }: Tracks, meters: number, id = 2): { readonly at: number; readonly isIn: boolean }[] {
  const found: { readonly at: number; readonly isIn: boolean }[] = [];
  let wasIn: boolean | null = null;
  for (let at = START; at <= endOf({ others, own }); at += SECOND) {
    const [one, other] = [placeInTime(own, epochMs(at)), placeInTime(others.get(id) ?? [], epochMs(at))];
    if (!one || !other) continue;
    const isIn = ellipsoidDistance(one, other) <= meters;
    if (wasIn !== null && isIn !== wasIn) found.push({ at, isIn });
    wasIn = isIn;
  }
  return found;
}

describe('[R7.37] two vehicles that come close, or get apart', () => {
  it('alerts when one comes up to the other, with which, and ends when it leaves', () => {
    for (const middle of MIDDLES) {
      const parked = track(middle, 0, 0, [{ seconds: 2400, speed: 0 }], 600);
      const passes = track(
        middle,
        70,
        -3000,
        [
          { seconds: 190, speed: 15 },
          { seconds: 900, speed: 0 },
          { seconds: 300, speed: 15 },
        ],
        10,
      );
      for (const tracks of [tracksOf(passes, parked), tracksOf(parked, passes)]) {
        const [alert, ended, ...more] = run(rule('near'), tracks);
        const [came, left] = slowly(tracks, 200);
        expect(more).toEqual([]);
        expect([alert?.what, alert?.otherId, ended?.what]).toEqual(['alert', 2, 'ended']);
        expect(Math.abs((alert?.at ?? 0) - (came?.at ?? 0))).toBeLessThan(3 * SECOND);
        expect(Math.abs((ended?.at ?? 0) - (left?.at ?? 0))).toBeLessThan(3 * SECOND);
      }
    }
  });

  it('alerts of a trailer that is left behind, though its tracker sleeps, and not while both drive', () => {
    const [middle] = MIDDLES as [LatLon];
    const convoy = [{ seconds: 1800, speed: 22 }];
    const tractor = track(middle, 90, 0, [...convoy, { seconds: 600, speed: 0 }, { seconds: 600, speed: 20 }], 10);
    const trailer = track(middle, 90, -15, [...convoy, { seconds: 1200, speed: 0 }], 30, 7);
    const found = alerts(run(rule('apart', { others: new Set([2]) }), tracksOf(tractor, trailer)));
    expect(found).toHaveLength(1);
    const [left] = slowly(tracksOf(tractor, trailer), 200);
    expect(Math.abs((found[0]?.at ?? 0) - (left?.at ?? 0))).toBeLessThan(3 * SECOND);
    const asleep = trailer.filter(({ time }) => time <= START + 1900 * SECOND);
    expect(alerts(run(rule('apart', { others: new Set([2]) }), tracksOf(tractor, asleep)))).toEqual(found);
  });

  it('says nothing by a position that is too old', () => {
    const [middle] = MIDDLES as [LatLon];
    const parked = track(middle, 0, 0, [{ seconds: 60, speed: 0 }], 60);
    const later = track(
      middle,
      70,
      -3000,
      [
        { seconds: 5400, speed: 0 },
        { seconds: 400, speed: 15 },
      ],
      10,
    );
    expect(run(rule('near'), tracksOf(later, parked))).toEqual([]);
  });

  it('alerts of what lasts only when it has lasted', () => {
    const [middle] = MIDDLES as [LatLon];
    const parked = track(middle, 0, 0, [{ seconds: 4000, speed: 0 }], 60);
    const comes = (seconds: number) =>
      tracksOf(
        track(
          middle,
          70,
          -3000,
          [
            { seconds: 200, speed: 15 },
            { seconds, speed: 0 },
            { seconds: 300, speed: 15 },
          ],
          10,
        ),
        parked,
      );
    const watched = rule('near', { longer: 10 * MINUTE });
    expect(run(watched, comes(500))).toEqual([]);
    const [alert] = alerts(run(watched, comes(900)));
    expect((alert?.at ?? 0) - (alert?.began ?? 0)).toBe(10 * MINUTE);
  });

  it('is not moved by the drift of two parked receivers, 10 m from the edge on either side', () => {
    for (const gap of [190, 210]) {
      for (let seed = 1; seed <= 40; seed++) {
        const next = random(seed);
        const sigma = 5 + (seed % 6) * 5;
        const drifts = (away: number, every: number) =>
          track(MIDDLES[seed % 3] as LatLon, 40, away, [{ seconds: 6 * 3600, speed: 0 }], every).map(fix => ({
            ...fix,
            ...destination(fix, degrees(next() * 360), metres(Math.abs(sigma * normal(next)))),
          }));
        expect(run(rule(gap < 200 ? 'apart' : 'near'), tracksOf(drifts(0, 30), drifts(gap, 60)))).toEqual([]);
      }
    }
  });
});

describe('[R7.37] others that are no longer meant, because they were moved to another folder', () => {
  const [middle] = MIDDLES as [LatLon];
  const parked = track(middle, 0, 0, [{ seconds: 3000, speed: 0 }], 60);
  const comes = track(
    middle,
    70,
    -3000,
    [
      { seconds: 200, speed: 15 },
      { seconds: 2800, speed: 0 },
    ],
    10,
  );
  const tracks = tracksOf(comes, parked, parked);
  const half = epochMs(START + 1500 * SECOND);
  const then = (before: NearRule, after: NearRule) => {
    const first = new NearFollower([before], NO_FENCES, NOTHING);
    const begun = first.take(tracks, half);
    const second = new NearFollower([after], NO_FENCES, JSON.parse(JSON.stringify(first.state())) as NearState);
    return [begun, second.take(tracks, endOf(tracks)), [...second.standing()]] as const;
  };

  it('end what was alerted, unless another one is as close', () => {
    const both = rule('near');
    const [begun, ended, standing] = then(both, rule('near', { others: new Set() }));
    expect(begun.map(({ otherId, what }) => [what, otherId])).toEqual([['alert', 2]]);
    expect(ended.map(({ at, what }) => [what, at])).toEqual([['ended', half]]);
    expect(standing).toEqual([]);
    const [, none, lasting] = then(both, rule('near', { others: new Set([3]) }));
    expect([none, lasting]).toEqual([[], [{ ruleId: 1, fenceId: null }]]);
  });

  it('and one that is added while it is close already, didn’t come', () => {
    const [begun, later] = then(rule('near', { others: new Set() }), rule('near', { others: new Set([2]) }));
    expect([begun, later]).toEqual([[], []]);
  });
});

const legs = fc.array(
  fc.record({ seconds: fc.integer({ min: 120, max: 900 }), speed: fc.constantFrom(-24, -12, 0, 0, 9, 18) }),
  { minLength: 2, maxLength: 6 },
);
const ways = fc.record({
  legs,
  bearing: fc.integer({ min: 0, max: 359 }),
  from: fc.integer({ min: -4000, max: 4000 }),
});

/** Seconds between the reports of a parked vehicle, or of a frugal tracker. */
const rarely = fc.constantFrom<number>(10, 30, 150, 240, 300, 540, 700);
/** As the server does. */
const WAITS_MS = 3 * MINUTE;

describe('any journeys of two or three vehicles', () => {
  const story = fc.record({
    middle: fc.constantFrom(...MIDDLES),
    own: ways,
    others: fc.array(ways, { minLength: 1, maxLength: 2 }),
    every: fc.array(fc.constantFrom<number>(5, 10, 30, 60), { minLength: 3, maxLength: 3 }),
    kind: fc.constantFrom('near' as const, 'apart' as const),
    longer: fc.constantFrom(0, 0, 5 * MINUTE),
  });
  const tracksIn = ({ every, middle, others, own }: typeof story extends fc.Arbitrary<infer S> ? S : never): Tracks => {
    const trackOf = (way: typeof own, nth: number) =>
      track(middle, way.bearing, way.from, way.legs, every[nth] ?? 10, nth * 3);
    return tracksOf(trackOf(own, 0), ...others.map((way, nth) => trackOf(way, nth + 1)));
  };

  it('give the same alerts in whatever order their reports come, and however often it is written and read', () => {
    fc.assert(
      fc.property(story, fc.infiniteStream(fc.nat(99)), (told, dice) => {
        const tracks = tracksIn(told);
        const watched = rule(told.kind, { longer: told.longer });
        const all = [tracks.own, ...tracks.others.values()];
        const here = all.map(() => 0);
        const events: RuleEvent[] = [];
        let state = NOTHING;
        while (here.some((count, nth) => count < (all[nth]?.length ?? 0))) {
          // A vehicle sends some of its reports, and the others are behind.
          const which = dice.next().value % all.length;
          here[which] = Math.min((here[which] ?? 0) + 1 + (dice.next().value % 30), all[which]?.length ?? 0);
          const [own = [], ...others] = all.map((fixes, nth) => fixes.slice(0, here[nth])) as RuleFix[][];
          const newest = [own, ...others].map((fixes, nth) =>
            fixes.length === all[nth]?.length ? Infinity : (fixes.at(-1)?.time ?? 0),
          );
          const to = Math.min(...newest, endOf(tracks));
          const follower = new NearFollower([watched], NO_FENCES, state);
          events.push(...follower.take(tracksOf(own, ...others), epochMs(to)));
          state = JSON.parse(JSON.stringify(follower.state())) as NearState;
        }
        expect(events).toEqual(run(watched, tracks));
      }),
    );
  });

  it('give live what is found afterwards, by trackers that report rarely: who is not heard of for a while is not waited for', () => {
    fc.assert(
      fc.property(
        story,
        fc.tuple(rarely, rarely, rarely),
        fc.infiniteStream(fc.integer({ min: 2, max: 600 })),
        (told, every, dice) => {
          const tracks = tracksIn({ ...told, every });
          const watched = rule(told.kind, { longer: told.longer });
          const [own, ...others] = [tracks.own, ...tracks.others.values()] as (readonly RuleFix[])[];
          const follower = new NearFollower([watched], NO_FENCES, NOTHING);
          const events: RuleEvent[] = [];
          const last = endOf(tracks);
          for (let now = START; now < last + 4 * MINUTE; now += dice.next().value * SECOND) {
            // Reports are on their way for some seconds.
            const heard = [own ?? [], ...others].map(fixes => fixes.filter(({ time }) => time <= now - 20 * SECOND));
            const newest = heard.map(fixes => Math.max(now - WAITS_MS, fixes.at(-1)?.time ?? 0));
            const [mine = [], ...theirs] = heard;
            events.push(...follower.take(tracksOf(mine, ...theirs), epochMs(Math.min(...newest, last))));
          }
          events.push(...follower.take(tracks, last));
          expect(events).toEqual(run(watched, tracks));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('give the same alerts if far hours are left out', () => {
    fc.assert(
      fc.property(story, fc.integer({ min: 1, max: 400 }), (told, size) => {
        const tracks = tracksIn(told);
        const watched = rule(told.kind, { longer: told.longer });
        const pasts = new Map([...tracks.others].map(([id, fixes]) => [id, daysOf(fixes as readonly RuleFix[], size)]));
        const past = { own: daysOf(tracks.own, size), others: pasts, fromMs: START - HOUR, toMs: endOf(tracks) };
        expect(watchNearPast([watched], NO_FENCES, past)).toEqual(run(watched, tracks));
      }),
      { numRuns: 60 },
    );
  });

  const alertsAsSlowly = (numRuns: number): void =>
    fc.assert(
      fc.property(story, told => {
        const tracks = tracksIn({ ...told, others: told.others.slice(0, 1) });
        const crossings = slowly(tracks, 200).filter(({ isIn }) => isIn === (told.kind === 'near'));
        for (const { at } of alerts(run(rule(told.kind), tracks))) {
          expect(Math.min(...crossings.map(crossing => Math.abs(crossing.at - at)))).toBeLessThan(2 * MINUTE);
        }
        // Deep and long enough for certainty, while driving.
        const deep = slowly(tracks, told.kind === 'near' ? 100 : 300);
        if (deep.length === 0 || slowly(tracks, 200).length !== 1 || crossings.length !== 1) return;
        const at = crossings[0]?.at ?? 0;
        if (at > endOf(tracks) - 6 * MINUTE || at < START + 3 * MINUTE) return;
        const beyond = deep.find(crossing => crossing.at >= at);
        if (!beyond || beyond.at > at + MINUTE) return;
        const [alert] = alerts(run(rule(told.kind), tracks));
        expect(Math.abs((alert?.at ?? 0) - at)).toBeLessThan(5 * SECOND);
      }),
      { numRuns },
    );

  it('alert where a slow look at each second finds them that close, and only there', () => alertsAsSlowly(6));

  it('do so in a hundred stories', { tags: ['long'], timeout: 300_000 }, () => alertsAsSlowly(100));
});
