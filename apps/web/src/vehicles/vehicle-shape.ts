import type { VehicleEntry } from '../live/vehicle-entry.ts';
import { type ShapeName, shapeOf } from '../ui/status-shapes.ts';

export const shapeOfEntry = ({ now }: VehicleEntry): ShapeName =>
  shapeOf(now.status, now.reason.rule === 'outdated' ? now.reason.lastMotion : undefined);

/** The value is no longer current: show its date and time instead of an age. */
export const isOld = ({ now }: VehicleEntry): boolean => now.status === 'outdated' || now.status === 'offline';

/** An arrow without a known course would point somewhere all the same. */
export const courseOf = ({ report }: VehicleEntry): number | null => report?.course ?? null;
