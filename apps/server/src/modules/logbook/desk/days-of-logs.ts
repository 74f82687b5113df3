import type { LogDay, RouteAnswer, readLogDay } from '@milepost/contract';
import { addDays, dayOf, openLog, type RecordLog, startOfDate } from '@milepost/eld';
import { evaluate, type Recap, ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import { type LogView, viewLog } from '../../../logs/log-view.ts';
import { turn } from '../../../workers/turns.ts';
import { declarationsOf, declaredWithin } from '../days/declarations.ts';
import { datesOf, logDayOf } from '../days/log-day.ts';
import { readLogFrom, readLogs, readSound } from '../days/read-log.ts';
import { iso, type NameOf, shownClocks } from '../days/shown.ts';
import { readStandings, type StandingDriver } from '../recorder/standing.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from '../settings/driver-terms.ts';

type ShownDay = RouteAnswer<typeof readLogDay>;
/** A day without its records, as lists show it. */
export type DayWithoutRecords = Omit<LogDay, 'records'>;

/** A driver’s log as of now, read far enough back for all of the days from `from` on; null: all of it. */
export async function readView(
  trx: AccountTransaction,
  terms: DriverTerms,
  from: string | null,
  now: number,
): Promise<LogView> {
  const home = homeOfTerminal(terms.terminal);
  const since = from === null ? null : startOfDate(from, home);
  const log = await readLogFrom(trx, logOfDriver(terms.driverId), since, home, 'read-sound');
  return viewOf(trx, terms, log, now);
}

export async function viewOf(
  trx: AccountTransaction,
  terms: DriverTerms,
  log: RecordLog,
  now: number,
): Promise<LogView> {
  const declarations = (await declarationsOf(trx, [terms.driverId])).get(terms.driverId) ?? [];
  return viewLog(log, { ruleSet: terms.ruleSet, declarations }, now);
}

/**
 * One day of a driver’s log, with the clocks and the cycle as they stood at its end, or stand now.
 *
 * @param changeRefusedFor why the reader can't propose a change of the day
 */
export async function readDay(
  trx: AccountTransaction,
  terms: DriverTerms,
  date: string,
  now: number,
  nameOf: NameOf,
  changeRefusedFor: (log: RecordLog) => ShownDay['changeRefused'],
): Promise<ShownDay> {
  const home = homeOfTerminal(terms.terminal);
  const name = logOfDriver(terms.driverId);
  const { fault = null, log } = (await readSound(trx, [name], startOfDate(date, home))).get(name) ?? {};
  const view = await viewOf(trx, terms, log ?? openLog({ log: name, home }), now);
  const standings = await readStandings(trx, [{ driverId: terms.driverId, fault }]);
  const day = logDayOf(view, terms.driverId, date, nameOf);
  const at = epochMs(Date.parse(day.through));
  const evaluation = evaluate(view.dutyLog, ruleSets[view.ruleSet], at);
  const { number, region } = terms.licence;
  const within = { from: Date.parse(day.from), to: Date.parse(day.to) };
  const declared = await declaredWithin(trx, terms.driverId, within);
  return {
    ...day,
    driver: {
      name: terms.name,
      licence: number === null ? null : [region, number].filter(Boolean).join(' '),
      terminal: terms.terminal.name,
    },
    clocks: shownClocks(evaluation.clocks),
    exempt: evaluation.exempt,
    standing: standingOf(standings.get(terms.driverId)),
    changeRefused: changeRefusedFor(view.log),
    declarations: declared.map(({ from, to, ...one }) => ({
      ...one,
      from: iso(from),
      to: to === null ? null : iso(to),
    })),
    recap: recapOf(evaluation.recap, evaluation.clocks.cycle),
  };
}

/** A day is about the log alone. */
const standingOf = (one: StandingDriver | undefined) => (one ? { since: one.since, why: one.why, signIn: null } : null);

const recapOf = ({ days }: Recap, { used, remaining }: { readonly used: number; readonly remaining: number }) => ({
  usedS: used / 1000,
  leftS: remaining / 1000,
  days: days.map(({ date, onDuty, driving, counted }) => ({
    date,
    onDutyS: onDuty / 1000,
    drivingS: driving / 1000,
    countedS: counted / 1000,
  })),
});

/** The days of several drivers’ logs between two dates, by driver, oldest first. Days before a log began are left out. */
export async function readDays(
  trx: AccountTransaction,
  drivers: readonly DriverTerms[],
  { from, to }: { readonly from: string; readonly to: string },
  now: number,
  nameOf: NameOf,
): Promise<Map<number, LogDay[]>> {
  const found = new Map<number, LogDay[]>();
  for (let i = 0; i < drivers.length; i += DRIVERS_AT_ONCE) {
    const some = drivers.slice(i, i + DRIVERS_AT_ONCE);
    const declarations = await declarationsOf(
      trx,
      some.map(({ driverId }) => driverId),
    );
    // A day earlier covers every time zone.
    const since = Date.parse(`${addDays(from, -1)}T00:00:00Z`);
    const logs = await readLogs(
      trx,
      some.map(({ driverId }) => logOfDriver(driverId)),
      since,
      'read-sound',
    );
    for (const { archived, driverId, ruleSet, settings } of some) {
      const log = logs.get(logOfDriver(driverId));
      if (!log) continue;
      const view = viewLog(log, { ruleSet, declarations: declarations.get(driverId) ?? [] }, now);
      const last = settings.keepsLog && !archived ? to : lastDateOf(log);
      found.set(
        driverId,
        datesOf(view, { from, to: last < to ? last : to }).map(date => logDayOf(view, driverId, date, nameOf)),
      );
      await turn();
    }
  }
  return found;
}

/** The day of a log's last record: a driver who has left is not off duty forever after. */
const lastDateOf = (log: RecordLog): string =>
  dayOf(
    epochMs(Math.max(0, ...log.records().flatMap(({ event: { at, type } }) => (type === 1 ? at : [])))),
    log.home(),
  );

/** Enough for few queries, few enough for the memory that their records take. */
const DRIVERS_AT_ONCE = 25;

export const withoutRecords = ({ records: _records, ...day }: LogDay): DayWithoutRecords => day;
