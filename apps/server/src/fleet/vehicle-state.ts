import { FIX_DOUBTS, type LiveState } from '@milepost/contract';
import {
  advanceMotion,
  doubtsOf,
  type FixDoubt,
  type MotionState,
  type ReportedFix,
  UNKNOWN_MOTION,
} from '@milepost/geo';
import { type EpochMs, epochMs } from '@milepost/units';
import type { ReceivedPosition, StoredPosition } from '../tracks/stored-position.ts';

/** A vehicle's state after its messages so far; the row of `vehicle_state`. */
export interface VehicleState {
  /** When the server last heard from the tracker. */
  readonly heardAt: EpochMs;
  readonly motion: MotionState;
  /** The newest position that counts as current. */
  readonly newest: StoredPosition | null;
}

/** A message as it arrived: one frame, packet or request, with all its positions. */
export interface ReceivedMessage {
  readonly receivedAt: EpochMs;
  readonly positions: readonly ReceivedPosition[];
}

/**
 * The next state after a message; `take` gets its rows, and whether each moved the state. Positions of a message
 * count in the order of their fix times, however the tracker ordered them. Late, doubted or repeated positions are
 * stored but do not change the state (invariant I6). The motion rules are those of packages/geo.
 */
export function advance(
  before: VehicleState | null,
  message: ReceivedMessage,
  take: (row: StoredPosition, isNew: boolean) => void,
): VehicleState {
  let motion = before?.motion ?? UNKNOWN_MOTION;
  let newest = before?.newest ?? null;
  const newestBefore = motion.fixAt;
  for (const position of inFixOrder(message.positions)) {
    const fix = asReportedFix(position);
    const doubts = doubtsOf(motion.place, fix, position.receivedAt);
    const row: StoredPosition = {
      ...position,
      late: newestBefore !== null && position.fixAt < newestBefore,
      doubts: doubtBits(doubts),
    };
    const advanced = advanceMotion(motion, { ...fix, doubts });
    take(row, advanced.fixAt !== motion.fixAt);
    motion = advanced;
    // Late: the newest fix so far may be a doubted one, which is newer than `newest`.
    if (doubts.length === 0 && !row.late && (newest === null || row.fixAt > newest.fixAt)) newest = row;
  }
  return { heardAt: epochMs(Math.max(before?.heardAt ?? 0, message.receivedAt)), motion, newest };
}

/** The same for a stored position, with the doubts found when it was stored. It must not be late. */
export function advanceStored(before: VehicleState, position: StoredPosition): VehicleState {
  const { newest } = before;
  return {
    heardAt: epochMs(Math.max(before.heardAt, position.receivedAt)),
    motion: advanceMotion(before.motion, { ...asReportedFix(position), doubts: doubtsFromBits(position.doubts) }),
    newest: position.doubts === 0 && (newest === null || position.fixAt > newest.fixAt) ? position : newest,
  };
}

/** Whether `state` follows from more than `known` does: a newer fix, or a later sign of life. */
export function isNewer(state: VehicleState, known: VehicleState | null): boolean {
  if (known === null) return true;
  const [fixAt, knownFixAt] = [state.motion.fixAt ?? 0, known.motion.fixAt ?? 0];
  return fixAt === knownFixAt ? state.heardAt > known.heardAt : fixAt > knownFixAt;
}

/** The live state in the contract's form. */
export function toLiveState(state: VehicleState | null, isPrivate = false): LiveState {
  const { motion, since, fixAt, gpsValid, interval, place } = state?.motion ?? UNKNOWN_MOTION;
  return {
    motion,
    motionSince: iso(since),
    fixAt: iso(fixAt),
    heardAt: iso(state?.heardAt ?? null),
    gpsValid,
    intervalS: interval,
    lat: place?.lat ?? null,
    lon: place?.lon ?? null,
    ...(isPrivate && { private: true as const }),
  };
}

function inFixOrder(positions: readonly ReceivedPosition[]): readonly ReceivedPosition[] {
  return positions.length < 2 ? positions : positions.toSorted((a, b) => a.fixAt - b.fixAt);
}

const asReportedFix = ({ fixAt, lat, lon, speed, course, ignition, valid }: ReceivedPosition): ReportedFix => ({
  time: fixAt,
  lat,
  lon,
  speed,
  course,
  ignition,
  valid,
});

function doubtBits(doubts: readonly FixDoubt[]): number {
  let bits = 0;
  for (const doubt of doubts) bits |= 1 << FIX_DOUBTS.indexOf(doubt);
  return bits;
}

export const doubtsFromBits = (bits: number): FixDoubt[] => FIX_DOUBTS.filter((_, bit) => (bits >> bit) & 1);

const iso = (time: EpochMs | null): string | null => (time === null ? null : new Date(time).toISOString());
