import type { LogDay } from '@milepost/contract';
import { homeTime } from '../../../logbook/home-time.ts';

const MINUTE_MS = 60_000;

/**
 * The moment of a day at which the terminal's clocks show this time, `14:02`. If they show it twice, the first moment;
 * null if they skip it or the text is not a time.
 */
export function momentIn(
  { from, timeZone, to }: Pick<LogDay, 'from' | 'to' | 'timeZone'>,
  time: string,
): number | null {
  if (!/^\d\d:\d\d$/.test(time)) return null;
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  for (let ms = fromMs; ms < toMs; ms += MINUTE_MS) if (homeTime(ms, timeZone) === time) return ms;
  return null;
}
