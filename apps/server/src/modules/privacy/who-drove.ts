import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { RosterDriver } from '../../fleet/roster.ts';
import { readColumns } from '../../tracks/columns.ts';
import { turn } from '../../workers/turns.ts';
import { DAY_MS } from '../history/days/calendar.ts';
import type { DailyFigures } from '../history/days/daily-figures.ts';
import type { Period } from './ledger.ts';

/** The positions of a vehicle that were looked at. */
export interface Seen {
  readonly vehicle: DirectoryEntry;
  readonly period: Period;
}

export interface DroveParts extends Pick<Organisation, 'driving' | 'roster'> {
  readonly figures: DailyFigures;
}

/** Up to so many days of vehicles, the positions are read; of more, such as a month of the whole fleet, their trips. */
const READ_DAYS = 62;
/** Other requests get a turn between queries. */
const DAYS_A_LOOK = 4;
/** What was sent within this time may not be counted in the trips yet. */
const JUST_NOW_MS = 10 * 60_000;

/**
 * Whose positions these are: of whoever was signed in, of the driver whose card they have, or without a known card of
 * the usual driver of that time. A driver too many is better than one too few. Of each, the time that was looked at.
 */
export async function whoDrove(
  { db }: Pick<Context, 'db'>,
  parts: DroveParts,
  accountId: number,
  seen: readonly Seen[],
): Promise<ReadonlyMap<RosterDriver, Period>> {
  const { driving, roster } = parts;
  const drivers = new Map<RosterDriver, Period>();
  const add = (driver: RosterDriver | null | undefined, { fromMs, toMs }: Period): void => {
    if (!driver) return;
    const known = drivers.get(driver) ?? { fromMs, toMs };
    drivers.set(driver, { fromMs: Math.min(known.fromMs, fromMs), toMs: Math.max(known.toMs, toMs) });
  };
  const addUsual = ({ period, vehicle }: Seen): void => {
    for (const { driver } of driving.usual(vehicle, period.fromMs, period.toMs)) add(driver, period);
  };
  const addCards = (one: Seen, cards: Iterable<string | null>): void => {
    for (const card of cards) {
      const holder = card === null ? null : roster.driverOfCard(accountId, card);
      if (holder) add(holder, one.period);
      else addUsual(one);
    }
    const { fromMs, toMs } = one.period;
    for (const { driver, source } of driving.during(one.vehicle, fromMs, toMs, [])) {
      if (source === 'signed-in') add(driver, one.period);
    }
  };

  const days = seen.reduce((sum, { period }) => sum + Math.ceil((period.toMs - period.fromMs) / DAY_MS), 0);
  if (days <= READ_DAYS) {
    for (const one of seen) addCards(one, await cardsSent(db, accountId, one));
    return drivers;
  }
  const byVehicle = Map.groupBy(seen, ({ vehicle }) => vehicle.id);
  for (const trip of await readTrips(db, accountId, seen)) {
    for (const one of byVehicle.get(trip.vehicleId) ?? []) {
      // A trip knows its cards, not whether there were none for a while: a driver too many is better than one too few.
      if (trip.fromMs < one.period.toMs && trip.toMs > one.period.fromMs) addCards(one, [null, ...trip.cards]);
    }
  }
  const { figures } = parts;
  for (const { period, vehicle } of seen) {
    const isBehind = figures.manager.isBehindBefore(vehicle.id, period.toMs);
    if (isBehind || period.toMs > Date.now() - JUST_NOW_MS) add(driving.of(vehicle)?.driver, period);
    if (isBehind) addUsual({ period, vehicle });
  }
  return drivers;
}

/** The cards in the positions of a period, each once; null for those without. */
async function cardsSent(
  db: Context['db'],
  accountId: number,
  { period: { fromMs, toMs }, vehicle }: Seen,
): Promise<ReadonlySet<string | null>> {
  const cards = new Set<string | null>();
  for (let start = fromMs; start <= toMs; start += DAYS_A_LOOK * DAY_MS) {
    const to = new Date(Math.min(toMs, start + DAYS_A_LOOK * DAY_MS));
    const span = { vehicleId: vehicle.id, from: new Date(start), to };
    const { rfid } = await db.asAccount(accountId, trx => readColumns(trx, span, ['rfid']));
    for (const card of rfid) cards.add(card);
    if (start > fromMs) await turn();
  }
  return cards;
}

async function readTrips(db: Context['db'], accountId: number, seen: readonly Seen[]) {
  const fromMs = Math.min(...seen.map(({ period }) => period.fromMs));
  const toMs = Math.max(...seen.map(({ period }) => period.toMs));
  // A zone's day may begin 14 hours before that of UTC, and end 12 hours after it.
  const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const ids = [...new Set(seen.map(({ vehicle }) => vehicle.id))];
  const { rows } = await db.asAccount(accountId, trx =>
    sql<{ vehicle_id: number; cards: string[]; from_at: Date; to_at: Date }>`
      select vehicle_id, cards, min(from_at) as from_at, max(to_at) as to_at from trip_part
      where account_id = ${accountId} and vehicle_id = any (${ids}::int4[]) and fixes > 0
        and day >= ${dateOf(fromMs - DAY_MS)}::date and day <= ${dateOf(toMs + DAY_MS)}::date
      group by vehicle_id, day, cards`.execute(trx),
  );
  return rows.map(({ cards, from_at, to_at, vehicle_id }) => ({
    ...{ vehicleId: vehicle_id, cards, fromMs: from_at.getTime(), toMs: to_at.getTime() },
  }));
}
