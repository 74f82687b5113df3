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

/** What a status is computed from, apart from the clock: `{ ...motionState, heardAt }` is one. */
export interface LiveVehicle {
  readonly motion: Motion | null;
  readonly since: EpochMs | null;
  /** Time of the newest fix, by the tracker's clock. */
  readonly fixAt: EpochMs | null;
  /** When the server last heard from the tracker, with or without a place. */
  readonly heardAt: EpochMs | null;
  readonly gpsValid: boolean;
  readonly interval: Seconds | null;
  /** The vehicle is in private mode: nothing else is shown about it. */
  readonly private?: boolean;
}

/** The rule that decided, with the values it compared: what "why?" on a status chip answers. */
export type StatusReason = { readonly fixAt: EpochMs | null; readonly heardAt: EpochMs | null } & (
  | { readonly rule: 'private' | 'no-data' | 'no-gps' | Motion }
  | { readonly rule: 'offline'; readonly silentMs: number; readonly limitMs: number }
  | {
      readonly rule: 'outdated';
      /** Age of the last report that says where the vehicle was. */
      readonly ageMs: number;
      readonly limitMs: number;
      readonly interval: Seconds | null;
      readonly lastMotion: Motion;
    }
);

export interface StatusNow {
  readonly status: VehicleStatus;
  /** Since when, by the tracker's clock; for outdated and offline the moment of the last report. */
  readonly sinceMs: EpochMs | null;
  readonly reason: StatusReason;
}

/**
 * One vocabulary and one computation for server, list, map and reports. The first matching rule decides:
 * private → no-data (no fix ever) → offline (nothing heard for 24 h) → outdated (moving or idling when last seen, and
 * its newest fix or the last sign of life older than max(4 × interval, 10 min)) → no-gps (the newest fix is not to be
 * believed) → moving, idling, stopped as the motion detector says.
 *
 * A tracker that is heard but sends old fixes, out of its memory or with a wrong clock, is outdated and not moving:
 * the place on the map is where the vehicle was, not where it is.
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
