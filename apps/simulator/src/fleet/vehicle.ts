import type { PositionMessage } from '@milepost/decoders';
import type { Outbox } from '../tracker/outbox.ts';
import type { Character } from './character.ts';
import { reachedUntil } from './coverage.ts';
import { createReporter, livePace, type Pace, type Reporter } from './reports.ts';

/** A vehicle with its tracker: measures as time goes on and hands the reports to its outbox. */
export interface DrivenVehicle {
  readonly character: Character;
  /** Everything measured since the last call, up to `now` in epoch seconds. */
  drive(now: number): void;
  /** What the tracker kept between two moments. */
  recall(from: number, to: number): void;
}

/** A tracker's memory, in seconds: as measured for a while, then coarser, fine enough for a day's figures. */
const AS_MEASURED_FOR = 5400;
const COARSER_FOR = 86_400;
const coarser: Pace = { driving: 30, idling: 120, parked: 600 };
const coarsest = ({ keepsEvery }: Character): Pace => ({ driving: keepsEvery, idling: 180, parked: 900 });
/** After a longer silence the newest report goes first and what was kept follows. */
const SILENCE = 120;

export function driveVehicle(character: Character, outbox: Outbox, startedAt: number): DrivenVehicle {
  const reports: Reporter = createReporter(character);
  const past: Reporter = createReporter(character);
  const pace = livePace(character);
  let measuredUntil = startedAt;

  return {
    character,
    drive: now => {
      const until = reachedUntil(character, now, startedAt);
      if (until <= measuredUntil) return;
      const measured = [...reports(measuredUntil, until, pace)];
      const silent = until - measuredUntil > SILENCE;
      measuredUntil = until;
      if (measured.length === 0) return;
      if (!silent) return outbox.add(measured);
      outbox.add(measured.slice(-1));
      outbox.addHistory(measured.slice(0, -1).values());
    },
    recall: (from, to) => {
      const until = Math.min(to, reachedUntil(character, to, startedAt));
      outbox.addHistory(memory(past, character, from, until));
    },
  };
}

function* memory(reports: Reporter, character: Character, from: number, to: number): Generator<PositionMessage> {
  const [long, short] = [Math.max(from, to - COARSER_FOR), Math.max(from, to - AS_MEASURED_FOR)];
  yield* reports(from, long, coarsest(character));
  yield* reports(long, short, coarser);
  yield* reports(short, to, livePace(character));
}
