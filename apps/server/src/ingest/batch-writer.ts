import { finished } from 'node:stream/promises';
import type { Pool, PoolClient } from 'pg';
import { from } from 'pg-copy-streams';
import { type PrivatePosition, writePrivate } from '../tracks/private.ts';
import { isOld, oldDaysOf, reopenDays } from '../tracks/seal.ts';
import { copyPositions, insertPositions } from '../tracks/write.ts';
import { ArrayParameter, type ElementType } from './array-parameter.ts';
import { type CommitHook, NO_COMMIT_HOOK, type TakenPosition } from './commit-hook.ts';
import { CopyRows } from './copy-rows.ts';
import { beginFenced, type Fence } from './owners.ts';
import { namesOf, type OwnedPosition, type OwnedState, POSITION_COLUMNS, STATE_COLUMNS } from './written-columns.ts';

export interface Written {
  /** How many rows were new, and how many of these are late. */
  readonly inserted: number;
  readonly late: number;
}

export interface WriteOptions {
  /** Some of it may be there already: nothing is taken for new. */
  readonly isRepeated?: boolean;
  /** Nothing is stored unless the vehicles are still this node's. */
  readonly fence?: Fence | null;
}

const arrays = (columns: readonly { readonly type: ElementType }[], first: number): string =>
  columns.map(({ type }, index) => `$${first + index}::${type}[]`).join(', ');

/** One statement is one transaction. Existing rows are left as they are. */
const insertOf = (returned: string, answer: string, condition = ''): string => `
with inserted as (
  ${insertPositions(namesOf(POSITION_COLUMNS), `select * from unnest(${arrays(POSITION_COLUMNS, 1)}) ${condition}`, returned)}
), stated as (
  insert into vehicle_state (${namesOf(STATE_COLUMNS)})
  select * from unnest(${arrays(STATE_COLUMNS, POSITION_COLUMNS.length + 1)}) ${condition}
  on conflict (vehicle_id) do update
    set heard_at = excluded.heard_at, live = excluded.live, newest = excluded.newest
)
select ${answer} from inserted`;
const COUNTS = 'count(*)::int4 as inserted, (count(*) filter (where late))::int4 as late';
const INSERT = insertOf('late', COUNTS);
const FENCE_PARAMETERS = POSITION_COLUMNS.length + STATE_COLUMNS.length;
/** The same, if the fence holds: without a transaction of several statements, which cost more than the work. */
const INSERT_FENCED = insertOf(
  'late',
  COUNTS,
  `where (select keep_fence($${FENCE_PARAMETERS + 1}, $${FENCE_PARAMETERS + 2}, $${FENCE_PARAMETERS + 3}))`,
);
/** The same, but says which rows were new. */
const INSERT_RETURNING = insertOf('vehicle_id, fix_at, late', 'vehicle_id, fix_at, late');

const COPY = copyPositions(namesOf(POSITION_COLUMNS));
/** Below this, the second round trip costs more than the cheaper rows save. */
const WORTH_A_COPY = 16;

/**
 * Writes batches of positions, and the states that go with them. New positions go by COPY, which takes half the
 * database's time of an insert that looks for what is there (docs/performance.md). One batch at a time: the memory of
 * rows and parameters is used again.
 */
export class BatchWriter {
  readonly #pool: Pool;
  readonly #commitHook: CommitHook;
  readonly #rows = new CopyRows(POSITION_COLUMNS.length);
  readonly #positions = POSITION_COLUMNS.map(({ type }) => new ArrayParameter(type));
  readonly #states = STATE_COLUMNS.map(({ type }) => new ArrayParameter(type));

  constructor(pool: Pool, commitHook: CommitHook = NO_COMMIT_HOOK) {
    this.#pool = pool;
    this.#commitHook = commitHook;
  }

  /**
   * Resolves when all is committed; the states last, so that none is ahead of its positions. Rejects also when only a
   * part is: then again, with `isRepeated`.
   */
  async write(
    positions: readonly OwnedPosition[],
    states: readonly OwnedState[],
    options: WriteOptions = {},
  ): Promise<Written> {
    const concerned = this.#commitHook.concerned(positions);
    if (concerned.size === 0) return this.#write(positions, states, options);
    const isConcerned = ({ vehicle }: OwnedPosition | OwnedState): boolean => concerned.has(vehicle.id);
    const isOther = (row: OwnedPosition | OwnedState): boolean => !isConcerned(row);
    const others = await this.#write(positions.filter(isOther), states.filter(isOther), options);
    const together = await this.#writeTogether(positions.filter(isConcerned), states.filter(isConcerned), options);
    return { inserted: others.inserted + together.inserted, late: others.late + together.late };
  }

