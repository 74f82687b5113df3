import { type CommandEffect, commandKind } from '@milepost/contract';
import type { Change } from '../../ingest/change.ts';
import type { CommandRecord } from './record.ts';

/** Which effect the reports may show, and until when to look for it, in seconds after sending. */
export interface EffectRule {
  readonly withinS: number;
  /** Only reports after the tracker's answer count; earlier ones could mean anything. */
  readonly afterAnswer: boolean;
  /** What a new live position shows; null: nothing yet. */
  judge(command: CommandRecord, change: Change): 'seen' | 'not-seen' | null;
}

const HOUR_S = 3600;
/** A report that was already on its way when the command was sent shows nothing. */
const UNDER_WAY_MS = 2000;
/** An engine stop with the ignition off counts as effective if it is still off after this long. */
const STAYS_MS = 60_000;
const ODOMETER_METRES = 2000;
/** Trackers round their intervals, and networks delay. */
const INTERVAL_SLACK_S = 5;

const sinceSent = ({ publishedAt }: CommandRecord, { after }: Change): number =>
  (after.newest?.fixAt ?? 0) - (publishedAt ?? Number.POSITIVE_INFINITY);

const EFFECTS: Readonly<Record<CommandEffect, EffectRule>> = {
  position: {
    withinS: 300,
    afterAnswer: false,
    judge: (command, change) => (sinceSent(command, change) > -UNDER_WAY_MS ? 'seen' : null),
  },
  ignitionStaysOff: {
    withinS: HOUR_S,
    afterAnswer: true,
    judge: (command, change) => {
      const newest = change.after.newest;
      if (!newest || sinceSent(command, change) < 0) return null;
      if ((newest.speed ?? 0) > 0 && change.after.motion.motion === 'moving') return 'not-seen';
      return newest.ignition === false && sinceSent(command, change) >= STAYS_MS ? 'seen' : null;
    },
  },
  ignitionAllowed: {
    withinS: 24 * HOUR_S,
    afterAnswer: true,
    judge: (command, change) =>
      sinceSent(command, change) > 0 && change.after.newest?.ignition === true ? 'seen' : null,
  },
  reportsAtInterval: {
    withinS: HOUR_S,
    afterAnswer: true,
    judge: (command, { before, after }) => {
      const [from, to] = [before?.motion.fixAt, after.motion.fixAt];
      if (!from || !to || from < (command.publishedAt ?? Number.POSITIVE_INFINITY)) return null;
      const wanted = Number(command.params.seconds);
      return Math.abs((to - from) / 1000 - wanted) <= INTERVAL_SLACK_S + wanted / 10 ? 'seen' : null;
    },
  },
  odometer: {
    withinS: HOUR_S,
    afterAnswer: false,
    judge: (command, change) => {
      const odometer = change.after.newest?.odometer ?? null;
      if (odometer === null || sinceSent(command, change) < 0) return null;
      return Math.abs(odometer - Number(command.params.metres)) <= ODOMETER_METRES ? 'seen' : null;
    },
  },
};

/** Null if no effect of the command can be observed. */
export function effectRuleOf({ action, effect }: CommandRecord): EffectRule | null {
  const awaited = commandKind(action).effect;
  return effect === 'awaited' && awaited ? EFFECTS[awaited] : null;
}
