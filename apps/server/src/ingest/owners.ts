import type { Pool } from 'pg';
import { GONE_AFTER_SECONDS } from '../db/leader.ts';
import { inTransaction } from '../tracks/in-transaction.ts';

/** Called with vehicles that were not this node's until now, before anything is computed from their states. */
type Taken = (vehicleIds: readonly number[]) => Promise<void>;

/** What this node knows of its vehicles holds as long as its fence has this number; so whatever is written names it. */
export interface Fence {
  readonly node: string;
  readonly lockKey: number;
  readonly number: string;
}

/** Which vehicles' states this node computes. */
export interface Owners {
  /** Other nodes may take vehicles over. */
  readonly isShared: boolean;
  /** Resolves when these vehicles are this node's; null where nobody could take them. */
  own(vehicleIds: Iterable<number>, taken: Taken): Promise<Fence | null>;
  /** What was written was refused: vehicles may have been taken over. */
  lookAgain(): void;
}

/** Of the only node. */
export const OWNS_ALL: Owners = { isShared: false, own: async () => null, lookAgain: () => {} };

/** The first number of the two that name the lock which a node's writers share; the second is its `lock_key`. */
const LOCK = 0x6d_69_6c_68;
/** A transaction that is told nothing for so long ends, and its lock with it: its node hangs, or is cut off. */
const IDLE_MS = 15_000;
/** After waiting so long for a node's writers, it is asked whether that node is still there. */
const WAITED_MS = 5000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The beginning of a transaction that stores what follows from a node's vehicles. Fails if any of them may be another's:
 * also in a process that hung in between, and still believes that they are its own.
 */
export const beginFenced = ({ lockKey, node, number }: Fence): string =>
  `begin; set local idle_in_transaction_session_timeout = ${IDLE_MS}; select keep_fence('${node}', ${lockKey}, ${number})`;

/** Those that hold back whoever takes over the vehicles of a node that is gone, and would for as long as its connections. */
const END_WRITERS_OF_ONE_THAT_IS_GONE = `
  select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and granted and classid = ${LOCK} and objid = $1 and objsubid = 2
    and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()
    and not exists (
      select from node where lock_key = $1 and seen_at > now() - interval '${GONE_AFTER_SECONDS} seconds')`;

/**
 * One owner a vehicle: the node to which its tracker reports. A node that gets a report of another's vehicle takes the
 * vehicle over and reads its state, which follows from what is stored. Whoever takes a vehicle over gives the fence of
 * its former owner another number, and waits until what that is writing is stored: writers share their node's lock. What
 * is written afterwards by the old number is refused (`keep_fence`); its node then looks which vehicles are lost, and
 * takes those that it needs back.
 */
export class FencedOwners implements Owners {
  readonly isShared = true;
  readonly #pool: Pool;
  readonly #node: string;
  /** As of one moment; null: to be read. */
  #known: { readonly fence: Fence; readonly owned: ReadonlySet<number> } | null = null;

  constructor(pool: Pool, node: string) {
    this.#pool = pool;
    this.#node = node;
  }

  async own(vehicleIds: Iterable<number>, taken: Taken): Promise<Fence> {
    const wanted = [...new Set(vehicleIds)];
    for (;;) {
      const { fence, owned } = this.#known ?? (await this.#look());
      const missing = wanted.filter(id => !owned.has(id));
      if (missing.length === 0) return fence;
      const gone = await this.#take(missing);
      await taken(missing);
      // A vehicle that was deleted has no owner; the database refuses what is written for it.
      for (const id of gone) wanted.splice(wanted.indexOf(id), 1);
    }
  }

  lookAgain(): void {
    this.#known = null;
  }

  async #look() {
    const { rows } = await this.#pool.query<{ fence: string; lock_key: number; owned: readonly number[] }>(
      `select fence, lock_key, array(select vehicle_id from vehicle_owner where node = $1) as owned
      from node where id = $1`,
      [this.#node],
    );
    if (!rows[0]) throw new Error('This server is not registered with the others');
    const { fence: number, lock_key: lockKey, owned } = rows[0];
    const known = { fence: { node: this.#node, lockKey, number }, owned: new Set(owned) };
    this.#known = known;
    return known;
  }

  /** Returns those that are no longer there. */
  async #take(vehicleIds: readonly number[]): Promise<readonly number[]> {
    const others = new Set<number>();
    const owned = await inTransaction(this.#pool, async client => {
      await client.query(`set local lock_timeout = ${WAITED_MS}`);
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
      const nodes = [...new Set(rows.map(({ node }) => node))].filter(node => node !== this.#node);
      const keys = await client.query<{ lock_key: number }>(
        'select lock_key from node where id = any ($1) order by lock_key',
        [nodes],
      );
      for (const { lock_key } of keys.rows) others.add(lock_key);
      for (const lockKey of others) await client.query('select pg_advisory_xact_lock($1, $2)', [LOCK, lockKey]);
      await client.query(`update node set fence = nextval('node_fence') where id = any ($1)`, [nodes]);
      await client.query('update vehicle_owner set node = $2 where vehicle_id = any ($1) and node <> $2', [
        vehicleIds,
        this.#node,
      ]);
      return new Set(rows.map(({ vehicle_id }) => vehicle_id));
    }).catch(async (error: { readonly code?: string }) => {
      if (error.code === LOCK_NOT_AVAILABLE) {
        for (const lockKey of others) await this.#pool.query(END_WRITERS_OF_ONE_THAT_IS_GONE, [lockKey]);
      }
      throw error;
    });
    // Another may have taken one of them meanwhile.
    this.#known = null;
    return vehicleIds.filter(id => !owned.has(id));
  }
}
