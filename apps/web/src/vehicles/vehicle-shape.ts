import type { VehicleEntry } from '../live/vehicle-entry.ts';
import { type ShapeName, shapeOf } from '../ui/status-shapes.ts';

export const shapeOfEntry = ({ now }: VehicleEntry): ShapeName =>
  shapeOf(now.status, now.reason.rule === 'outdated' ? now.reason.lastMotion : undefined);

/** Whether the data is no longer current. Show its date and time then instead of an age. */
export const isOld = ({ now }: VehicleEntry): boolean => now.status === 'outdated' || now.status === 'offline';

/** Null if the course is unknown; draw no arrow then. */
export const courseOf = ({ report }: VehicleEntry): number | null => report?.course ?? null;
