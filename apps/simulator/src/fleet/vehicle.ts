import type { PositionMessage } from '@milepost/decoders';
import type { CommandedVehicle } from '../tracker/behaviour.ts';
import type { Outbox } from '../tracker/outbox.ts';
import type { Character } from './character.ts';
import { isAwake, reachOf } from './coverage.ts';
import { createReporter, livePace, type Pace, type Reporter } from './reports.ts';
import { createSchedule } from './schedule.ts';

/** A vehicle with its tracker: measures as time passes and puts the reports into its outbox. */
export interface DrivenVehicle extends CommandedVehicle {
  readonly character: Character;
  /** Everything measured since the last call, up to `now` in epoch seconds. */
  drive(now: number): void;
  /** When its current stop began; `at` itself while it drives. Looks back as far as a long weekend. */
  parkedSince(at: number): number;
  /** Its engine runs from one moment to another; false if it is not parked all that time. */
  warmUp(from: number, to: number): boolean;
  /** Puts the history between two moments into the outbox. */
  recall(from: number, to: number): void;
}

/** A tracker's memory, in seconds: at full rate for a while, then at a lower rate, sufficient for a day's figures. */
const AS_MEASURED_FOR = 5400;
const COARSER_FOR = 86_400;
const LONG_WEEKEND = 4 * 86_400;
const coarser: Pace = { driving: 30, idling: 120, parked: 600 };
const coarsest = ({ keepsEvery }: Character): Pace => ({ driving: keepsEvery, idling: 180, parked: 900 });
/** After a longer silence, the newest report is sent first, and the stored ones follow. */
const SILENCE = 120;

export function driveVehicle(character: Character, outbox: Outbox, startedAt: number): DrivenVehicle {
  const schedule = createSchedule(createReporter(character), livePace(character));
  const past: Reporter = createReporter(character);
  const reachedUntil = reachOf(character, startedAt, createReporter(character));
  let measuredUntil = startedAt;

  const drive = (now: number): void => {
    if (!isAwake(character, now)) {
      outbox.rest();
      return;
    }
    const until = reachedUntil(now);
    if (until <= measuredUntil) return;
    const measured = schedule.measure(measuredUntil, until);
    const silent = until - measuredUntil > SILENCE;
    measuredUntil = until;
    if (measured.length === 0) return;
    outbox.add(silent ? measured.slice(-1) : measured);
    if (silent) outbox.addHistory(measured.slice(0, -1).values());
  };

  return {
    character,
    drive,
    parkedSince: at => {
      let since = at;
      while (at - since < LONG_WEEKEND) {
        const activity = past.activityAt(since - 1);
        if (activity?.kind !== 'parked') break;
        since = activity.from;
      }
      return since;
    },
    warmUp: (from, to) => {
      const activity = past.activityAt(from);
      if (activity?.kind !== 'parked' || activity.to <= to) return false;
      schedule.warmUp(from, to);
      return true;
    },
    recall: (from, to) => {
      const until = Math.min(to, reachedUntil(to));
      outbox.addHistory(memory(past, character, { from, to: until, startedAt }));
    },
    obey: (task, now) => {
      drive(now);
      schedule.change(task, now);
      const here = task.kind === 'trackOnDemand' ? schedule.positionAt(now) : null;
      if (here) outbox.add([here]);
    },
    positionAt: schedule.positionAt,
  };
}

function* memory(
  reports: Reporter,
  character: Character,
  { from, to, startedAt }: { readonly from: number; readonly to: number; readonly startedAt: number },
): Generator<PositionMessage> {
  const within = (time: number): number => Math.min(to, Math.max(from, time));
  const [long, short] = [within(startedAt - COARSER_FOR), within(startedAt - AS_MEASURED_FOR)];
  yield* reports(from, long, coarsest(character));
  yield* reports(long, short, coarser);
  yield* reports(short, to, livePace(character));
}
