import type { EpochMs } from '@milepost/units';
import { isStanding } from '../fences/candidate.ts';
import { near, scaleAt } from '../fences/ellipsoid.ts';
import type { FenceIndex } from '../fences/fence-index.ts';
import { STOP_AFTER_MS } from '../fences/follower.ts';
import type { LatLon } from '../fix.ts';
import { isBeyond } from './measured.ts';
import type { RuleEvent, RuleFix, RuleTrigger, WatchedRule } from './rule.ts';
import { RuleFollower } from './rule-follower.ts';

/** What rules look at, as columns. */
export interface PastColumns {
  readonly time: ArrayLike<number>;
  readonly lat: ArrayLike<number>;
  readonly lon: ArrayLike<number>;
  readonly speed: ArrayLike<number | null>;
  readonly ignition: ArrayLike<boolean | null>;
  readonly temperature: ArrayLike<number | null>;
  readonly supply: ArrayLike<number | null>;
  readonly battery: ArrayLike<number | null>;
  readonly fuel: ArrayLike<number | null>;
}

/** Reliable fixes of some hours in the order of time; a column is only unpacked when it is looked at. */
export interface Past {
  readonly count: number;
  readonly lastAt: number;
  /** Degrees, of all fixes, or of more. */
  readonly box: { readonly south: number; readonly west: number; readonly north: number; readonly east: number };
  column<Name extends keyof PastColumns>(name: Name): PastColumns[Name];
  fix(i: number): RuleFix;
  /** Columns are hardly needed any more; they are unpacked again if they are. */
  forget(): void;
}

/** Someone else who wants to see the fixes at which something changes. */
export interface Onlooker {
  take(fix: RuleFix): void;
  /** The first moment at which a fix matters because of the time; null if none does. */
  nextDue(): number | null;
}

