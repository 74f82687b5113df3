import { driveLeg, type LegRun } from '../drive/leg-run.ts';
import { randomFrom } from '../drive/random.ts';
import type { Leg } from '../drive/tour-file.ts';
import type { Character } from './character.ts';
import { stopAfter } from './stop.ts';

/** What a vehicle does for a while. Times in epoch seconds, metres since the day began. */
export interface Activity {
  /** `idling`: standing with the engine on; `parked`: off. */
  readonly kind: 'driving' | 'idling' | 'parked';
  readonly from: number;
  readonly to: number;
  readonly metresBefore: number;
  /** Where it drives, or where it stands: at the end of this leg. */
  readonly leg: Leg;
  readonly seed: readonly (string | number)[];
}

/** A vehicle's day from one rest to the next, without a gap. */
export interface Day {
  readonly from: number;
  readonly to: number;
  readonly activities: readonly Activity[];
  readonly metres: number;
}

const DAY = 86_400;
const HURRY = 2 * 3600;

/** Days are counted from each vehicle's own start of the day. */
export const dayNumberAt = (character: Character, time: number): number =>
  Math.floor((time - character.dayBegins) / DAY);

export function planDay(character: Character, dayNumber: number): Day {
  const from = dayNumber * DAY + character.dayBegins;
  const to = from + DAY;
  const random = randomFrom('day', character.imei, dayNumber);
  const activities: Activity[] = [];
  let [time, metresBefore] = [from, 0];
  const add = (kind: Activity['kind'], seconds: number, leg: Leg, seed: readonly (string | number)[], metres = 0) => {
    const end = Math.min(time + seconds, to);
    if (end > time) activities.push({ kind, from: time, to: end, metresBefore, leg, seed });
    metresBefore += metres;
    time = end;
  };

  for (const [nth, round] of character.rounds.entries()) {
    for (const [index, leg] of round.entries()) {
      const seed = [character.imei, dayNumber, nth, index];
      const run = runOf({ leg, seed });
      add('driving', run.duration, leg, seed, run.distance);
      for (const { kind, seconds } of stopAfter(leg, random)) {
        // Late for home, nobody waits: the day must end where the next one begins.
        if (to - time > HURRY) add(kind, seconds, leg, seed);
      }
    }
  }
  const home = character.rounds.at(-1)?.at(-1);
  if (home) add('parked', to - time, home, [character.imei, dayNumber, 'rest']);
  return { from, to, activities, metres: metresBefore };
}

export const runOf = ({ leg, seed }: Pick<Activity, 'leg' | 'seed'>): LegRun => driveLeg(leg, randomFrom(...seed));
