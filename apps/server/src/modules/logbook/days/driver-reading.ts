import { openLog, startOfDate } from '@milepost/eld';
import type { RawDeclaration } from '@milepost/hos';
import type { AccountTransaction } from '../../../db/database.ts';
import { type LogView, viewLog } from '../../../logs/log-view.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from '../settings/driver-terms.ts';
import { type ChainEnd, endOfLog } from '../store.ts';
import { declarationsOf } from './declarations.ts';
import { type LogFault, readSound } from './read-log.ts';

/** One reading of a driver's log, for all that is shown of it at once. */
export interface DriverReading {
  /** Read before the log: what is remembered of the log up to there lacks nothing. Null for a log without entries. */
  readonly end: ChainEnd | null;
  readonly view: LogView;
  readonly fault: LogFault | null;
  readonly declarations: readonly RawDeclaration[];
}

/** The certified days of a month are counted from it, too (`certified-days.ts`). */
export const DAYS_READ = 17;
const DAY_MS = 24 * 3_600_000;

/** Far enough back for all of the days from `from` on, for the board's row and for the certified days. */
export async function readDriver(
  trx: AccountTransaction,
  terms: DriverTerms,
  from: string,
  nowMs: number,
): Promise<DriverReading> {
  const name = logOfDriver(terms.driverId);
  const home = homeOfTerminal(terms.terminal);
  const end = await endOfLog(trx, name);
  const since = Math.min(startOfDate(from, home), nowMs - DAYS_READ * DAY_MS);
  const { fault = null, log = openLog({ log: name, home }) } = (await readSound(trx, [name], since)).get(name) ?? {};
  const declarations = (await declarationsOf(trx, [terms.driverId])).get(terms.driverId) ?? [];
  return { end, view: viewLog(log, { ruleSet: terms.ruleSet, declarations }, nowMs), fault, declarations };
}
