import type { ClientBase } from 'pg';
import type { TakenPosition } from '../../ingest/commit-hook.ts';
import { eventsAt, setEvent } from '../../tracks/write.ts';
import { ruleOf } from './rules.ts';

/**
 * Trackers count whole seconds, and send an alarm beside the report of the same second: only one of the two is
 * stored. An alarm that was not stored is added to the stored report, so that the same alarm sent again is a
 * duplicate. Returns those that are not duplicates.
 */
export async function takeSameMoment(
  client: ClientBase,
  positions: readonly TakenPosition[],
): Promise<ReadonlySet<TakenPosition>> {
  const moments = positions.map(({ vehicle, position }) => ({ vehicleId: vehicle.id, fixAtMs: position.fixAt }));
  const rows = await eventsAt(client, moments);
  const events = new Map(rows.map(row => [keyOf(row.vehicle_id, row.fix_at.getTime()), row.event]));
  const fresh = new Set<TakenPosition>();
  for (const taken of positions) {
    const { vehicle, position } = taken;
    const key = keyOf(vehicle.id, position.fixAt);
    const stored = events.get(key);
    if (stored === undefined || stored === position.event) continue;
    fresh.add(taken);
    const rule = ruleOf(stored);
    // Of two alarms the first is kept; the second is counted, and may be counted again if it is resent.
    if (rule && 'kind' in rule) continue;
    events.set(key, position.event);
    await setEvent(client, { vehicleId: vehicle.id, fixAtMs: position.fixAt }, position.event);
  }
  return fresh;
}

const keyOf = (vehicleId: number, fixAtMs: number): string => `${vehicleId} ${fixAtMs}`;
