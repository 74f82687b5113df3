import { DEFAULT_SETTINGS, settingsSchema } from '@milepost/contract';
import { sql } from 'kysely';
import type { Databases } from '../../../db/database.ts';
import { type Calendar, calendarOf } from './calendar.ts';

/** The time zone in which each account's days begin. */
export interface AccountCalendars {
  of(accountId: number): Calendar;
  /** Reads the accounts' time zones. Returns the accounts whose days were discarded because their zone changed. */
  refresh(accountId: number | null): Promise<number[]>;
}

export function createAccountCalendars(db: Databases): AccountCalendars {
  const calendars = new Map<number, Calendar>();
  return {
    of: accountId => calendars.get(accountId) ?? calendarOf(DEFAULT_SETTINGS.timeZone),
    refresh: async accountId => {
      const changed: number[] = [];
      for (const { id, value, counted } of await readZones(db, accountId)) {
        const zone = settingsSchema.shape.timeZone.safeParse(value).data ?? DEFAULT_SETTINGS.timeZone;
        if (calendars.get(id)?.zone !== zone) calendars.set(id, calendarOf(zone));
        if (counted === zone) continue;
        await beginAnew(db, id, zone);
        changed.push(id);
      }
      return changed;
    },
  };
}

async function readZones(db: Databases, accountId: number | null) {
  const { rows } = await sql<{ id: number; value: unknown; counted: string | null }>`
    select account.id, setting.value, day_zone.zone as counted from account
    left join account_setting setting on setting.account_id = account.id and setting.name = 'timeZone'
    left join day_zone on day_zone.account_id = account.id
    where ${accountId}::integer is null or account.id = ${accountId}`.execute(db.system);
  return rows;
}

const beginAnew = (db: Databases, accountId: number, zone: string): Promise<void> =>
  db.system.transaction().execute(async trx => {
    await trx.deleteFrom('vehicle_day').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('trip_day').where('account_id', '=', accountId).execute();
    await trx
      .insertInto('day_zone')
      .values({ account_id: accountId, zone })
      .onConflict(conflict => conflict.column('account_id').doUpdateSet({ zone }))
      .execute();
  });
