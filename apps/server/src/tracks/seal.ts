import type { ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from './in-transaction.ts';
import type { KeptDays } from './kept-days.ts';
import { dropEmptyMonths } from './partitions.ts';
import { dayOf, type PackedDay, rowsAsJson, unpackDay } from './sealed-day.ts';
import { POSITION_COLUMNS, type PositionRow } from './stored-position.ts';

const DAY_MS = 24 * 3_600_000;
/** A day is sealed two days after its end at the earliest, so younger positions can't belong to a sealed one. */
const YOUNG_MS = DAY_MS;
/** Our own lock number: only one transaction at a time seals, opens or deletes days of a vehicle. */
const LOCK = 0x6d_69_6c_73;

export interface Sealing {
  readonly pool: Pool;
  readonly log: Logger;
  /** `packDay`, in a thread of its own. */
  readonly pack: (rows: PositionRow[]) => Promise<PackedDay | null>;
  /** Days are sealed this many days after their end; at least 2. */
  readonly afterDays: number;
  /** No new day is begun after this long, or once `isStopped`. */
  readonly withinMs: number;
  readonly isStopped: () => boolean;
  /** Days that wait for another try; without it each is tried in every run. */
  readonly keptDays?: KeptDays;
}

export interface Sealed {
  readonly days: number;
  readonly positions: number;
  /** Days that stay as rows because they can't be packed exactly. */
  readonly kept: number;
}

/** Packs the days that are old enough, vehicle by vehicle, and drops the months that this leaves empty. */
export async function sealOldDays(sealing: Sealing, nowMs = Date.now()): Promise<Sealed> {
  const { pool, log, afterDays, withinMs, isStopped, keptDays } = sealing;
  const deadline = performance.now() + withinMs;
  const before = new Date(Date.parse(dayOf(nowMs - afterDays * DAY_MS)));
  let [days, positions, kept] = [0, 0, 0];
  const errors: unknown[] = [];
  for (const { id, first, newest } of await vehiclesWithOldDays(pool, before)) {
    let day: Date | null = first;
    while (day) {
      if (isStopped() || performance.now() > deadline) break;
      const name = dayOf(day.getTime());
      if (keptDays?.isDue(id, name, nowMs) !== false) {
        const sealed = await sealDay(sealing, id, name, newest).catch(error => {
          errors.push(error);
          return 0;
        });
        if (sealed > 0) {
          days++;
          keptDays?.sealed(id, name);
        } else {
          kept++;
          keptDays?.kept(id, name, nowMs);
        }
        positions += sealed;
      }
      day = await firstFix(pool, id, new Date(Date.parse(dayOf(day.getTime())) + DAY_MS), before);
    }
  }
  await dropEmptyMonths(pool, log, before.getTime(), nowMs);
  if (errors.length > 0) throw new AggregateError(errors, `Could not pack ${errors.length} days of positions`);
  return { days, positions, kept };
}

interface OldDays {
  readonly id: number;
  readonly first: Date;
  /** The vehicle's newest fix, as far as its written state knows: what is newer may not have been followed yet. */
  readonly newest: Date;
}

/** In random order: days that stay as rows are checked in every run and must not hold up the others. */
async function vehiclesWithOldDays(pool: Pool, before: Date): Promise<OldDays[]> {
  const { rows } = await pool.query<OldDays>(
    `select id, first, newest from (
       select vehicle_id as id, to_timestamp((live->>'fixAt')::float8 / 1000) as newest from vehicle_state
     ) vehicle cross join lateral (
       select fix_at as first from position where vehicle_id = vehicle.id and fix_at < $1 and fix_at <= newest
       order by fix_at limit 1
     ) old order by random()`,
    [before],
  );
  return rows;
}

async function firstFix(pool: Pool, vehicleId: number, from: Date, before: Date): Promise<Date | null> {
  const { rows } = await pool.query<{ fix_at: Date }>(
    'select fix_at from position where vehicle_id = $1 and fix_at >= $2 and fix_at < $3 order by fix_at limit 1',
    [vehicleId, from, before],
  );
  return rows[0]?.fix_at ?? null;
}

type ReadRow = PositionRow & { readonly account_id: number; readonly is_finer: boolean };

/**
 * Packs one day of a vehicle, if all of it is followed and it can be kept to the last bit. All or nothing: its rows go
 * in the transaction that writes the block, and only the rows that are in it. Answers how many.
 */
function sealDay({ pool, log, pack }: Sealing, vehicleId: number, day: string, newest: Date): Promise<number> {
  return inTransaction(pool, async client => {
    await client.query(`set local lock_timeout = '3s'`);
    await lockVehicles(client, [vehicleId]);
    // As timestamps: PostgreSQL would start a date in its own time zone.
    const start = Date.parse(day);
    const range = [vehicleId, new Date(start), new Date(start + DAY_MS)];
    const within = 'vehicle_id = $1 and fix_at >= $2 and fix_at < $3';
    await openDays(client, [{ vehicleId, day }]);
    const { rows } = await client.query<ReadRow>(
      `select *, (fix_at, received_at) <> (date_trunc('milliseconds', fix_at), date_trunc('milliseconds', received_at))
         as is_finer from position where ${within} order by fix_at`,
      range,
    );
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return 0;
    const isOne = rows.every(({ account_id }) => account_id === first.account_id);
    const isFollowed = last.fix_at <= newest;
    const isWhole = rows.every(({ is_finer }) => !is_finer);
    const packed =
      isOne && isFollowed && isWhole
        ? await pack(rows.map(({ account_id, is_finer, ...row }) => withoutVehicle(row)))
        : null;
    if (!packed) {
      log.debug({ vehicleId, day, isFollowed, isWhole }, 'A day of positions stays as rows');
      return 0;
    }
    const deleted = await client.query(`delete from position where ${within}`, range);
    if (deleted.rowCount !== rows.length) throw new Error('Positions of a day changed while it was being packed');
    await client.query(
      `insert into sealed_day (account_id, vehicle_id, day, from_at, to_at, positions, believed, track)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [first.account_id, vehicleId, day, first.fix_at, last.fix_at, rows.length, packed.believed, packed.track],
    );
    return rows.length;
  });
}

function withoutVehicle(row: PositionRow & { vehicle_id?: number }): PositionRow {
  const { vehicle_id: _, ...rest } = row;
  return rest;
}

export interface VehicleDay {
  readonly vehicleId: number;
  /** `2026-11-20`, UTC. */
  readonly day: string;
}

interface Owned {
  readonly vehicle: { readonly id: number };
  readonly position: { readonly fixAt: number };
}

/** Whether the position's day may be sealed by now. */
export const isOld = ({ position }: Owned): boolean => position.fixAt < Date.now() - YOUNG_MS;

/** Days of these positions that may be sealed by now. */
export function oldDaysOf(positions: readonly Owned[]): VehicleDay[] {
  const days = new Map<string, VehicleDay>();
  for (const { vehicle, position } of positions.filter(isOld)) {
    const day = dayOf(position.fixAt);
    days.set(`${vehicle.id} ${day}`, { vehicleId: vehicle.id, day });
  }
  return [...days.values()];
}

/** Sealed days as rows again, so that something in them can change. Within the transaction that changes it. */
export async function reopenDays(client: ClientBase, days: readonly VehicleDay[]): Promise<void> {
  await lockVehicles(
    client,
    days.map(({ vehicleId }) => vehicleId),
  );
  await openDays(client, days);
}

async function openDays(client: ClientBase, days: readonly VehicleDay[]): Promise<void> {
  const { rows } = await client.query<{ account_id: number; vehicle_id: number; track: Buffer }>(
    `delete from sealed_day where (vehicle_id, day) in (select * from unnest($1::int4[], $2::date[]))
     returning account_id, vehicle_id, track`,
    [days.map(({ vehicleId }) => vehicleId), days.map(({ day }) => day)],
  );
  if (rows.length === 0) return;
  // They were counted when they came.
  await client.query(`set local milepost.reopening = 'on'`);
  for (const { track, ...owner } of rows) {
    await client.query(
      `insert into position select * from json_populate_recordset(null::"position", $1::json) on conflict do nothing`,
      [rowsAsJson(unpackDay(track, POSITION_COLUMNS).map(row => ({ ...row, ...owner })))],
    );
  }
  await client.query(`set local milepost.reopening = 'off'`);
}

/** In one order, so that two never wait for each other. */
async function lockVehicles(client: ClientBase, ids: readonly number[]): Promise<void> {
  const inOrder = [...new Set(ids)].sort((one, other) => one - other);
  await client.query('select pg_advisory_xact_lock($1, id) from unnest($2::int4[]) id', [LOCK, inOrder]);
}

/** A vehicle's positions before a moment, sealed or not. Answers how many there were. */
export function deletePositionsBefore(pool: Pool, vehicleId: number, before: Date): Promise<number> {
  return inTransaction(pool, async client => {
    await reopenDays(client, [{ vehicleId, day: dayOf(before.getTime()) }]);
    const sealed = await client.query<{ positions: number }>(
      'delete from sealed_day where vehicle_id = $1 and to_at < $2 returning positions',
      [vehicleId, before],
    );
    const { rowCount } = await client.query('delete from position where vehicle_id = $1 and fix_at < $2', [
      vehicleId,
      before,
    ]);
    return sealed.rows.reduce((sum, { positions }) => sum + positions, rowCount ?? 0);
  });
}
