import type { Detention } from '@milepost/contract';
import type { VisitPart } from './report.ts';

const HOUR_MS = 3_600_000;

/** How long a visit, or its part, lasted after the free time. */
export const detainedMs = ({ detention, fromMs, inMs, toMs }: VisitPart): number =>
  detention === null ? 0 : Math.max(0, toMs - Math.max(fromMs, inMs + detention.freeMinutes * 60_000));

/** To the cent, so that visits add up to the total that is shown. */
export const costOf = (ms: number, { perHour }: Detention): number => Math.round((ms / HOUR_MS) * perHour * 100) / 100;
