import type { BoardRow } from '@milepost/contract';
import { homeDate } from '../../logbook/home-time.ts';

/** The driver was asked on this day of their home terminal, so not again before tomorrow. */
export const isAskedToday = ({ certificationAskedAt: at, timeZone }: BoardRow, nowMs: number): boolean =>
  at !== null && homeDate(Date.parse(at), timeZone) === homeDate(nowMs, timeZone);
