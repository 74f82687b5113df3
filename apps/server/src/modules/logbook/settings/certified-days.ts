import { addDays, dayOf, type RecordLog } from '@milepost/eld';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import { daysToCertify } from '../../../logs/uncertified.ts';
import { DAYS_READ, type DriverReading } from '../days/driver-reading.ts';
import { readLogFrom } from '../days/read-log.ts';
import { endOfLog } from '../store.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from './driver-terms.ts';

export interface CertifiedDays {
  /** Days in a row, up to yesterday, that are certified. */
  readonly inARow: number;
  /** As the desk counts them (`daysToCertify`). */
  readonly toCertify: readonly string[];
}

/** Counted as far back as a month's review asks; a log is read from 18 days before the asked moment on. */
const DAYS_BACK = DAYS_READ + 18;
const DAY_MS = 24 * 3_600_000;
const REMEMBERED = 5000;

/**
 * Counts the certified days of logs. What a log says is remembered until the log grows or a day ends, because reading
 * weeks of a log takes milliseconds, and the roster shows a thousand.
 */
export function createCertifiedDays(): {
  /** @param reading of this driver's log, if there is one */
  of(trx: AccountTransaction, terms: DriverTerms, nowMs: number, reading?: DriverReading): Promise<CertifiedDays>;
} {
  const known = new Map<string, { readonly key: string; readonly days: CertifiedDays }>();
  return {
    of: async (trx, terms, nowMs, reading) => {
      const name = logOfDriver(terms.driverId);
      const home = homeOfTerminal(terms.terminal);
      const end = reading ? reading.end : await endOfLog(trx, name);
      if (!end) return { inARow: 0, toCertify: [] };
      const today = dayOf(epochMs(nowMs), home);
      const key = `${end.hash} ${today} ${home.timeZone} ${home.startOfDay}`;
      const remembered = known.get(name);
      if (remembered?.key === key) return remembered.days;
      const log = reading?.view.log ?? (await readLogFrom(trx, name, nowMs - DAYS_READ * DAY_MS, home, 'read-sound'));
      const days = countDays(log, today, nowMs);
      if (known.size >= REMEMBERED) known.clear();
      known.set(name, { key, days });
      return days;
    },
  };
}

function countDays(log: RecordLog, today: string, nowMs: number): CertifiedDays {
  let inARow = 0;
  for (let date = addDays(today, -1); inARow < DAYS_BACK; date = addDays(date, -1)) {
    const day = log.day(date);
    if (!day || day.changedSince) break;
    inARow++;
  }
  return { inARow, toCertify: daysToCertify(log, nowMs) };
}
