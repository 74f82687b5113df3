import { driveLeg, type LegRun } from '../drive/leg-run.ts';
import { shapeOf } from '../drive/leg-shape.ts';
import { between, randomFrom } from '../drive/random.ts';
import type { Leg } from '../drive/tour-file.ts';
import type { Character } from './character.ts';
import { afterWork, beforeWork, mealBreak, type Standing, stopAfter } from './stop.ts';
import { type Part, timeOf, weekAt } from './week.ts';

/** What a vehicle does for a while. Times in epoch seconds, distances in meters since the day began. */
export interface Activity {
  /** `idling`: standing with the engine on; `parked`: with the engine off. */
  readonly kind: 'driving' | 'idling' | 'parked';
  readonly from: number;
  readonly to: number;
  readonly metresBefore: number;
  /** The leg that it drives, or at whose end it is standing. */
  readonly leg: Leg;
  readonly seed: readonly (string | number)[];
}

/** From the start of one shift to the start of the next, without a gap. */
export interface Day {
  readonly from: number;
  readonly to: number;
  /** When it is parked until the next shift. */
  readonly workEnds: number;
  readonly activities: readonly Activity[];
  readonly metres: number;
}

const HOUR = 3600;
/** A shift may begin this many seconds earlier or later than usual. */
const PUNCTUAL = 12 * 60;
/** The driver has a meal at the first stop after this long. */
const MEAL_AFTER = 3.6 * HOUR;
/** Who eats late does so after this much driving, when the rules soon ask for it. */
const LATE_MEAL_AFTER_DRIVING = 7.6 * HOUR;
/** Part of the time before the next shift that is reserved for rest; a driver who is late hurries. */
const REST: Readonly<Record<'anytime' | 'shift', number>> = { anytime: 2 * HOUR, shift: 10.2 * HOUR };
/** The share of shifts that are called off: no load, a cold, a day off. */
const OFF = 1 / 22;
/** Odometers count from Sunday, January 7, 2024. */
const FIRST_WEEK = 2819;

/** Shifts are numbered consecutively across weeks. */
export function dayNumberAt(character: Character, time: number): number {
  let number = (weekAt(time) + 1) * character.week.length;
  while (startOf(character, number) > time) number--;
  return number;
}

function startOf({ imei, longStretch, week }: Character, number: number): number {
  const nth = number % week.length;
  const isPunctual = number === longStretch;
  const late = isPunctual ? 0 : Math.round(between(randomFrom('start', imei, number), -PUNCTUAL, PUNCTUAL));
  return timeOf((number - nth) / week.length, week[nth]?.minute ?? 0) + late;
}

const partOf = ({ week }: Character, number: number): Part => week[number % week.length]?.part ?? 'whole';

/** The legs of a shift; empty if it is called off, which never happens to half of a long haul. */
function legsOf(character: Character, number: number): readonly Leg[] {
  const part = partOf(character, number);
  const isOneWay = part === 'out' || part === 'back';
  const mayBeOff = number !== character.longStretch && character.work !== 'anytime' && !isOneWay;
  if (mayBeOff && randomFrom('off', character.imei, number)() < OFF) return [];
  const routes = character.routes[part];
  const legs = routes[Math.floor(randomFrom('way', character.imei, number)() * routes.length)] ?? [];
  const [first, last] = [legs[0], legs.at(-1)];
  // There and back, and the first part of it once more.
  return number === character.longStretch && first && last ? [...legs, first, last] : legs;
}

export function planDay(character: Character, number: number): Day {
  const { imei, work } = character;
  const [from, to] = [startOf(character, number), startOf(character, number + 1)];
  const hurryFrom = to - REST[work === 'anytime' ? 'anytime' : 'shift'];
  // A long stretch is the same whichever shift it is.
  const seedOfDay = number === character.longStretch ? 'long' : number;
  const random = randomFrom('day', imei, seedOfDay);
  const activities: Activity[] = [];
  let [time, metresBefore] = [from, 0];
  const add = (kind: Activity['kind'], seconds: number, leg: Leg, seed: readonly (string | number)[], metres = 0) => {
    const end = Math.min(time + seconds, to);
    if (end > time) activities.push({ kind, from: time, to: end, metresBefore, leg, seed });
    metresBefore += metres;
    time = end;
  };
  const stand = (standing: readonly Standing[], leg: Leg, seed: readonly (string | number)[]) => {
    for (const { kind, seconds } of standing) add(kind, seconds, leg, seed);
  };

  const legs = legsOf(character, number);
  const begins = partOf(character, number) === 'back' ? character.farEnd : character.home;
  if (legs.length > 0) stand(beforeWork(random), begins, [imei, number, 'before']);
  const isHungry = () =>
    number === character.longStretch ? driven > LATE_MEAL_AFTER_DRIVING : time - from > MEAL_AFTER;
  let [hasEaten, driven] = [false, 0];
  for (const [index, leg] of legs.entries()) {
    const seed = [imei, seedOfDay, index];
    const run = runOf({ leg, seed });
    add('driving', run.duration, leg, seed, run.distance);
    // As a log counts it: six minutes more at each stop.
    driven += run.duration + 360;
    if (index === legs.length - 1) stand(afterWork(random), leg, seed);
    else if (!hasEaten && work !== 'anytime' && isHungry()) {
      hasEaten = true;
      stand(mealBreak(random), leg, seed);
    } else if (time < hurryFrom) stand(stopAfter(work, random), leg, seed);
  }
  const workEnds = time;
  add('parked', to - time, legs.at(-1) ?? begins, [imei, number, 'rest']);
  return { from, to, workEnds, activities, metres: metresBefore };
}

export const runOf = ({ leg, seed }: Pick<Activity, 'leg' | 'seed'>): LegRun => driveLeg(leg, randomFrom(...seed));

const odometers = new WeakMap<Character, number[]>();

/** Meters on the odometer when a shift begins: everything driven in earlier shifts. */
export function odometerBefore(character: Character, number: number): number {
  const known = odometers.get(character) ?? [character.odometer];
  odometers.set(character, known);
  const first = FIRST_WEEK * character.week.length;
  for (let next = first + known.length; next <= number; next++) {
    const driven = legsOf(character, next - 1).reduce((sum, leg) => sum + (shapeOf(leg).starts.at(-1) ?? 0), 0);
    known.push((known.at(-1) ?? 0) + driven);
  }
  return known[Math.max(0, number - first)] ?? character.odometer;
}
