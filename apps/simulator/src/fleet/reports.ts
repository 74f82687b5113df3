import type { PositionMessage } from '@milepost/decoders';
import type { LegRun } from '../drive/leg-run.ts';
import type { Character } from './character.ts';
import { type Activity, type Day, dayNumberAt, odometerBefore, planDay, runOf } from './day.ts';
import { type FleetEvent, fleetEvents } from './events.ts';
import { hasFix, readInstruments } from './instruments.ts';

/** How often a tracker reports, in seconds. */
export interface Pace {
  readonly driving: number;
  readonly idling: number;
  readonly parked: number;
}

export const livePace = (character: Character): Pace => ({ driving: character.reportEvery, idling: 30, parked: 300 });

/**
 * One tracker's reports between two moments (epoch seconds, from < time ≤ to), in order; the same however the time is
 * split into calls.
 */
export interface Reporter {
  (from: number, to: number, pace: Pace): Generator<PositionMessage>;
  /** What the vehicle is planned to do at a moment; null if nothing is planned. */
  activityAt(time: number): Activity | null;
}

export function createReporter(character: Character): Reporter {
  const days = new Map<number, Day>();
  const dayOf = (number: number): Day => {
    const known = days.get(number);
    if (known) return known;
    // Days are requested in order, one after the other.
    if (days.size > 1) days.clear();
    const planned = planDay(character, number);
    days.set(number, planned);
    return planned;
  };
  // A drive and the stop after it share a run.
  let last: { readonly seed: Activity['seed']; readonly run: LegRun } | null = null;
  const runFor = (activity: Activity): LegRun => {
    if (last?.seed !== activity.seed) last = { seed: activity.seed, run: runOf(activity) };
    return last.run;
  };

  function* reports(from: number, to: number, pace: Pace): Generator<PositionMessage> {
    for (let number = dayNumberAt(character, from); number <= dayNumberAt(character, to); number++) {
      const day = dayOf(number);
      const odometer = odometerBefore(character, number);
      for (const [index, activity] of day.activities.entries()) {
        if (activity.to <= from || activity.from > to) continue;
        const run = runFor(activity);
        const events = fleetEvents(character, activity, day.activities[index - 1], run);
        for (const { time, event } of moments(activity, events, pace[activity.kind])) {
          if (time <= from || time > to) continue;
          const second = activity.kind === 'driving' ? time - activity.from : run.duration;
          yield readInstruments(character, {
            time,
            event,
            activity,
            moment: run.at(second),
            hasFix: hasFix(character, activity),
            odometerBefore: odometer,
            secondsAtWork: Math.min(time, day.workEnds) - day.from,
          });
        }
      }
    }
  }
  const activityAt = (time: number): Activity | null => {
    const { activities } = dayOf(dayNumberAt(character, time));
    return activities.find(({ from, to }) => from <= time && time < to) ?? null;
  };
  return Object.assign(reports, { activityAt });
}

/**
 * Scheduled reports are at multiples of the interval, so that each call gives the same ones; events have their own
 * times.
 */
function* moments(
  { from, to }: Activity,
  events: readonly FleetEvent[],
  every: number,
): Generator<{ time: number; event: string | null }> {
  const left = [...events];
  for (let time = from; time < to; time = Math.floor(time / every + 1) * every) {
    while (left[0] && left[0].time < time) yield* left.splice(0, 1);
    const now = left[0]?.time === time ? left.shift() : undefined;
    yield { time, event: now?.event ?? null };
  }
  yield* left;
}
