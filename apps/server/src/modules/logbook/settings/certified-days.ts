import { addDays, dayOf, type RecordLog, replay } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import { endOfLog, entriesSince } from '../store.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from './driver-terms.ts';

export interface CertifiedDays {
  /** Days in a row, up to yesterday, that are certified. */
  readonly inARow: number;
  /** Days before today that are to be certified. */
  readonly toCertify: readonly string[];
}

/** Counted as far back as an officer, or a month's review, asks. */
const DAYS_BACK = 35;
const DAY_MS = 24 * 3_600_000;
const REMEMBERED = 5000;

/**
 * Counts the certified days of logs. What a log says is remembered until the log grows or a day ends, because reading
 * weeks of a log takes milliseconds, and the roster shows a thousand.
 */
export function createCertifiedDays(): {
  of(trx: AccountTransaction, terms: DriverTerms, nowMs: number): Promise<CertifiedDays>;
} {
  const known = new Map<string, { readonly key: string; readonly days: CertifiedDays }>();
  return {
    of: async (trx, terms, nowMs) => {
      const name = logOfDriver(terms.driverId);
      const home = homeOfTerminal(terms.terminal);
      const end = await endOfLog(trx, name);
      if (!end) return { inARow: 0, toCertify: [] };
      const today = dayOf(epochMs(nowMs), home);
      const key = `${end.hash} ${today} ${home.timeZone} ${home.startOfDay}`;
      const remembered = known.get(name);
      if (remembered?.key === key) return remembered.days;
      const entries = await entriesSince(trx, name, nowMs - DAYS_BACK * DAY_MS);
      const log = replay(
        { log: name, home },
        entries.map(({ entry }) => entry),
      );
      const days = log.ok ? countDays(log.value, today, nowMs) : { inARow: 0, toCertify: [] };
      if (known.size >= REMEMBERED) known.clear();
      known.set(name, { key, days });
      return days;
    },
  };
}

/** The certified days of a log that has been read, as far back as it was read. */
export function countDays(log: RecordLog, today: string, nowMs: number): CertifiedDays {
  const toCertify = log.daysToCertify(nowMs);
  let inARow = 0;
  for (let date = addDays(today, -1); inARow < DAYS_BACK; date = addDays(date, -1)) {
    const day = log.day(date);
    if (!day || day.changedSince) break;
    inARow++;
  }
  return { inARow, toCertify };
}
