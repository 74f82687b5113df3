import { degrees, epochMs, metres, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFence } from '../fences/area.ts';
import { DEFAULT_EDGE, FenceIndex } from '../fences/fence-index.ts';
import { destination } from '../sphere.ts';
import type { RuleEvent, RuleFix, WatchedRule } from './rule.ts';
import { RuleFollower } from './rule-follower.ts';

const START = Date.UTC(2026, 10, 23, 8);
const HUB = { lat: degrees(36.15), lon: degrees(179.999) };
const PLACES = [1, 2, 3, 4, 5];
/** Places around a hub, across the 180th meridian: the way to one leads through no other. */
const placeAt = (id: number, away = 1500) => destination(HUB, degrees(id * 72), metres(away));
const FENCES = new FenceIndex(
  PLACES.map(id => ({
    id,
    area: compileFence({ kind: 'circle', center: placeAt(id), radius: metres(150) }),
    edge: DEFAULT_EDGE,
  })),
);

const rule = (stops: readonly number[], more: Partial<WatchedRule> = {}): WatchedRule => ({
  ...{ id: 1, version: 1, trigger: { kind: 'order', stops }, fences: new Set(stops), where: null, when: null },
  ...{ conditions: null, repeat: 0, since: epochMs(0) },
  ...more,
});

interface Visit {
  readonly id: number;
  /** Of waiting there, in fixes. */
  readonly waits: number;
}

/** From the hub to each place and back, at 15 m/s with a fix every 10 s. */
function tour(visits: readonly Visit[]): RuleFix[] {
  const fixes: RuleFix[] = [];
  const report = (id: number, away: number, speed: number): void => {
    const at = { ...placeAt(id, away), time: epochMs(START + fixes.length * 10_000), accuracy: null };
    const measured = { temperature: null, fuel: null, supply: null, battery: null, card: null };
    fixes.push({ ...at, ...measured, speed: metresPerSecond(speed), ignition: true });
  };
  for (const { id, waits } of visits) {
    for (let away = 0; away < 1500; away += 150) report(id, away, 15);
    for (let i = 0; i < waits; i++) report(id, 1500, 0);
    for (let away = 1500; away > 0; away -= 150) report(id, away, 15);
  }
  return fixes;
}

const run = (watched: WatchedRule, fixes: readonly RuleFix[]): RuleEvent[] => {
  const follower = new RuleFollower(FENCES, [watched]);
  return fixes.flatMap(fix => follower.take(fix));
};
const wrongIn = (events: readonly RuleEvent[]) =>
  events.filter(({ what }) => what === 'alert').map(({ expected, fenceId }) => [fenceId, expected]);
const waiting = (...ids: number[]): Visit[] => ids.map(id => ({ id, waits: 20 }));

/** For each visit, looks back for the one before it, and follows the round from there. */
function slowly(stops: readonly number[], visits: readonly Visit[]): (number | undefined)[][] {
  const listed = visits.filter(({ id }) => stops.includes(id));
  return listed.flatMap(({ id }, nth) => {
    const before = listed[nth - 1];
    if (!before || before.id === id) return [];
    const round = [...stops, ...stops];
    const expected = round[round.indexOf(before.id) + 1];
    return expected === id ? [] : [[id, expected]];
  });
}

describe('[R7.37] the order of visits', () => {
  it('alerts of a visit that comes too early, with the one that was left out, and goes on from there', () => {
    const fixes = tour(waiting(1, 2, 3, 1, 3, 1, 2));
    const events = run(rule([1, 2, 3]), fixes);
    expect(wrongIn(events)).toEqual([[3, 2]]);
    const [alert, ended] = events;
    expect(ended).toMatchObject({ what: 'ended', fenceId: 3, began: alert?.began, expected: 2 });
  });

  it('takes another visit to the same place for no mistake, and the first one known for a beginning', () => {
    expect(wrongIn(run(rule([1, 2, 3]), tour(waiting(2, 2, 4, 2, 3, 5, 1))))).toEqual([]);
  });

  it('goes on while the rule does not count, and alerts of nothing then', () => {
    const fixes = tour(waiting(1, 3, 1, 3));
    const half = fixes[Math.floor(fixes.length / 2)]?.time ?? 0;
    const when = { isWithin: (at: number) => at >= half, next: () => null };
    expect(wrongIn(run(rule([1, 2, 3], { when }), fixes))).toEqual([[3, 2]]);
  });

  it('is what a slow look at all visits finds, wherever its state was written and read', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(PLACES, { minLength: 2 }),
        fc.array(fc.record({ id: fc.constantFrom(...PLACES), waits: fc.integer({ min: 8, max: 30 }) }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.infiniteStream(fc.boolean()),
        (stops, visits, cuts) => {
          const fixes = tour(visits);
          const watched = rule(stops);
          const events: RuleEvent[] = [];
          let follower = new RuleFollower(FENCES, [watched]);
          for (const fix of fixes) {
            if (cuts.next().value) {
              follower = new RuleFollower(FENCES, [watched], JSON.parse(JSON.stringify(follower.state())));
            }
            events.push(...follower.take(fix));
          }
          expect(wrongIn(events)).toEqual(slowly(stops, visits));
          expect(events).toEqual(run(watched, fixes));
        },
      ),
    );
  });
});
