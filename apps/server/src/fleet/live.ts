import type { LiveState } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';
import { positionsAfterStates } from '../tracks/read.ts';
import type { StoredPosition } from '../tracks/stored-position.ts';
import { advanceStored, toLiveState, type VehicleState } from './vehicle-state.ts';

export interface LatestOfVehicle {
  readonly vehicleId: number;
  readonly newest: StoredPosition | null;
  readonly live: LiveState;
}

/**
 * The committed state of every vehicle that has ever reported, in memory. Only the pipeline changes it, after a
 * commit, and what other nodes tell of theirs.
 */
export interface LiveStates {
  of(vehicleId: number): VehicleState | null;
  /** Every vehicle of the account that has ever reported. */
  latest(accountId: number): Iterable<LatestOfVehicle>;
  latestOf(vehicleId: number): LatestOfVehicle;
  /** From now on `live` says which vehicles are in private time. */
  askPrivate(isPrivate: (vehicleId: number) => boolean): void;
  /** Every account with a vehicle that has reported. */
  accounts(): Iterable<number>;
  set(accountId: number, vehicleId: number, state: VehicleState): void;
  delete(accountId: number, vehicleId: number): void;
}

export interface StateOfVehicle {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly state: VehicleState;
}

/**
 * The stored states, each advanced by the positions stored after it (`checkpoints.ts`). Those are the positions that
 * changed the state when they arrived: not late, newer than its newest, in the order of their fix times.
 */
export async function readLiveStates(
  db: Kysely<Database>,
  vehicleIds: readonly number[] | 'all' = 'all',
): Promise<StateOfVehicle[]> {
  const states = new Map<number, StateOfVehicle>();
  const stored = db
    .selectFrom('vehicle_state')
    .selectAll()
    .$if(vehicleIds !== 'all', query => query.where('vehicle_id', 'in', vehicleIds as readonly number[]));
  for (const row of await stored.execute()) {
    const state = {
      heardAt: epochMs(row.heard_at.getTime()),
      motion: row.live as VehicleState['motion'],
      newest: row.newest as VehicleState['newest'],
    };
    states.set(row.vehicle_id, { accountId: row.account_id, vehicleId: row.vehicle_id, state });
  }
  for (const { vehicleId, position } of await positionsAfterStates(db, vehicleIds)) {
    const known = states.get(vehicleId);
    if (known) states.set(vehicleId, { ...known, state: advanceStored(known.state, position) });
  }
  return [...states.values()];
}

export async function loadLiveStates(db: Kysely<Database>): Promise<LiveStates> {
  const states = new Map<number, VehicleState>();
  const byAccount = new Map<number, Set<number>>();
  let isPrivate: (vehicleId: number) => boolean = () => false;

  const set = (accountId: number, vehicleId: number, state: VehicleState): void => {
    states.set(vehicleId, state);
    const vehicles = byAccount.get(accountId);
    if (vehicles) vehicles.add(vehicleId);
    else byAccount.set(accountId, new Set([vehicleId]));
  };
  const of = (vehicleId: number): VehicleState | null => states.get(vehicleId) ?? null;
  const latestOf = (vehicleId: number): LatestOfVehicle => {
    const state = of(vehicleId);
    return { vehicleId, newest: state?.newest ?? null, live: toLiveState(state, isPrivate(vehicleId)) };
  };

  for (const { accountId, vehicleId, state } of await readLiveStates(db)) set(accountId, vehicleId, state);
  return {
    of,
    latestOf,
    askPrivate: asked => {
      isPrivate = asked;
    },
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
