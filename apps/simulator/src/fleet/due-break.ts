import type { Character } from './character.ts';
import { dayNumberAt, planDay } from './day.ts';
import { minuteAt } from './week.ts';

/** A break is due after 8 hours of driving (49 CFR 395.3(a)(3)(ii)): 25 minutes more than that. */
export const DRIVEN_S = (8 * 60 - 25) * 60;
/** A log counts driving until nobody has answered whether it goes on, six minutes after the vehicle stopped (4.4.1.2). */
export const ASKED_FOR_S = 6 * 60;
const A_DAY_MIN = 24 * 60;
const A_WEEK_MIN = 7 * A_DAY_MIN;
/** Five shifts a week at the same hour: today's is the fourth. */
const SHIFTS = [-3, -2, -1, 0, 1] as const;

/**
 * For a character with a break due, the one whose shift began so long before a moment that its driver has driven without a break all but the last
 * 25 minutes that are allowed: the demo shows such a driver whenever it begins. `at` in epoch seconds.
 */
export function withDueBreak(character: Character, at: number): Character {
  if (!character.hasDueBreak) return character;
  const beginningAt = (time: number): Character => {
    const minutes = SHIFTS.map(day => (minuteAt(time) + day * A_DAY_MIN + A_WEEK_MIN) % A_WEEK_MIN);
    const week = minutes.map(minute => ({ minute, part: 'whole' as const })).sort((a, b) => a.minute - b.minute);
    const found = { ...character, week };
    // A shift may begin a few minutes early.
    return { ...found, longStretch: dayNumberAt(found, time + 3600) };
  };
  const first = beginningAt(at);
  const { activities, from: start } = planDay(first, first.longStretch ?? 0);
  let driven = 0;
  for (const { from, to } of activities.filter(activity => activity.kind === 'driving')) {
    if (driven + to - from >= DRIVEN_S) return beginningAt(at - (from - start + DRIVEN_S - driven));
    driven += to - from + ASKED_FOR_S;
  }
  return character;
}
