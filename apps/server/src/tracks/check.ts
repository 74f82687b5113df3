import { DamagedTrack } from '@milepost/track';
import type { ClientBase } from 'pg';
import { openDay } from './sealed-day.ts';

const DAYS_AT_ONCE = 50;

/** Reads every packed day and compares its checksums. Throws `DamagedTrack` if one is wrong. Returns how many there are. */
export async function checkSealedDays(client: ClientBase): Promise<number> {
  let checked = 0;
  let after: { vehicle_id: number; day: string } = { vehicle_id: 0, day: '-infinity' };
  for (;;) {
    const { rows } = await client.query<{ vehicle_id: number; day: string; track: Buffer }>(
      `select vehicle_id, day::text as day, track from sealed_day
        where (vehicle_id, day) > ($1, $2::date) order by vehicle_id, day limit $3`,
      [after.vehicle_id, after.day, DAYS_AT_ONCE],
    );
    for (const { vehicle_id, day, track } of rows) {
      try {
        openDay(track).columns(['fixAt']);
      } catch (error) {
        if (!(error instanceof DamagedTrack)) throw error;
        throw new DamagedTrack(`Vehicle ${vehicle_id}, ${day}: ${error.message}`, { cause: error });
      }
    }
    checked += rows.length;
    const last = rows.at(-1);
    if (!last) return checked;
    after = last;
  }
}
