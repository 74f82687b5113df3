import type { ClientBase } from 'pg';
import type { TakenPosition } from '../../ingest/commit-hook.ts';
import { ruleOf } from './rules.ts';

interface Stored {
  readonly vehicle_id: number;
  readonly fix_at: Date;
  readonly event: string | null;
}

/**
 * Trackers count whole seconds, and send an alarm beside the report of that second: of the two, one is stored. What is
 * an alarm and was not stored is written into the one that was, so that the same alarm sent again is a repetition.
 * Answers which of these are no repetitions.
 */
export async function takeSameMoment(
  client: ClientBase,
  positions: readonly TakenPosition[],
): Promise<ReadonlySet<TakenPosition>> {
  const { rows } = await client.query<Stored>(
    `select vehicle_id, fix_at, event from position
     where (vehicle_id, fix_at) in (select * from unnest($1::int4[], $2::timestamptz[]))`,
    [positions.map(({ vehicle }) => vehicle.id), positions.map(({ position }) => new Date(position.fixAt))],
  );
  const events = new Map(rows.map(row => [keyOf(row.vehicle_id, row.fix_at.getTime()), row.event]));
  const fresh = new Set<TakenPosition>();
  for (const taken of positions) {
    const { vehicle, position } = taken;
    const key = keyOf(vehicle.id, position.fixAt);
    const stored = events.get(key);
    if (stored === undefined || stored === position.event) continue;
    fresh.add(taken);
    const rule = ruleOf(stored);
    // Of two alarms the first stays; the second is counted, and may be counted again.
    if (rule && 'kind' in rule) continue;
    events.set(key, position.event);
    await client.query('update position set event = $3 where vehicle_id = $1 and fix_at = $2', [
      vehicle.id,
      new Date(position.fixAt),
      position.event,
    ]);
  }
  return fresh;
}

const keyOf = (vehicleId: number, fixAtMs: number): string => `${vehicleId} ${fixAtMs}`;
