import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Bus } from '../../bus/bus.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { GONE_AFTER_SECONDS } from '../../db/leader.ts';
import type { Signals } from '../../lifecycle/signals.ts';
import { inTransaction } from '../../tracks/in-transaction.ts';
import { NotOurs, type Way, type Ways } from './ways.ts';

export interface SharedWaysParts {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Pick<Logger, 'warn'>;
  readonly signals: Pick<Signals, 'emit'>;
  /** The other nodes take this one for running, and will for some seconds. */
  readonly isKnown: () => boolean;
  /** A connection that says nothing, while another node waits: it gives way. */
  readonly isSilent: (connection: Way) => boolean;
}

/** How often a node asks again, and looks who asks it, when no message of the bus says so. */
const LOOK_EVERY_MS = 1000;
const AT_ONCE = 1000;

const isRunning = (column: string): string =>
  `exists (select from node where node.id = ${column} and seen_at > now() - interval '${GONE_AFTER_SECONDS} seconds')`;

/**
 * A row for each vehicle says which node has its commands. The first node to which its tracker connects takes them; any
 * other waits, as a second connection to one node does, and gets them when the first has no connection any more, or one
 * that is silent. What a node that is gone had goes to whoever needs it. A node that could not say for some seconds that
 * it runs takes itself for gone, well before the others do.
 */
export class SharedWays implements Ways {
  readonly isShared = true;
  readonly #parts: SharedWaysParts;
  readonly #mine = new Set<number>();
  /** First connections to this node, by vehicle; */
  readonly #connections = new Map<number, Way>();
  /** those that wait for another node's. */
  readonly #waiting = new Set<number>();
  #asked = new Set<number>();
  #claiming: Promise<void> | null = null;
  #looking: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;
  readonly #ends: readonly (() => void)[];

