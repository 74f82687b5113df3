import type { Pool } from 'pg';
import { packDay } from '../apps/server/src/tracks/sealed-day.ts';

interface PackedDay {
  readonly accountId: number;
  /** All of them drove the same. */
  readonly vehicles: readonly number[];
  /** The start of the day, ms since 1970. */
  readonly day: number;
  readonly rows: readonly (object & { readonly fix_at: Date })[];
}

/** Stores a day of positions packed, as the server leaves it a week later. */
export async function storePackedDay(pool: Pool, { accountId, vehicles, day, rows }: PackedDay): Promise<void> {
  const packed = packDay(rows as unknown as Parameters<typeof packDay>[0]);
  if (!packed) throw new Error('The day could not be packed');
  await pool.query(
    `insert into sealed_day (account_id, vehicle_id, day, from_at, to_at, positions, believed, track)
     select $1, id, $2, $3, $4, $5, $6, $7 from unnest($8::int4[]) id`,
    [
      accountId,
      new Date(day).toISOString().slice(0, 10),
      rows[0]?.fix_at,
      rows.at(-1)?.fix_at,
      rows.length,
      packed.believed,
      packed.track,
      vehicles,
    ],
  );
}
