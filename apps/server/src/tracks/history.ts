import type { ClientBase, Pool, PoolClient } from 'pg';
import { reopenDays, type VehicleDay } from './seal.ts';
import { dayOf, unpackDay } from './sealed-day.ts';
import type { StoredPosition } from './stored-position.ts';

/** Positions of a vehicle's past that come from elsewhere than its tracker. */
export interface HistoryOfVehicle {
  readonly vehicleId: number;
  readonly positions: readonly StoredPosition[];
}

/** Sealed days that are unpacked at once. */
const DAYS_AT_ONCE = 50;
const DAY_MS = 86_400_000;

/** Stores positions of the past, and answers how many were not there. They open sealed days and have their days counted again. */
export async function addHistory(
  client: ClientBase,
  accountId: number,
  history: readonly HistoryOfVehicle[],
): Promise<number> {
  const rows = history.flatMap(({ positions, vehicleId }) =>
    positions.map(position => rowOf(accountId, vehicleId, position)),
  );
  await reopenDays(client, daysOf(history));
  const { rowCount } = await client.query(
    `insert into position select * from json_populate_recordset(null::"position", $1::json) on conflict do nothing`,
    [JSON.stringify(rows)],
  );
  return rowCount ?? 0;
}

function daysOf(history: readonly HistoryOfVehicle[]): VehicleDay[] {
  return history.flatMap(({ positions, vehicleId }) => {
    const days = new Set(positions.map(({ fixAt }) => Math.floor(fixAt / DAY_MS)));
    return [...days].map(day => ({ vehicleId, day: dayOf(day * DAY_MS) }));
  });
}

const rowOf = (accountId: number, vehicleId: number, { fixAt, receivedAt, ...row }: StoredPosition): object => ({
  ...row,
  ...{ account_id: accountId, vehicle_id: vehicleId },
  ...{ fix_at: new Date(fixAt).toISOString(), received_at: new Date(receivedAt).toISOString() },
});

/**
 * Counts positions that are not stored yet without storing them: their moments are kept in a temporary table, on disk, so
 * that memory doesn't grow with them.
 */
export class MomentsSeen {
  readonly #client: PoolClient;

  private constructor(client: PoolClient) {
    this.#client = client;
  }

  static async open(pool: Pool): Promise<MomentsSeen> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(
        'create temporary table moment_seen (vehicle_id int, fix_at timestamptz, primary key (vehicle_id, fix_at)) on commit drop',
      );
      return new MomentsSeen(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** Answers how many were not seen before. */
  async add(history: readonly HistoryOfVehicle[]): Promise<number> {
    const ids: number[] = [];
    const times: Date[] = [];
    for (const { positions, vehicleId } of history) {
      for (const { fixAt } of positions) {
        ids.push(vehicleId);
        times.push(new Date(fixAt));
      }
    }
    return this.#count(
      'insert into moment_seen select * from unnest($1::int4[], $2::timestamptz[]) on conflict do nothing',
      [ids, times],
    );
  }

  /** How many of those that were seen are stored. */
  async known(): Promise<number> {
    let known = Number(
      (
        await this.#client.query<{ count: string }>(
          'select count(*) from moment_seen join position using (vehicle_id, fix_at)',
        )
      ).rows[0]?.count ?? 0,
    );
    const { rows: days } = await this.#client.query<{ vehicle_id: number; day: string }>(
      `select vehicle_id, day::text from sealed_day where (vehicle_id, day) in
        (select distinct vehicle_id, (fix_at at time zone 'UTC')::date from moment_seen)`,
    );
    for (let i = 0; i < days.length; i += DAYS_AT_ONCE) {
      const some = days.slice(i, i + DAYS_AT_ONCE);
      const { rows } = await this.#client.query<{ vehicle_id: number; track: Buffer }>(
        'select vehicle_id, track from sealed_day where (vehicle_id, day) in (select * from unnest($1::int4[], $2::date[]))',
        [some.map(({ vehicle_id }) => vehicle_id), some.map(({ day }) => day)],
      );
      for (const { track, vehicle_id } of rows) {
        const times = unpackDay(track, ['fix_at']).map(({ fix_at }) => fix_at);
        known += await this.#count(
          'select from moment_seen where vehicle_id = $1 and fix_at = any ($2::timestamptz[])',
          [vehicle_id, times],
        );
      }
    }
    return known;
  }

  async close(): Promise<void> {
    await this.#client.query('rollback').catch(() => {});
    this.#client.release();
  }

  async #count(text: string, values: unknown[]): Promise<number> {
    return (await this.#client.query(text, values)).rowCount ?? 0;
  }
}
