import { type SpeedShown, type SpeedTense, speedShown } from '@milepost/geo';
import { fromKilometresPerHour } from '@milepost/units';
import { i18n } from '../base/i18n.ts';
import { joined, type MeasureSystem, speedFigure } from '../format/measure.ts';
import { formatClock, formatMoment, startOfDay } from '../format/time.ts';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
import { isOld } from './vehicle-shape.ts';

/** What every page says of a vehicle's speed and of how old that is: one answer, from one entry at one instant. */

/** The speed beside the status; null: none. */
export function speedOf({ now, report, fixMs }: VehicleEntry, nowMs: number): SpeedShown | null {
  if (!report || report.speedKnown === false) return null;
  return speedShown(now, fromKilometresPerHour(report.speed), nowMs - (fixMs ?? nowMs));
}

/** `64 mph`, `halted`, `starting, 21 mph`, `was 64 mph`. */
export const speedWords = ({ tense, speed }: SpeedShown, system: MeasureSystem): string =>
  inTense(tense, joined(speedFigure(speed, system)));

/** A speed, however it is written, in its tense. */
export function inTense(tense: SpeedTense, speed: string): string {
  return tense === 'now' ? speed : i18n.t(`vehicle:speed.${tense}`, { speed });
}

/**
 * The moment of which the row is true: of what is not true any more, the last fix; else when the tracker was last heard.
 * Null before the first report.
 */
export const toldMs = (entry: VehicleEntry): number | null =>
  isOld(entry) && entry.fixMs !== null ? entry.fixMs : entry.heardMs;

/** In the past nothing grows older: the time of its newest fix, to the second on the same day. */
export function fixTime({ fixMs }: VehicleEntry, nowMs: number): string | null {
  if (fixMs === null) return null;
  return startOfDay(fixMs) === startOfDay(nowMs) ? formatClock(fixMs) : formatMoment(fixMs, nowMs);
}
