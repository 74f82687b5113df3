import type { EpochMs, Seconds } from '@milepost/units';
import type { Motion } from './motion.ts';
import { DEFAULT_THRESHOLDS, outdatedLimitMs, type Thresholds } from './thresholds.ts';

export const VEHICLE_STATUSES = [
  'moving',
  'idling',
  'stopped',
  'outdated',
  'no-gps',
  'offline',
  'private',
  'no-data',
] as const;
export type VehicleStatus = (typeof VEHICLE_STATUSES)[number];

/** What a status is computed from, apart from the current time; `{ ...motionState, heardAt }` is enough. */
export interface LiveVehicle {
  readonly motion: Motion | null;
  readonly since: EpochMs | null;
  /** Time of the newest fix, by the tracker's clock. */
  readonly fixAt: EpochMs | null;
  /** When the server last received a message from the tracker, with or without a position. */
  readonly heardAt: EpochMs | null;
  readonly gpsValid: boolean;
  readonly interval: Seconds | null;
  /** The vehicle is in private mode: nothing else about it is shown. */
  readonly private?: boolean;
}

/** The rule that decided the status, with the values compared: the answer to "why?" on a status chip. */
export type StatusReason = { readonly fixAt: EpochMs | null; readonly heardAt: EpochMs | null } & (
  | { readonly rule: 'private' | 'no-data' | 'no-gps' | Motion }
  | { readonly rule: 'offline'; readonly silentMs: number; readonly limitMs: number }
  | {
      readonly rule: 'outdated';
      /** Age of the last report with a position. */
      readonly ageMs: number;
      readonly limitMs: number;
      readonly interval: Seconds | null;
      readonly lastMotion: Motion;
    }
);

export interface StatusNow {
  readonly status: VehicleStatus;
  /** Since when, by the tracker's clock; for outdated and offline, the time of the last report. */
  readonly sinceMs: EpochMs | null;
  readonly reason: StatusReason;
}

/**
 * One vocabulary and one computation for server, list, map and reports. The first matching rule decides: private →
 * no-data (never a fix) → offline (no message for 24 h) → outdated (moving or idling when last seen, and its newest fix
 * or last message older than max(4 × interval, 10 min)) → no-gps (the newest fix is unreliable) → moving, idling,
 * stopped, from the motion detector.
 *
 * A tracker that sends old fixes, from its memory or with a wrong clock, is outdated and not moving: the map shows
 * where the vehicle was, not where it is.
 */
export function vehicleStatus(live: LiveVehicle, now: EpochMs, thresholds: Thresholds = DEFAULT_THRESHOLDS): StatusNow {
  const { motion, since, fixAt, heardAt, interval } = live;
  const seen = { fixAt, heardAt };
  if (live.private) return { status: 'private', sinceMs: null, reason: { rule: 'private', ...seen } };
  if (fixAt === null || heardAt === null) {
    return { status: 'no-data', sinceMs: null, reason: { rule: 'no-data', ...seen } };
  }

  const silentMs = now - heardAt;
  if (silentMs > thresholds.offlineAfterMs) {
    const reason = { rule: 'offline', ...seen, silentMs, limitMs: thresholds.offlineAfterMs } as const;
    return { status: 'offline', sinceMs: heardAt, reason };
  }

  if (motion === 'moving' || motion === 'idling') {
    const ageMs = Math.max(silentMs, now - fixAt);
    const limitMs = outdatedLimitMs(interval, thresholds);
    if (ageMs > limitMs) {
      const reason = { rule: 'outdated', ...seen, ageMs, limitMs, interval, lastMotion: motion } as const;
      return { status: 'outdated', sinceMs: fixAt, reason };
    }
  }

  if (!live.gpsValid || motion === null) {
    return { status: 'no-gps', sinceMs: fixAt, reason: { rule: 'no-gps', ...seen } };
  }
  return { status: motion, sinceMs: since, reason: { rule: motion, ...seen } };
}
