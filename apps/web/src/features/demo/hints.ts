import type { Vehicle } from '@milepost/contract';
import { type Thresholds, vehicleStatus } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { timedState } from '../../live/live-message.ts';

export const HINTS = ['moving', 'idling', 'silent', 'asleep'] as const;
export type HintKind = (typeof HINTS)[number];

/** A vehicle that shows something interesting now, and since when. */
export interface Hint {
  readonly kind: HintKind;
  readonly imei: string;
  readonly name: string;
  readonly sinceMs: number | null;
}

/** Trackers parked for this long are asleep and rarely report. */
const ASLEEP_MS = 45 * 60_000;

/** What there is to see right now: for each kind, the vehicle that has been doing it the longest. */
export function hintsOf(vehicles: readonly Vehicle[], nowMs: number, thresholds?: Thresholds): Hint[] {
  const found = new Map<HintKind, Hint>();
  for (const { imei, deviceName: name, live } of vehicles) {
    const { status, sinceMs } = vehicleStatus(timedState(live), epochMs(nowMs), thresholds);
    const kind = kindOf(status, sinceMs === null ? 0 : nowMs - sinceMs);
    if (kind === null) continue;
    const before = found.get(kind);
    if (!before || (sinceMs ?? nowMs) < (before.sinceMs ?? nowMs)) found.set(kind, { kind, imei, name, sinceMs });
  }
  return HINTS.flatMap(kind => found.get(kind) ?? []);
}

function kindOf(status: string, lastedMs: number): HintKind | null {
  if (status === 'moving' || status === 'idling') return status;
  if (status === 'offline' || status === 'outdated') return 'silent';
  return status === 'stopped' && lastedMs > ASLEEP_MS ? 'asleep' : null;
}
