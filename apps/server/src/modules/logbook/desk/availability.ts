import type { RouteAnswer, readAvailability } from '@milepost/contract';
import { addDays, dayOf, startOfDate } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import { readLogOf } from '../../../logs/read-board-logs.ts';
import { boardLogOf } from '../board/board-row.ts';
import { iso } from '../days/shown.ts';
import { type DriverTerms, homeOfTerminal } from '../settings/driver-terms.ts';
import { readView } from './days-of-logs.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
const DAYS = 8;

/**
 * How long a driver could drive at each hour of the next 24, and at the start of each of the next eight days, if they
 * rest from now on: when hours come back.
 */
export async function availabilityOf(
  trx: AccountTransaction,
  terms: DriverTerms,
  nowMs: number,
): Promise<RouteAnswer<typeof readAvailability>> {
  const now = epochMs(nowMs);
  const home = homeOfTerminal(terms.terminal);
  const today = dayOf(now, home);
  const view = await readView(trx, terms, today, nowMs);
  const { tracker } = boardLogOf(readLogOf(view));
  // In the sleeper berth if already there: that may complete a split.
  const status = view.segments.at(-1)?.status === 'SB' ? 'SB' : 'OFF';
  const refusal = tracker.append({ status, start: now, end: now });
  if (refusal !== null) throw new Error(`Rest can’t follow the log: ${refusal}`);
  const standing = (atMs: number) => {
    const { clocks, next } = tracker.evaluate(epochMs(atMs));
    return { drivingS: next.driving / 1000, cycleLeftS: clocks.cycle.remaining / 1000 };
  };
  return {
    driverId: String(terms.driverId),
    at: iso(nowMs),
    timeZone: home.timeZone,
    hours: Array.from({ length: HOURS + 1 }, (_, hour) => {
      const at = nowMs + hour * HOUR_MS;
      return { at: iso(at), drivingS: standing(at).drivingS };
    }),
    days: Array.from({ length: DAYS }, (_, nth) => {
      const date = addDays(today, nth + 1);
      const start = startOfDate(date, home);
      const before = nth === 0 ? standing(nowMs) : standing(startOfDate(addDays(date, -1), home));
      const then = standing(start);
      return { date, ...then, backS: Math.max(0, then.cycleLeftS - before.cycleLeftS) };
    }),
  };
}
