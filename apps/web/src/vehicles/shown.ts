import { type SpeedShown, type SpeedTense, speedShown } from '@milepost/geo';
import { fromKilometresPerHour } from '@milepost/units';
import { i18n } from '../base/i18n.ts';
import { joined, type MeasureSystem, speedFigure } from '../format/measure.ts';
import { formatClock, formatMoment, startOfDay } from '../format/time.ts';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
import { isOld } from './vehicle-shape.ts';

/** A vehicle's speed and its age. All pages use these functions, so they always show the same. */

/** The speed to show beside the status; null if there is none. */
export function speedOf({ now, report, fixMs }: VehicleEntry, nowMs: number): SpeedShown | null {
  if (!report || report.speedKnown === false) return null;
  return speedShown(now, fromKilometresPerHour(report.speed), nowMs - (fixMs ?? nowMs));
}

/** `64 mph`, `halted`, `starting, 21 mph`, `was 64 mph`. */
export const speedWords = ({ tense, speed }: SpeedShown, system: MeasureSystem): string =>
  inTense(tense, joined(speedFigure(speed, system)));

/** Wraps a formatted speed in its tense. */
export function inTense(tense: SpeedTense, speed: string): string {
  return tense === 'now' ? speed : i18n.t(`vehicle:speed.${tense}`, { speed });
}

/**
 * The time to show for a vehicle: the last fix if the data is old, otherwise when the tracker last reported. Null
 * before the first report.
 */
export const toldMs = (entry: VehicleEntry): number | null =>
  isOld(entry) && entry.fixMs !== null ? entry.fixMs : entry.heardMs;

/** The time of the newest fix, shown for past moments, where ages don't grow. With seconds if it is on the same day. */
export function fixTime({ fixMs }: VehicleEntry, nowMs: number): string | null {
  if (fixMs === null) return null;
  return startOfDay(fixMs) === startOfDay(nowMs) ? formatClock(fixMs) : formatMoment(fixMs, nowMs);
}