/** Around the last fix that was taken. */
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
  readonly #triggers: readonly RuleTrigger[];
  readonly #follower: RuleFollower;
  readonly #isAboutPlaces: boolean;
  readonly #isAboutFuel: boolean;
  readonly #onlooker: Onlooker | null;
  readonly #pasts: Past[] = [];
  /** The last fix that the follower knows of. */
  #known: readonly [past: number, fix: number] = [0, -1];
  #taken = 0;
  /** What the ignition was last, by trigger. */
  readonly #ignition = new Map<RuleTrigger, boolean>();

  constructor(fences: FenceIndex, rules: readonly WatchedRule[], onlooker: Onlooker | null = null) {
    const ofRules = rules.map(({ trigger }) => ({ ...trigger, longer: 0 }) as RuleTrigger);
    this.#triggers = [...new Map(ofRules.map(each => [JSON.stringify(each, listed), each])).values()];
    this.#follower = new RuleFollower(fences, rules);
    this.#isAboutPlaces = fences.size > 0;
    this.#isAboutFuel = rules.some(({ trigger }) => trigger.kind === 'fuel');
    this.#onlooker = onlooker;
  }

  /** The next hours. */
  take(past: Past): RuleEvent[] {
    const events: RuleEvent[] = [];
    const nth = this.#pasts.push(past) - 1;
    this.#pasts[nth - 2]?.forget();
    if (past.count === 0) return events;
    const marks = this.#marked(past);
    let i = 0;
    while (i < past.count) {
      i = this.#nextThatMatters(past, i, marks);
      if (i >= past.count) break;
      const fix = past.fix(i);
      this.#catchUp(nth, i, fix.time);
      for (const event of this.#follower.take(fix)) events.push(event);
      this.#onlooker?.take(fix);
      this.#known = [nth, i];
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
    let until = past.count;
    if (due <= past.lastAt) {
      const time = past.column('time');
      until = from;
      while ((time[until] as number) < due) until++;
    }
    if (marks !== null) {
      const marked = marks.indexOf(1, from);
      if (marked >= 0) until = Math.min(until, marked);
    }
    if (this.#isAboutFuel) return this.#nextOfFuel(past, from, until);
    if (!this.#isAboutPlaces) return until;
    const quiet = this.#quiet();
    if (quiet === null) return from;
    if (from === 0 && isAllWithin(quiet, past.box)) return until;
    const [lat, lon] = [past.column('lat'), past.column('lon')];
    for (let i = from; i < until; i++) if (!isWithin(quiet, lat[i] as number, lon[i] as number)) return i;
    return until;
  }

  /** Each fix says something of the tank, which is followed as far as nothing is lost. */
  #nextOfFuel(past: Past, from: number, until: number): number {
    const quiet = this.#isAboutPlaces ? this.#quiet() : null;
    if (this.#isAboutPlaces && quiet === null) return from;
    const [time, lat, lon] = [past.column('time'), past.column('lat'), past.column('lon')];
    const [speed, ignition, fuel] = [past.column('speed'), past.column('ignition'), past.column('fuel')];
    for (let i = from; i < until; i++) {
      const place = { lat: lat[i] as LatLon['lat'], lon: lon[i] as LatLon['lon'] };
      if (quiet !== null && !isWithin(quiet, place.lat, place.lon)) return i;
      const said = { speed: speed[i] ?? null, ignition: ignition[i] ?? null, fuel: fuel[i] ?? null };
      if (!this.#follower.passFuel({ time: time[i] as EpochMs, ...place, ...said })) return i;
    }
    return until;
  }

  #quiet(): Quiet | null {
    const [past, i] = this.#known;
    const known = this.#pasts[past];
    const within = this.#follower.quietWithin();
    if (!known || i < 0 || within <= 0) return null;
    const [lat, lon] = [known.column('lat')[i] as number, known.column('lon')[i] as number];
    return { lat, lon, within: within * within, ...scaleAt(lat) };
  }

  /** Fixes of which what they say matters, wherever they are; null if none can. */
  #marked(past: Past): Uint8Array | null {
    let marks: Uint8Array | null = null;
    for (const trigger of this.#triggers) {
      const matters = this.#mattersTo(trigger, past);
      if (matters === null) continue;
      for (let i = 0; i < past.count; i++) {
        if (!matters(i)) continue;
        marks ??= new Uint8Array(past.count);
        marks[i] = 1;
      }
    }
    return marks;
  }

  #mattersTo(trigger: RuleTrigger, past: Past): ((i: number) => boolean) | null {
    switch (trigger.kind) {
      case 'speed': {
        const speed = past.column('speed');
        return i => (speed[i] ?? -1) >= trigger.over;
      }
      case 'limit': {
        const speed = past.column('speed');
        const least = Math.min(...trigger.over.values());
        return i => (speed[i] ?? -1) >= least;
      }
      case 'idle': {
        const [speed, ignition] = [past.column('speed'), past.column('ignition')];
        return i => ignition[i] === true && isStanding(speed[i] ?? null, true);
      }
      case 'drive':
      case 'unidentified':
      case 'tow': {
        const [speed, ignition] = [past.column('speed'), past.column('ignition')];
        const isTow = trigger.kind === 'tow';
        return i => !isStanding(speed[i] ?? null, ignition[i] ?? null) && (!isTow || ignition[i] === false);
      }
      case 'ignition': {
        const ignition = past.column('ignition');
        return i => {
          const now = ignition[i] ?? null;
          const isTurned = now !== null && now !== this.#ignition.get(trigger);
          if (now !== null) this.#ignition.set(trigger, now);
          return isTurned;
        };
      }
      case 'temperature':
      case 'voltage':
      case 'battery': {
        const what = trigger.kind === 'voltage' ? 'supply' : trigger.kind;
        const column = past.column(what);
        return i =>
          column[i] !== null && isBeyond(trigger, { [what]: column[i] } as unknown as RuleFix, false) === true;
      }
      default:
        return null;
    }
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
      const one = this.#pasts[from] as Past;
      const isOld = (one.column('time')[i] as number) < at - STOP_AFTER_MS;
      isStop = isOld && isStanding(one.column('speed')[i] ?? null, one.column('ignition')[i] ?? null);
    }
    for (; from < past; from++, i = 0) {
      const one = this.#pasts[from] as Past;
      for (; i < one.count; i++) this.#follower.pass(one.fix(i));
    }
    const last = this.#pasts[past] as Past;
    for (; i < fix; i++) this.#follower.pass(last.fix(i));
    this.#known = [past, fix - 1];
  }
}

const listed = (_name: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

function isWithin({ east, lat, lon, north, within }: Quiet, atLat: number, atLon: number): boolean {
  const y = (atLat - lat) * north;
  const x = (near(atLon, lon) - lon) * east;
  return x * x + y * y < within;
}

/** Both sides of the 180th meridian look like all of the Earth. */
const isAllWithin = (quiet: Quiet, { east, north, south, west }: Past['box']): boolean =>
  east - west < 180 &&
  isWithin(quiet, south, west) &&
  isWithin(quiet, south, east) &&
  isWithin(quiet, north, west) &&
  isWithin(quiet, north, east);
