import type { LiveState } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { type StoredPosition, toStoredPosition } from './stored-position.ts';
import { advanceStored, toLiveState, type VehicleState } from './vehicle-state.ts';

export interface LatestOfVehicle {
  readonly vehicleId: number;
  readonly newest: StoredPosition | null;
  readonly live: LiveState;
}

/** The committed state of every vehicle that was ever heard, in memory. Only the pipeline writes it, after a commit. */
export interface LiveStates {
  of(vehicleId: number): VehicleState | null;
  /** Every vehicle of the account that was ever heard. */
  latest(accountId: number): Iterable<LatestOfVehicle>;
  latestOf(vehicleId: number): LatestOfVehicle;
  /** Every account of which a vehicle was heard. */
  accounts(): Iterable<number>;
  set(accountId: number, vehicleId: number, state: VehicleState): void;
  delete(accountId: number, vehicleId: number): void;
}

/**
 * Reads the written states, and advances each by the positions that were stored after it (`checkpoints.ts`). These are
 * the ones that moved the state when they came: not late, newer than its newest, in the order of their fix times.
 */
export async function loadLiveStates(db: Kysely<Database>): Promise<LiveStates> {
  const states = new Map<number, VehicleState>();
  const byAccount = new Map<number, Set<number>>();

  const set = (accountId: number, vehicleId: number, state: VehicleState): void => {
    states.set(vehicleId, state);
    const vehicles = byAccount.get(accountId);
    if (vehicles) vehicles.add(vehicleId);
    else byAccount.set(accountId, new Set([vehicleId]));
  };
  const of = (vehicleId: number): VehicleState | null => states.get(vehicleId) ?? null;
  const latestOf = (vehicleId: number): LatestOfVehicle => {
    const state = of(vehicleId);
    return { vehicleId, newest: state?.newest ?? null, live: toLiveState(state) };
  };

  for (const row of await db.selectFrom('vehicle_state').selectAll().execute()) {
    set(row.account_id, row.vehicle_id, {
      heardAt: epochMs(row.heard_at.getTime()),
      motion: row.live as VehicleState['motion'],
      newest: row.newest as VehicleState['newest'],
    });
  }
  for (const row of await positionsAfterStates(db)) {
    const state = of(row.vehicle_id);
    if (state) set(row.account_id, row.vehicle_id, advanceStored(state, toStoredPosition(row)));
  }
  return {
    of,
    latestOf,
    accounts: () => byAccount.keys(),
    latest: function* (accountId) {
      for (const vehicleId of byAccount.get(accountId) ?? []) yield latestOf(vehicleId);
    },
    set,
    delete: (accountId, vehicleId) => {
      states.delete(vehicleId);
      byAccount.get(accountId)?.delete(vehicleId);
    },
  };
}

async function positionsAfterStates(db: Kysely<Database>): Promise<Selectable<Database['position']>[]> {
  const { rows } = await sql<Selectable<Database['position']>>`
    select later.* from vehicle_state state cross join lateral (
      select * from position
      where vehicle_id = state.vehicle_id and not late
        and fix_at > coalesce(to_timestamp((state.live->>'fixAt')::float8 / 1000), '-infinity')
    ) later
    order by later.vehicle_id, later.fix_at`.execute(db);
  return rows;
}
