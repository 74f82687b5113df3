import { epochMs } from '@milepost/units';
import { near, scaleAt } from '../fences/ellipsoid.ts';
import type { FenceIndex } from '../fences/fence-index.ts';
import { NearFollower, type NearRule, REACH } from './near-follower.ts';
import type { Past } from './past.ts';
import { lastUntil } from './place-in-time.ts';
import type { RuleEvent, RuleFix } from './rule.ts';

export type Box = Past['box'];

/** Others are looked at for so long at once. */
const STEP_MS = 3_600_000;

export interface NearPast {
  readonly own: readonly Past[];
  readonly others: ReadonlyMap<number, readonly Past[]>;
  /** The first moment, and the last one. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Watches rules about the distance to others over the past, and finds what `NearFollower` finds by all fixes at once:
 * it leaves out the hours in which another vehicle was certainly far away, which are most.
 */
export function watchNearPast(
  rules: readonly NearRule[],
  fences: FenceIndex,
  { fromMs, others, own, toMs }: NearPast,
): RuleEvent[] {
  const follower = new NearFollower(rules, fences, { through: epochMs(fromMs), rules: {} });
  const reach = reachOf(rules);
  const track = own.flatMap(day => Array.from({ length: day.count }, (_, i) => day.fix(i)));
  const stretches = new Map([...others].map(([id, days]) => [id, new Stretches(days)]));
  const events: RuleEvent[] = [];
  for (let from = fromMs; from < toMs; from += STEP_MS) {
    const to = Math.min(from + STEP_MS, toMs);
    const here = boxOf(track.slice(Math.max(0, lastUntil(track, from)), lastUntil(track, to) + 2));
    const concerned = [...stretches].flatMap(([id, stretch]): [number, RuleFix[]][] => {
      if (!follower.follows(id)) {
        const there = stretch.box(from, to);
        if (here === null || there === null || isApart(here, there, reach)) return [];
      }
      return [[id, stretch.fixes(from, to)]];
    });
    for (const event of follower.take({ own: track, others: new Map(concerned) }, epochMs(to))) events.push(event);
  }
  return events;
}

/** Further apart, in meters, another vehicle bears on none of these rules. */
export const reachOf = (rules: readonly NearRule[]): number =>
  Math.max(...rules.map(({ trigger }) => trigger.meters)) + REACH;

/** Where degrees of longitude are no measure of a way. */
const POLAR = 80;

/** Certainly further apart than that: whatever the ways between the fixes that these boxes hold. */
export function isApart(one: Box, other: Box, meters: number): boolean {
  const lat = Math.max(...[one.north, one.south, other.north, other.south].map(Math.abs));
  if (lat > POLAR) return false;
  const margin = meters * 1.05;
  const up = Math.max(one.south - other.north, other.south - one.north);
  if (up * scaleAt(0).north > margin) return true;
  // Ways across the 180th meridian go around the whole box.
  if (one.east - one.west > 180 || other.east - other.west > 180) return false;
  const [middle, others] = [(one.west + one.east) / 2, (other.west + other.east) / 2];
  const between = Math.abs(near(others, middle) - middle);
  const across = between - (one.east - one.west + other.east - other.west) / 2;
  return across * scaleAt(lat).east > margin;
}

export function boxOf(fixes: readonly { readonly lat: number; readonly lon: number }[]): Box | null {
  if (fixes.length === 0) return null;
  let [south, west, north, east] = [90, 180, -90, -180];
  for (const { lat, lon } of fixes) {
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    [west, east] = [Math.min(west, lon), Math.max(east, lon)];
  }
  return { south, west, north, east };
}

/** The past of one vehicle, an hour at a time: from the last fix before it to the first one after it. */
class Stretches {
  readonly #days: readonly Past[];

  constructor(days: readonly Past[]) {
    this.#days = days;
  }

  box(from: number, to: number): Box | null {
    const found: { lat: number; lon: number }[] = [];
    for (const [day, first, last] of this.#within(from, to)) {
      const [lats, lons] = [day.column('lat'), day.column('lon')];
      for (let i = first; i <= last; i++) found.push({ lat: lats[i] as number, lon: lons[i] as number });
    }
    return boxOf(found);
  }

  fixes(from: number, to: number): RuleFix[] {
    return [...this.#within(from, to)].flatMap(([day, first, last]) =>
      Array.from({ length: last - first + 1 }, (_, i) => day.fix(first + i)),
    );
  }

  *#within(from: number, to: number): Generator<[day: Past, first: number, last: number]> {
    for (const [nth, day] of this.#days.entries()) {
      const next = this.#days[nth + 1];
      // The next day begins after this moment, so the last fix before it is here.
      const isLastBefore = next === undefined || (next.column('time')[0] as number) > from;
      if (day.count === 0 || (day.lastAt <= from && !isLastBefore)) continue;
      const times = day.column('time');
      const first = Math.max(0, indexUntil(times, day.count, from));
      const last = Math.min(day.count - 1, indexUntil(times, day.count, to) + 1);
      yield [day, first, last];
      if ((times[last] as number) > to) return;
    }
  }
}

/** The place of the last moment until this one; -1 if there is none. */
function indexUntil(times: ArrayLike<number>, count: number, at: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
