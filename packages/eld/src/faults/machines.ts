import { type EpochMs, epochMs, toMiles } from '@milepost/units';
import type { FaultState, Wanted } from './fault-state.ts';
import type { Observation, ObservationKind } from './observation.ts';
import { totalOf, withStretch } from './rolling-day.ts';

/** One state machine for each kind of observation (Appendix A, 4.6.1): what it remembers, and which faults it sets. */

type Of<K extends ObservationKind> = Extract<Observation, { readonly kind: K }>;
export interface Finding {
  readonly remember: Partial<FaultState>;
  readonly wanted: Wanted;
}
type Machines = { readonly [K in ObservationKind]: (state: FaultState, observation: Of<K>) => Finding };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Must be fully functional within a minute of engine power (4.3.1.1). */
const READY_WITHIN = MINUTE;
const MOST_MISSED_DRIVING = 30 * MINUTE;
/** A source must answer within five seconds of need (4.6.1.2). */
const SOURCE_WITHIN = 5 * SECOND;
const MOST_WITHOUT_SOURCES = 30 * MINUTE;
const MOST_CLOCK_OFFSET = 10 * MINUTE;
const FIX_WITHIN_MILES = 5;
const MOST_WITHOUT_FIX = 60 * MINUTE;
/** Transfer self-checks: weekly, then daily after a failed one; three more failures are a malfunction (4.6.1.7). */
const TRANSFER_EVERY = 7 * DAY;
const TRANSFER_AGAIN_EVERY = DAY;
const TRANSFER_FAILURES = 4;
const MOST_UNIDENTIFIED = 30 * MINUTE;
const FEW_UNIDENTIFIED = 15 * MINUTE;

export const MACHINES: Machines = {
  powered: (_, { at, engineOnAt }) => ({ remember: {}, wanted: { '1': at - engineOnAt > READY_WITHIN } }),

  'missed-driving': (state, { at, from, to }) => {
    const missedDriving = withStretch(state.missedDriving, from, Math.min(to, at));
    return {
      remember: { missedDriving },
      wanted: { '1': true, P: totalOf(missedDriving, at) >= MOST_MISSED_DRIVING },
    };
  },

  'engine-sources': (state, { at, available }) => {
    const since = state.sourcesLostSince;
    const sourcesLost = since === null ? state.sourcesLost : withStretch(state.sourcesLost, since, at);
    const lostFor = since === null ? 0 : at - since;
    return {
      remember: { sourcesLost, sourcesLostSince: available ? null : (since ?? at) },
      wanted: {
        '2': !available && (lostFor > SOURCE_WITHIN || state.active.includes('2')),
        E: totalOf(sourcesLost, at) > MOST_WITHOUT_SOURCES,
      },
    };
  },

  clock: (_, { offset }) => ({ remember: {}, wanted: { T: !(Math.abs(offset) <= MOST_CLOCK_OFFSET) } }),

  position: (state, { at, valid, since }) => {
    const isLost = !valid && toMiles(since) > FIX_WITHIN_MILES;
    const lostSince = state.fixLostSince;
    const fixLost = lostSince === null ? state.fixLost : withStretch(state.fixLost, lostSince, at);
    return {
      remember: { fixLost, fixLostSince: isLost ? (lostSince ?? at) : null },
      wanted: { L: totalOf(fixLost, at) > MOST_WITHOUT_FIX },
    };
  },

  recording: (_, { works }) => ({ remember: {}, wanted: { R: !works } }),
  elements: (_, { complete }) => ({ remember: {}, wanted: { '3': !complete } }),

  transfer: (state, { at, confirmed }) => {
    const transferFailures = confirmed ? 0 : state.transferFailures + 1;
    const nextTransferCheck = epochMs(at + (confirmed ? TRANSFER_EVERY : TRANSFER_AGAIN_EVERY));
    return {
      remember: { transferFailures, nextTransferCheck },
      wanted: { '4': !confirmed, S: transferFailures >= TRANSFER_FAILURES },
    };
  },

  unidentified: (state, { at, driving, periodStart }) => {
    const within = (from: EpochMs | number): number =>
      driving.reduce((sum, stretch) => sum + Math.max(0, Math.min(stretch.to, at) - Math.max(stretch.from, from)), 0);
    const isMuch = within(at - DAY) > MOST_UNIDENTIFIED;
    const isStill = state.active.includes('5') && within(periodStart) > FEW_UNIDENTIFIED;
    return { remember: {}, wanted: { '5': isMuch || isStill } };
  },
};
