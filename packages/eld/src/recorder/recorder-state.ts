import type { EpochMs, MetresPerSecond } from '@milepost/units';
import type { DutyState, Indication, RecordOrigin } from '../event/codes.ts';
import type { VehicleMotion } from './vehicle-motion.ts';

/** The recorder's state for one vehicle. Plain JSON, stored as it is. */
export interface RecorderState {
  /** Time of the last input; older input is ignored. */
  readonly at: EpochMs;
  /** The log of the signed-in driver; null is the unidentified driver (Appendix A, 4.1.5). */
  readonly driver: string | null;
  readonly status: DutyState;
  /** No record says so yet: the driver's log is empty, and the first status that is chosen is recorded. */
  readonly isFirst?: boolean;
  readonly indication: Indication;
  /** What the carrier allows this driver to indicate; nothing by default (4.3.3.1.1). */
  readonly mayIndicate: Readonly<Record<Exclude<Indication, 'none'>, boolean>>;
  readonly motion: VehicleMotion;
  /** Null until the first sample says. */
  readonly engineOn: boolean | null;
  /** When the vehicle stopped, or when the driver last confirmed to be still driving. */
  readonly standingSince: EpochMs | null;
  readonly question: Question | null;
  /** Time of the last duty status or intermediate log. */
  readonly lastLogAt: EpochMs | null;
}

/**
 * A question to the driver: `still-driving` after five minutes at rest, `personal-use` when the engine is restarted.
 */
export interface Question {
  readonly kind: 'still-driving' | 'personal-use';
  readonly askedAt: EpochMs;
}

export type RecorderInput = { readonly at: EpochMs } & (
  | { readonly kind: 'sample'; readonly speed: MetresPerSecond; readonly engineOn: boolean }
  /** Time passes; `nextMoment` tells when a tick is needed. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'select-status'; readonly status: DutyState }
  | { readonly kind: 'indicate'; readonly indication: Indication }
  /** Answers yes to the question. */
  | { readonly kind: 'confirm' }
  | {
      readonly kind: 'sign-in';
      readonly driver: string;
      readonly status: DutyState;
      readonly mayIndicate: RecorderState['mayIndicate'];
      /** Their log has no status yet. */
      readonly isFirst?: boolean;
      /** Takes the wheel from the co-driver: both stay signed in, so nobody signs in or out. */
      readonly inTeam?: boolean;
    }
  | { readonly kind: 'sign-out' }
);

/** An event to record, without the instrument readings, which `compose` adds. */
export interface Mark {
  readonly at: EpochMs;
  readonly type: 1 | 2 | 3 | 5 | 6;
  readonly code: number;
  readonly origin: RecordOrigin;
  /** The driver's log; null is the unidentified driver’s. */
  readonly driver: string | null;
  /** In personal use: reduced location precision, no miles or hours (4.7.3). */
  readonly reduced: boolean;
  /** What the driver wrote with it. */
  readonly annotation?: string;
}

export const RECORDER_REFUSALS = {
  'in-motion': 'Stop the vehicle first.',
  'nobody-signed-in': 'Sign in first.',
  'no-change': 'This is already the status.',
  'not-allowed': 'The carrier does not allow this for the driver.',
  'nothing-asked': 'There is no question to answer.',
} as const;
export type RecorderRefusal = keyof typeof RECORDER_REFUSALS;

export interface Step {
  readonly state: RecorderState;
  readonly marks: readonly Mark[];
  /** Why the input changed nothing; late input is ignored without a refusal. */
  readonly refusal: RecorderRefusal | null;
}
