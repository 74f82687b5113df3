import type { ClientBase, Pool, PoolClient } from 'pg';
import { inTransaction } from '../tracks/in-transaction.ts';

/** Called with vehicles that were not this node's until now, before anything is computed from their states. */
type Taken = (vehicleIds: readonly number[]) => Promise<void>;

/** Which vehicles' states this node computes. */
export interface Owners {
  /** Other nodes may take vehicles over. */
  readonly isShared: boolean;
  /**
   * Resolves when these vehicles are this node's, and stay so until the returned function is called: whoever wants to
   * take one over waits for that. Calling it again does nothing.
   */
  hold(vehicleIds: Iterable<number>, taken: Taken): Promise<() => Promise<void>>;
}

/** Of the only node. */
export const OWNS_ALL: Owners = { isShared: false, hold: async () => async () => {} };

/** The first number of the two that name the lock which a node's writers share; the second is its `lock_key`. */
const LOCK = 0x6d_69_6c_68;
/** A writer that does nothing for so long has lost its vehicles: its node hangs, or is cut off. */
const IDLE_MS = 15_000;

/**
 * One owner a vehicle: the node to which its tracker reports. A node that gets a report of another's vehicle takes the
 * vehicle over and reads its state, which follows from what is stored. While a batch is written, its node's lock is
 * shared by a connection of its own. Whoever takes a vehicle over needs that lock alone, so it waits until what is being
 * written is stored, and gives the former owner's fence another number. A batch that finds another number than the
 * last looks which vehicles are lost, and takes those that it needs back.
 */
export class FencedOwners implements Owners {
  readonly isShared = true;
  readonly #pool: Pool;
  readonly #node: string;
  readonly #owned = new Set<number>();
  #fence: string | null = null;
  #lockKey: number | null = null;

  constructor(pool: Pool, node: string) {
    this.#pool = pool;
    this.#node = node;
  }

  async hold(vehicleIds: Iterable<number>, taken: Taken): Promise<() => Promise<void>> {
    const wanted = [...new Set(vehicleIds)];
    for (;;) {
      const client = await this.#pool.connect();
      client.on('error', UNHEARD);
      let missing: readonly number[];
      try {
        missing = await this.#missing(client, wanted);
        if (missing.length === 0) {
          return oneTime(() =>
            client.query('commit').then(
              () => letGo(client, false),
              () => letGo(client, true),
            ),
          );
        }
        await client.query('rollback');
        letGo(client, false);
      } catch (error) {
        letGo(client, true);
        throw error;
      }
      const gone = await this.#take(missing);
      await taken(missing);
      // A vehicle that was deleted has no owner; the database refuses what is written for it.
      for (const id of gone) wanted.splice(wanted.indexOf(id), 1);
    }
  }

  /** Begins a transaction that shares this node's lock; of these vehicles, those that are not this node's. */
  async #missing(client: ClientBase, wanted: readonly number[]): Promise<readonly number[]> {
    this.#lockKey ??= await this.#readLockKey();
    // Each statement sees what was committed before it began: the fence is read when the lock is there.
    const answers = (await client.query(
      `begin; set local idle_in_transaction_session_timeout = ${IDLE_MS};
      select pg_advisory_xact_lock_shared(${LOCK}, ${this.#lockKey});
      select fence from node where id = '${this.#node}'`,
    )) as unknown as readonly { readonly rows: readonly { readonly fence: string }[] }[];
    const fence = answers.at(-1)?.rows[0]?.fence;
    if (fence === undefined) throw new Error('This server is not registered with the others');
    if (fence !== this.#fence) {
      // Nobody changes it while the lock is shared.
      const { rows } = await client.query<{ vehicle_id: number }>(
        'select vehicle_id from vehicle_owner where node = $1',
        [this.#node],
      );
      this.#owned.clear();
      for (const { vehicle_id } of rows) this.#owned.add(vehicle_id);
      this.#fence = fence;
    }
    return wanted.filter(id => !this.#owned.has(id));
  }

  /** Returns those that are no longer there. */
  async #take(vehicleIds: readonly number[]): Promise<readonly number[]> {
    const owned = await inTransaction(this.#pool, async client => {
      // First, as whoever deletes a vehicle does.
      await client.query('select from vehicle where id = any ($1) order by id for key share', [vehicleIds]);
      await client.query(
        `insert into vehicle_owner (vehicle_id, account_id, node)
        select id, account_id, $2 from vehicle where id = any ($1) order by id on conflict do nothing`,
        [vehicleIds, this.#node],
      );
      const { rows } = await client.query<{ vehicle_id: number; node: string }>(
        'select vehicle_id, node from vehicle_owner where vehicle_id = any ($1) order by vehicle_id for update',
        [vehicleIds],
      );
      const others = new Set(rows.map(({ node }) => node).filter(node => node !== this.#node));
      const keys = await client.query<{ lock_key: number }>(
        'select lock_key from node where id = any ($1) order by lock_key',
        [[...others]],
      );
      for (const { lock_key } of keys.rows) {
        await client.query('select pg_advisory_xact_lock($1, $2)', [LOCK, lock_key]);
      }
      await client.query(`update node set fence = nextval('node_fence') where id = any ($1)`, [[...others]]);
      await client.query('update vehicle_owner set node = $2 where vehicle_id = any ($1) and node <> $2', [
        vehicleIds,
        this.#node,
      ]);
      return new Set(rows.map(({ vehicle_id }) => vehicle_id));
    });
    // Another may have taken one of them meanwhile: what is owned is read under the lock.
    this.#fence = null;
    return vehicleIds.filter(id => !owned.has(id));
  }

  async #readLockKey(): Promise<number | null> {
    const { rows } = await this.#pool.query<{ lock_key: number }>('select lock_key from node where id = $1', [
      this.#node,
    ]);
    if (!rows[0]) throw new Error('This server is not registered with the others');
    return rows[0].lock_key;
  }
}

/** A connection that is lost while nothing is asked of it is noticed at the next query. */
const UNHEARD = (): void => {};

function letGo(client: PoolClient, isBroken: boolean): void {
  client.off('error', UNHEARD);
  client.release(isBroken);
}

function oneTime(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
