import { atMost } from '../../../workers/at-most.ts';
import { oneByOne } from '../../../workers/one-by-one.ts';

/** What a phone's entries are about: its driver, and the vehicles they may concern. */
export interface TurnOf {
  readonly accountId: number;
  readonly driverId: number;
  readonly vehicleIds: readonly number[];
}

/** Phones are recorded so many at a time: more would only take connections from those who read. */
const PHONES_AT_ONCE = 4;

/**
 * Work on one driver or vehicle waits for its turn here, without a connection to the database: waiting for a lock there,
 * a few drivers of one vehicle would take the connections of all others. The locks in the database remain, for other
 * servers.
 */
export class VehicleTurns {
  readonly #turn = oneByOne<string>();
  readonly #limited = atMost(PHONES_AT_ONCE);
  /** By vehicle, how many are in it or wait for it. */
  readonly #taken = new Map<string, number>();

  /** In the turn of a driver and of these vehicles. */
  ofPhone<Result>({ accountId, driverId, vehicleIds }: TurnOf, work: () => Promise<Result>): Promise<Result> {
    // Everyone takes them in the same order, so that nobody waits for someone who waits for them.
    const vehicles = [...new Set(vehicleIds)].sort((a, b) => a - b).map(id => keyOf(accountId, id));
    const inner = vehicles.reduceRight<() => Promise<Result>>(
      (next, key) => () => this.#inTurn(key, next),
      () => this.#limited(work),
    );
    return this.#turn(`driver ${driverId}`, inner);
  }

  ofVehicle<Result>(accountId: number, vehicleId: number, work: () => Promise<Result>): Promise<Result> {
    return this.#inTurn(keyOf(accountId, vehicleId), work);
  }

  isTaken(accountId: number, vehicleId: number): boolean {
    return this.#taken.has(keyOf(accountId, vehicleId));
  }

  async #inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    try {
      return await this.#turn(key, work);
    } finally {
      const left = (this.#taken.get(key) ?? 1) - 1;
      if (left > 0) this.#taken.set(key, left);
      else this.#taken.delete(key);
    }
  }
}

/** A request may name a vehicle of another account: it must not wait for that one's turn, nor make it wait. */
const keyOf = (accountId: number, vehicleId: number): string => `vehicle ${accountId} ${vehicleId}`;
