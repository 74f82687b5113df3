import { degrees, type EpochMs, epochMs } from '@milepost/units';
import { isStanding, type MotionFix } from '../fences/candidate.ts';
import { near, scaleAt } from '../fences/ellipsoid.ts';
import type { Box, FenceIndex } from '../fences/fence-index.ts';
import { STOP_AFTER_MS } from '../fences/follower.ts';
import type { LatLon } from '../fix.ts';
import type { FuelReading } from './fuel-level.ts';
import type { Past } from './past.ts';
import { PastMarks } from './past-marks.ts';
import type { RuleEvent, RuleFix, RuleTrigger, WatchedRule } from './rule.ts';
import { RuleFollower } from './rule-follower.ts';

/** Someone else who wants to see the fixes at which something changes. */
export interface Onlooker {
  take(fix: RuleFix): void;
  /** The first moment at which a fix matters because of the time; null if none does. */
  nextDue(): number | null;
}

/** Around a fix at which it is certain where the vehicle is. */
interface Quiet {
  readonly lat: number;
  readonly lon: number;
  readonly north: number;
  readonly east: number;
  /** Meters, squared. */
  readonly within: number;
}

/**
 * Watches rules over a vehicle's past as `RuleFollower` does fix by fix, and finds the same, to the millisecond, in a
 * fraction of the time: it leaves out the fixes that can't change anything. No edge is near, nothing lasts, no time is
 * up, and none of the rules is about what they say.
 */
export class PastWatcher {
  readonly #marks: PastMarks;
  readonly #follower: RuleFollower;
  readonly #isAboutPlaces: boolean;
  readonly #isAboutMotion: boolean;
  readonly #isAboutFuel: boolean;
  readonly #onlooker: Onlooker | null;
  readonly #pasts: Past[] = [];
  /** The last fix that the follower knows of. */
  #known: readonly [past: number, fix: number] = [0, -1];
  #taken = 0;
  /** Until a fix is taken, fixes within are known to change nothing about geofences. */
  #quietFor: Quiet | null = null;

  constructor(fences: FenceIndex, rules: readonly WatchedRule[], onlooker: Onlooker | null = null) {
    this.#marks = new PastMarks(rules);
    this.#follower = new RuleFollower(fences, rules);
    this.#isAboutPlaces = fences.size > 0;
    this.#isAboutMotion = this.#isAboutPlaces || rules.some(({ trigger }) => IN_MOTION.has(trigger.kind));
    this.#isAboutFuel = rules.some(({ trigger }) => trigger.kind === 'fuel');
    this.#onlooker = onlooker;
  }

