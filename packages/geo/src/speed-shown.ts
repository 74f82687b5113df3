import type { MetresPerSecond } from '@milepost/units';
import type { StatusNow } from './status.ts';
import { DEFAULT_THRESHOLDS, isMovingSpeed, type Thresholds } from './thresholds.ts';

/**
 * How the newest speed relates to the status beside it. A status needs proof (two fast reports, three minutes of
 * standing), so the newest report may be ahead of it; the tense then explains the difference.
 *
 * - `now`: agrees with the status.
 * - `halted`: moving, but standing at the moment: a red light is part of the drive.
 * - `starting`: idling or stopped, but the newest report is fast: the next one decides.
 * - `was`: from a report that is no longer current.
 */
export type SpeedTense = 'now' | 'halted' | 'starting' | 'was';

/** After this long, the deciding report is no longer expected. */
const UNDECIDED_MS = 2 * 60_000;

export interface SpeedShown {
  readonly tense: SpeedTense;
  readonly speed: MetresPerSecond;
}

/**
 * The speed to show for a vehicle; null if it is unknown.
 *
 * @param now the status shown beside it
 * @param speed of the newest report, m/s; null where the tracker sends none
 * @param ageMs of that report
 */
export function speedShown(
  { status }: Pick<StatusNow, 'status'>,
  speed: MetresPerSecond | null,
  ageMs: number,
  thresholds: Pick<Thresholds, 'movingSpeed'> = DEFAULT_THRESHOLDS,
): SpeedShown | null {
  if (speed === null) return null;
  const isFast = isMovingSpeed(speed, thresholds);
  switch (status) {
    case 'moving':
      return { tense: isFast ? 'now' : 'halted', speed };
    case 'idling':
    case 'stopped':
      return { tense: !isFast ? 'now' : ageMs <= UNDECIDED_MS ? 'starting' : 'was', speed };
    case 'outdated':
    case 'no-gps':
    case 'offline':
      return { tense: 'was', speed };
    case 'private':
    case 'no-data':
      return null;
  }
}
