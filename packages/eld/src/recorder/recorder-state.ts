import type { EpochMs, MetresPerSecond } from '@milepost/units';
import type { DutyState, Indication, RecordOrigin } from '../event/codes.ts';
import type { VehicleMotion } from './vehicle-motion.ts';

/** What the recorder of one vehicle knows. Plain JSON: it is stored and read back as it is. */
export interface RecorderState {
  /** Time of the last input; what is older comes too late. */
  readonly at: EpochMs;
  /** The log of who is signed in and drives; null is the unidentified driver (Appendix A, 4.1.5). */
  readonly driver: string | null;
  readonly status: DutyState;
  readonly indication: Indication;
  /** What the carrier lets this driver indicate; nothing by default (4.3.3.1.1). */
  readonly mayIndicate: Readonly<Record<Exclude<Indication, 'none'>, boolean>>;
  readonly motion: VehicleMotion;
  readonly engineOn: boolean;
  /** Since when the vehicle has not moved, or the driver has confirmed to be driving still. */
  readonly standingSince: EpochMs | null;
  readonly question: Question | null;
  /** Time of the last duty status or intermediate log. */
  readonly lastLogAt: EpochMs | null;
}

/** What the driver is asked: `still-driving` after five minutes, `personal-use` when the engine starts again. */
export interface Question {
  readonly kind: 'still-driving' | 'personal-use';
  readonly askedAt: EpochMs;
}

export type RecorderInput = { readonly at: EpochMs } & (
  | { readonly kind: 'sample'; readonly speed: MetresPerSecond; readonly engineOn: boolean }
  /** Time goes by; `nextMoment` says when this is worth while. */
  | { readonly kind: 'tick' }
  | { readonly kind: 'select-status'; readonly status: DutyState }
  | { readonly kind: 'indicate'; readonly indication: Indication }
  /** Yes to the question. */
  | { readonly kind: 'confirm' }
  | {
      readonly kind: 'sign-in';
      readonly driver: string;
      readonly status: DutyState;
      readonly mayIndicate: RecorderState['mayIndicate'];
    }
  | { readonly kind: 'sign-out' }
);

/** An event that is to be recorded, without what instruments say: `compose` adds that. */
export interface Mark {
  readonly at: EpochMs;
  readonly type: 1 | 2 | 3 | 5 | 6;
  readonly code: number;
  readonly origin: RecordOrigin;
  /** Whose log; null is the unidentified driver’s. */
  readonly driver: string | null;
  /** In personal use: coarse place, no miles and hours (4.7.3). */
  readonly reduced: boolean;
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
  /** The input changed nothing, and why; late input is not refused but passed over. */
  readonly refusal: RecorderRefusal | null;
}
