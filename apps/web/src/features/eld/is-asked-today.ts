import type { BoardRow } from '@milepost/contract';
import { isoDateOf } from '../../format/date.ts';

/** The driver was asked on this day of their home terminal, so not again before tomorrow. */
export const isAskedToday = ({ certificationAskedAt: at, timeZone }: BoardRow, nowMs: number): boolean =>
  at !== null && isoDateOf(Date.parse(at), timeZone) === isoDateOf(nowMs, timeZone);