  constructor(parts: SharedWaysParts) {
    this.#parts = parts;
    const { bus } = parts;
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    this.#ends = [
      bus.listen(`ways.asked.${bus.nodeId}`, () => void this.#look()),
      bus.listen(`ways.given.${bus.nodeId}`, () => void this.#look()),
    ];
  }

  isMine(vehicleId: number): boolean {
    return this.#mine.has(vehicleId) && this.#parts.isKnown();
  }

  async hold(vehicleIds: readonly number[]): Promise<ReadonlySet<number>> {
    const missing = vehicleIds.filter(id => !this.#mine.has(id));
    if (missing.length > 0) await this.#claim(missing);
    return new Set(vehicleIds.filter(id => this.isMine(id)));
  }

  async nodeOf(vehicleId: number): Promise<string | null> {
    const { rows } = await this.#parts.pool.query<{ node: string }>(
      `select node from tracker_way where vehicle_id = $1 and node <> $2 and ${isRunning('tracker_way.node')}`,
      [vehicleId, this.#node],
    );
    return rows[0]?.node ?? null;
  }

  async fence(trx: AccountTransaction, vehicleId: number, andReports: boolean): Promise<void> {
    const way = await trx
      .selectFrom('tracker_way')
      .select('node')
      .where('vehicle_id', '=', vehicleId)
      .forShare()
      .executeTakeFirst();
    if (way?.node !== this.#node) {
      this.#lose([vehicleId]);
      throw new NotOurs('commands');
    }
    if (!andReports) return;
    const owner = await trx
      .selectFrom('vehicle_owner')
      .select('node')
      .where('vehicle_id', '=', vehicleId)
      .forShare()
      .executeTakeFirst();
    if (owner?.node !== this.#node) throw new NotOurs('reports');
  }

  connected(connection: Way): boolean {
    const { vehicleId } = connection;
    this.#connections.set(vehicleId, connection);
    if (this.#mine.has(vehicleId)) return this.isMine(vehicleId);
    this.#waiting.add(vehicleId);
    void this.#claim([vehicleId]).catch(() => {});
    return false;
  }

  disconnected(connection: Way): void {
    const { vehicleId } = connection;
    if (this.#connections.get(vehicleId) !== connection) return;
    this.#connections.delete(vehicleId);
    this.#waiting.delete(vehicleId);
  }

  /**
   * This node could not say that it runs, and now can: what others have taken meanwhile is no longer its own. Nobody
   * takes anything while this reads.
   */
  readAgain(): Promise<void> {
    return this.#inTurn(async () => {
      const { rows } = await this.#parts.pool.query<{ vehicle_id: number }>(
        'select vehicle_id from tracker_way where node = $1',
        [this.#node],
      );
      const mine = new Set(rows.map(({ vehicle_id }) => vehicle_id));
      this.#lose([...this.#mine].filter(id => !mine.has(id)));
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const end of this.#ends) end();
    await Promise.allSettled([this.#claiming, this.#looking]);
  }

  get #node(): string {
    return this.#parts.bus.nodeId;
  }

  #lose(vehicleIds: readonly number[]): void {
    const lost = vehicleIds.filter(id => this.#mine.delete(id));
    for (const id of lost) if (this.#connections.has(id)) this.#waiting.add(id);
    if (lost.length > 0) this.#parts.signals.emit('commands-lost', { vehicleIds: lost });
  }

  /** Resolves when these have been asked for; together with others that are. */
  #claim(vehicleIds: readonly number[]): Promise<void> {
    for (const id of vehicleIds) this.#asked.add(id);
    this.#claiming ??= (async () => {
      // Whatever else connects in this turn.
      await Promise.resolve();
      while (this.#asked.size > 0) {
        const batch = [...this.#asked].slice(0, AT_ONCE);
        for (const id of batch) this.#asked.delete(id);
        await this.#ask(batch);
      }
    })().finally(() => {
      this.#claiming = null;
    });
    return this.#claiming;
  }

  async #ask(vehicleIds: readonly number[]): Promise<void> {
    const { bus, isKnown, pool, signals } = this.#parts;
    // What it takes would be taken from it at once.
    if (!isKnown()) return;
    const waiting = vehicleIds.filter(id => this.#waiting.has(id));
    const gained = { nobody: [] as number[], gone: [] as number[], running: [] as number[] };
    const askedOf = new Set<string>();
    await this.#inTurn(async () => {
      const { gone, made, rows } = await inTransaction(pool, client => take(client, this.#node, vehicleIds, waiting));
      for (const { vehicle_id: id, node } of rows) {
        if (node !== this.#node) {
          if (this.#waiting.has(id)) askedOf.add(node);
        } else if (!this.#mine.has(id)) {
          this.#mine.add(id);
          this.#waiting.delete(id);
          gained[made.has(id) ? 'nobody' : gone.has(id) ? 'gone' : 'running'].push(id);
        }
      }
    });
    for (const node of askedOf) bus.publish(`ways.asked.${node}`, '');
    for (const sender of ['nobody', 'gone', 'running'] as const) {
      if (gained[sender].length > 0) signals.emit('commands-gained', { vehicleIds: gained[sender], sender });
    }
  }

  /** What the database says and what this node knows must not cross. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  #look(): Promise<void> {
    this.#looking ??= (async () => {
      if (this.#waiting.size > 0) await this.#claim([...this.#waiting]);
      await this.#giveWay();
    })()
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'Could not agree with other servers on who sends commands'),
      )
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  /** To those who wait for vehicles that have no connection here, or a silent one. */
  async #giveWay(): Promise<void> {
    const { bus, isSilent, pool } = this.#parts;
    const { rows } = await pool.query<{ vehicle_id: number }>(
      'select vehicle_id from tracker_way where node = $1 and wanted_by is not null',
      [this.#node],
    );
    const free: number[] = [];
    for (const { vehicle_id: id } of rows) {
      const connection = this.#connections.get(id);
      if (connection && isSilent(connection)) connection.close('replaced');
      // The next one of this node may have come forward.
      if (!this.#connections.has(id)) free.push(id);
    }
    if (free.length === 0) return;
    const given = await this.#inTurn(() => {
      // First here, so that nothing is sent any more, and then for all.
      this.#lose(free);
      return pool.query<{ vehicle_id: number; node: string }>(
        `update tracker_way
        set node = case when ${isRunning('wanted_by')} then wanted_by else node end, wanted_by = null
        where vehicle_id = any ($1) and node = $2 and wanted_by is not null
        returning vehicle_id, node`,
        [free, this.#node],
      );
    });
    for (const node of new Set(given.rows.map(row => row.node))) bus.publish(`ways.given.${node}`, '');
  }
}

interface Taken {
  readonly rows: readonly { readonly vehicle_id: number; readonly node: string }[];
  /** Those that nobody had, */
  readonly made: ReadonlySet<number>;
  /** or a node that is gone. */
  readonly gone: ReadonlySet<number>;
}

async function take(
  client: PoolClient,
  node: string,
  vehicleIds: readonly number[],
  waiting: readonly number[],
): Promise<Taken> {
  const ids = [vehicleIds];
  // First, as whoever deletes a vehicle does.
  await client.query('select from vehicle where id = any ($1) order by id for key share', ids);
  const made = await client.query<{ vehicle_id: number }>(
    `insert into tracker_way (vehicle_id, account_id, node)
    select id, account_id, $2 from vehicle where id = any ($1) order by id on conflict do nothing returning vehicle_id`,
    [vehicleIds, node],
  );
  await client.query('select from tracker_way where vehicle_id = any ($1) order by vehicle_id for update', ids);
  const taken = await client.query<{ vehicle_id: number }>(
    `update tracker_way set node = $2, wanted_by = null
    where vehicle_id = any ($1) and node <> $2 and not ${isRunning('tracker_way.node')} returning vehicle_id`,
    [vehicleIds, node],
  );
  await client.query(
    `update tracker_way set wanted_by = $2
    where vehicle_id = any ($1) and node <> $2 and (wanted_by is null or not ${isRunning('wanted_by')})`,
    [waiting, node],
  );
  const { rows } = await client.query<Taken['rows'][number]>(
    'select vehicle_id, node from tracker_way where vehicle_id = any ($1)',
    ids,
  );
  const idsOf = (of: typeof made.rows): ReadonlySet<number> => new Set(of.map(({ vehicle_id }) => vehicle_id));
  return { rows, made: idsOf(made.rows), gone: idsOf(taken.rows) };
}

declare module '../../lifecycle/signals.ts' {
  interface SignalMap {
    /**
     * This node has the commands of these vehicles now. `gone`: nobody knows what was sent by the node that had them.
     * `running`: it has given them, and sends nothing any more.
     */
    'commands-gained': { readonly vehicleIds: readonly number[]; readonly sender: 'nobody' | 'gone' | 'running' };
    'commands-lost': { readonly vehicleIds: readonly number[] };
  }
}
