import type { LogDay } from '@milepost/contract';
import { turn } from '../../workers/turns.ts';
import { readDays } from '../logbook/desk/days-of-logs.ts';
import { readNames, seenLogs } from '../logbook/desk/log-access.ts';
import type { Asked, Column, ReportItem } from './report.ts';
import { words } from './words.ts';

/** A day of a driver’s log, as a row or with rows of its own. */
export interface LogDayItem extends ReportItem {
  readonly driver: string;
  readonly log: LogDay;
}

/** Drivers whose logs are read at once. */
const BATCH = 25;

/** The days of the logs in the period that the reader may see, some drivers at a time, by name. */
export async function* logDayItems({
  calendar,
  from,
  nowMs,
  session,
  sources,
  to,
}: Asked): AsyncGenerator<LogDayItem[]> {
  const period = { from: calendar.dateOf(from), to: calendar.dateOf(to) };
  const { drivers, nameOf } = await sources.db.asAccount(session.accountId, async trx => ({
    drivers: await seenLogs(trx, session, sources.parts, null),
    nameOf: await readNames(trx),
  }));
  for (let i = 0; i < drivers.length; i += BATCH) {
    const some = drivers.slice(i, i + BATCH);
    const days = await sources.db.asAccount(session.accountId, trx => readDays(trx, some, period, nowMs, nameOf));
    yield some.flatMap(({ driverId, name }) =>
      (days.get(driverId) ?? []).map(
        (log): LogDayItem => ({
          id: `${driverId}-${log.date}`,
          vehicle: null,
          drivers: [{ id: driverId, name }],
          day: calendar.numberOf(log.date),
          driver: name,
          log,
        }),
      ),
    );
    await turn();
  }
}

export const LOG_GROUPINGS = ['driver', 'day', 'week', 'month'] as const;

export const logDriverColumn: Column<LogDayItem> = {
  key: 'driver',
  title: words('Driver', 'Conductor', 'Conducteur'),
  type: 'text',
  of: ({ driver }) => driver,
};

/** The date of the driver’s log, which begins at their home terminal’s hour. */
export const logDayColumn: Column<LogDayItem> = {
  key: 'day',
  title: words('Day', 'Día', 'Jour'),
  type: 'day',
  of: ({ log }) => log.date,
};
