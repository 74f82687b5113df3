import type { Databases } from '../../../db/database.ts';
import type { LiveStates } from '../../../fleet/live.ts';
import { advance, type VehicleState } from '../../../fleet/vehicle-state.ts';
import { addHistory, type HistoryOfVehicle } from '../../../tracks/history.ts';
import { inTransaction } from '../../../tracks/in-transaction.ts';

/**
 * Stores positions of the past, and answers how many were not there. A vehicle without a newer report is where they leave
 * it, for its state follows from its newest position, wherever that came from (invariant I6).
 */
export async function storeHistory(
  { pool }: Pick<Databases, 'pool'>,
  live: LiveStates,
  accountId: number,
  history: readonly HistoryOfVehicle[],
): Promise<number> {
  if (history.length === 0) return 0;
  const moved = new Map<number, VehicleState>();
  const added = await inTransaction(pool, async client => {
    const count = await addHistory(client, accountId, history);
    for (const each of history) {
      const state = movedOn(live, each);
      if (state === null) continue;
      moved.set(each.vehicleId, state);
      await client.query(
        `insert into vehicle_state (account_id, vehicle_id, heard_at, live, newest) values ($1, $2, $3, $4, $5)
         on conflict (vehicle_id) do update set heard_at = excluded.heard_at, live = excluded.live, newest = excluded.newest`,
        [
          accountId,
          each.vehicleId,
          new Date(state.heardAt),
          JSON.stringify(state.motion),
          JSON.stringify(state.newest),
        ],
      );
    }
    return count;
  });
  for (const [vehicleId, state] of moved) {
    // Its tracker may have reported meanwhile.
    if ((live.of(vehicleId)?.motion.fixAt ?? 0) < (state.motion.fixAt ?? 0)) live.set(accountId, vehicleId, state);
  }
  return added;
}

/** Where these positions leave a vehicle; null if it has newer ones. */
function movedOn(live: LiveStates, { positions, vehicleId }: HistoryOfVehicle): VehicleState | null {
  const before = live.of(vehicleId);
  let state: VehicleState | null = before;
  for (const position of [...positions].sort((a, b) => a.fixAt - b.fixAt)) {
    const newest = state?.motion.fixAt ?? null;
    if (newest !== null && position.fixAt <= newest) continue;
    state = advance(state, { receivedAt: position.receivedAt, positions: [position] }, () => {});
  }
  return state === before ? null : state;
}