  /** The next hours. */
  take(past: Past): RuleEvent[] {
    const events: RuleEvent[] = [];
    const nth = this.#pasts.push(past) - 1;
    this.#pasts[nth - 2]?.forget();
    if (past.count === 0) return events;
    const marks = this.#marks.of(past);
    let i = 0;
    while (i < past.count) {
      i = this.#nextThatMatters(past, i, marks);
      if (i >= past.count) break;
      const fix = past.fix(i);
      this.#catchUp(nth, i, fix.time);
      for (const event of this.#follower.take(fix)) events.push(event);
      this.#onlooker?.take(fix);
      this.#known = [nth, i];
      this.#quietFor = null;
      this.#taken++;
      i++;
    }
    return events;
  }

  /** Time went on without a fix. */
  passTime(to: EpochMs): RuleEvent[] {
    const past = this.#pasts.findLastIndex(({ count }) => count > 0);
    const count = this.#pasts[past]?.count ?? 0;
    if (count > 0) this.#catchUp(past, count, to);
    return this.#follower.passTime(to);
  }

  #nextThatMatters(past: Past, from: number, marks: Uint8Array | null): number {
    // The second fix tells the time how far it has come.
    if (this.#taken < 2 || this.#follower.isAtIt) return from;
    const due = Math.min(this.#follower.nextDue() ?? Infinity, this.#onlooker?.nextDue() ?? Infinity);
    let until = due <= past.lastAt ? firstAt(past.column('time'), from, due) : past.count;
    if (marks !== null) {
      const marked = marks.indexOf(1, from);
      if (marked >= 0) until = Math.min(until, marked);
    }
    if (this.#isAboutPlaces) until = this.#firstOutOfQuiet(past, from, until);
    return this.#isAboutFuel ? this.#nextOfFuel(past, from, until) : until;
  }

  /** The first fix before `until` at which something may change about geofences. */
  #firstOutOfQuiet(past: Past, from: number, until: number): number {
    let quiet = this.#quiet();
    if (quiet === null) return from;
    if (from === 0 && (isAllWithin(quiet, past.box) || this.#isAllElsewhere(past))) return until;
    const [lat, lon] = [past.column('lat'), past.column('lon')];
    for (let i = from; i < until; i++) {
      if (isWithin(quiet, lat[i] as number, lon[i] as number)) continue;
      // The same side of every edge goes on around this fix, if the one before is there, too.
      const around = i === 0 ? null : this.#quietAt(lat[i] as number, lon[i] as number);
      if (around === null || !isWithin(around, lat[i - 1] as number, lon[i - 1] as number)) return i;
      quiet = around;
      this.#quietFor = quiet;
    }
    return until;
  }

  /** It is in no geofence, and there is none where it was in these hours, nor in those before. */
  #isAllElsewhere(past: Past): boolean {
    const before = this.#pasts.findLast(({ count }, nth) => count > 0 && nth < this.#pasts.length - 1);
    return before !== undefined && this.#follower.isFarFromAll(around(before.box, past.box));
  }

  /** Each fix says something of the tank, which is followed as far as nothing is lost. */
  #nextOfFuel(past: Past, from: number, until: number): number {
    const [time, lat, lon] = [past.column('time'), past.column('lat'), past.column('lon')];
    const [speed, ignition, fuel] = [past.column('speed'), past.column('ignition'), past.column('fuel')];
    // One object for all of them: millions of its like take longer to make than to look at.
    const said: { -readonly [Key in keyof FuelReading]: FuelReading[Key] } = {
      ...{ time: epochMs(0), lat: degrees(0), lon: degrees(0) },
      ...{ speed: null, ignition: null, fuel: null },
    };
    for (let i = from; i < until; i++) {
      said.time = time[i] as EpochMs;
      said.lat = lat[i] as LatLon['lat'];
      said.lon = lon[i] as LatLon['lon'];
      said.speed = speed[i] ?? null;
      said.ignition = ignition[i] ?? null;
      said.fuel = fuel[i] ?? null;
      if (!this.#follower.passFuel(said)) return i;
    }
    return until;
  }

  #quiet(): Quiet | null {
    if (this.#quietFor !== null) return this.#quietFor;
    const [past, i] = this.#known;
    const known = this.#pasts[past];
    if (!known || i < 0) return null;
    this.#quietFor = this.#quietAt(known.column('lat')[i] as number, known.column('lon')[i] as number);
    return this.#quietFor;
  }

  #quietAt(lat: number, lon: number): Quiet | null {
    const within = this.#follower.quietWithin({ lat, lon } as LatLon);
    return within <= 0 ? null : { lat, lon, within: within * within, ...scaleAt(lat) };
  }

  /** Tells the follower how the vehicle has moved until a fix: from its last stop on, which forgets what was before. */
  #catchUp(past: number, fix: number, at: number): void {
    const [knownPast, knownFix] = this.#known;
    let [from, i] = [past, fix];
    let isStop = false;
    while (!isStop) {
      let [before, j] = [from, i - 1];
      while (j < 0 && before > 0) j = (this.#pasts[--before] as Past).count - 1;
      if (j < 0 || (before === knownPast && j <= knownFix) || before < knownPast) break;
      [from, i] = [before, j];
      if (!this.#isAboutMotion) break;
      const one = this.#pasts[from] as Past;
      const isOld = (one.column('time')[i] as number) < at - STOP_AFTER_MS;
      isStop = isOld && isStanding(one.column('speed')[i] ?? null, one.column('ignition')[i] ?? null);
    }
    for (; from < past; from++, i = 0) this.#pass(this.#pasts[from] as Past, i, (this.#pasts[from] as Past).count);
    this.#pass(this.#pasts[past] as Past, i, fix);
    this.#known = [past, fix - 1];
  }

  #pass(past: Past, from: number, to: number): void {
    if (from >= to) return;
    const [time, lat, lon] = [past.column('time'), past.column('lat'), past.column('lon')];
    const [speed, ignition] = [past.column('speed'), past.column('ignition')];
    // That of the last one is asked for.
    const { card } = past.fix(to - 1);
    for (let i = from; i < to; i++) {
      const motion: MotionFix = {
        time: time[i] as EpochMs,
        lat: lat[i] as LatLon['lat'],
        lon: lon[i] as LatLon['lon'],
        speed: (speed[i] ?? null) as MotionFix['speed'],
        ignition: ignition[i] ?? null,
      };
      this.#follower.pass(motion, card);
    }
  }
}

/** Triggers that look at whether a vehicle drives. */
const IN_MOTION: ReadonlySet<RuleTrigger['kind']> = new Set(['drive', 'unidentified', 'tow'] as const);

/** The first fix from a moment on. */
function firstAt(time: ArrayLike<number>, from: number, at: number): number {
  let [low, high] = [from, time.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((time[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const around = (one: Box, other: Box): Box => ({
  south: Math.min(one.south, other.south),
  west: Math.min(one.west, other.west),
  north: Math.max(one.north, other.north),
  east: Math.max(one.east, other.east),
});

function isWithin({ east, lat, lon, north, within }: Quiet, atLat: number, atLon: number): boolean {
  const y = (atLat - lat) * north;
  const x = (near(atLon, lon) - lon) * east;
  return x * x + y * y < within;
}

/** Both sides of the 180th meridian look like all of the Earth. */
const isAllWithin = (quiet: Quiet, { east, north, south, west }: Box): boolean =>
  east - west < 180 &&
  isWithin(quiet, south, west) &&
  isWithin(quiet, south, east) &&
  isWithin(quiet, north, west) &&
  isWithin(quiet, north, east);