  /** Positions of private time; the same again changes nothing. */
  async writeHidden(positions: readonly PrivatePosition[]): Promise<void> {
    if (positions.length > 0) await writePrivate(this.#pool, positions);
  }

  async #write(
    positions: readonly OwnedPosition[],
    states: readonly OwnedState[],
    { fence = null, isRepeated = false }: WriteOptions,
  ): Promise<Written> {
    if (positions.length === 0 && states.length === 0) return NOTHING;
    const isFresh = (row: OwnedPosition): boolean => row.isNew && !isOld(row);
    const fresh = isRepeated ? [] : positions.filter(isFresh);
    if (fresh.length < WORTH_A_COPY) return this.#insert(positions, states, fence);
    const others = positions.filter(row => !isFresh(row));
    const isAll = others.length === 0 && states.length === 0;
    if (fence === null) {
      await this.#withClient(client => this.#copy(client, fresh));
      return added(fresh, isAll ? null : await this.#insert(others, states, null));
    }
    return this.#inTransaction(fence, async client => {
      await this.#copy(client, fresh);
      return added(fresh, isAll ? null : await this.#insertBy(client, others, states));
    });
  }

  /** Positions, states and what the commit hook writes: all or nothing. */
  async #writeTogether(
    positions: readonly OwnedPosition[],
    states: readonly OwnedState[],
    { fence = null }: WriteOptions,
  ): Promise<Written> {
    let committed = (): void => {};
    const written = await this.#inTransaction(fence, async client => {
      const days = oldDaysOf(positions);
      if (days.length > 0) await reopenDays(client, days);
      const { rows } = await client.query<{ vehicle_id: number; fix_at: Date; late: boolean }>({
        name: 'ingest-batch-told',
        text: INSERT_RETURNING,
        values: this.#parameters(positions, states),
      });
      const inserted = new Set(rows.map(row => `${row.vehicle_id} ${row.fix_at.getTime()}`));
      const taken: TakenPosition[] = positions.map(row => {
        // Of two positions with the same time, the first one was inserted.
        const isInserted = inserted.delete(`${row.vehicle.id} ${row.position.fixAt}`);
        return { ...row, isInserted };
      });
      committed = await this.#commitHook.write(client, taken);
      return { inserted: rows.length, late: rows.filter(({ late }) => late).length };
    });
    committed();
    return written;
  }

  async #copy(client: PoolClient, positions: readonly OwnedPosition[]): Promise<void> {
    this.#rows.clear();
    for (const position of positions) {
      this.#rows.row();
      for (const { write } of POSITION_COLUMNS) write(this.#rows, position);
    }
    const stream = client.query(from(COPY));
    stream.end(this.#rows.finish());
    await finished(stream);
  }

  async #insert(
    positions: readonly OwnedPosition[],
    states: readonly OwnedState[],
    fence: Fence | null,
  ): Promise<Written> {
    const days = oldDaysOf(positions);
    if (days.length > 0) {
      return this.#inTransaction(fence, async client => {
        await reopenDays(client, days);
        return this.#insertBy(client, positions, states);
      });
    }
    if (fence === null) return this.#insertBy(this.#pool, positions, states);
    const values = [...this.#parameters(positions, states), fence.node, fence.lockKey, fence.number];
    const { rows } = await this.#pool.query<Written>({ name: 'ingest-batch-fenced', text: INSERT_FENCED, values });
    return rows[0] ?? NOTHING;
  }

  async #insertBy(
    db: Pick<PoolClient, 'query'>,
    positions: readonly OwnedPosition[],
    states: readonly OwnedState[],
  ): Promise<Written> {
    const values = this.#parameters(positions, states);
    const { rows } = await db.query<Written>({ name: 'ingest-batch', text: INSERT, values });
    return rows[0] ?? NOTHING;
  }

  #inTransaction<Result>(fence: Fence | null, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.#withClient(async client => {
      await client.query(fence === null ? 'begin' : beginFenced(fence));
      const result = await work(client);
      await client.query('commit');
      return result;
    });
  }

  async #withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // Takes a transaction with it.
      client.release(true);
      throw error;
    }
  }

  #parameters(positions: readonly OwnedPosition[], states: readonly OwnedState[]): Buffer[] {
    fill(this.#positions, POSITION_COLUMNS, positions);
    fill(this.#states, STATE_COLUMNS, states);
    return [...this.#positions, ...this.#states].map(parameter => parameter.finish());
  }
}

const NOTHING: Written = { inserted: 0, late: 0 };
/** Fresh rows are new, and none of them is late. */
const added = (fresh: readonly OwnedPosition[], others: Written | null): Written => {
  const { inserted, late } = others ?? NOTHING;
  return { inserted: inserted + fresh.length, late };
};

function fill<Row>(
  parameters: readonly ArrayParameter[],
  columns: readonly { readonly write: (to: ArrayParameter, row: Row) => void }[],
  rows: readonly Row[],
): void {
  for (const [index, { write }] of columns.entries()) {
    const parameter = parameters[index];
    parameter?.clear();
    if (parameter) for (const row of rows) write(parameter, row);
  }
}
