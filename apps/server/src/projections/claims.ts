import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import type { Db } from './reading.ts';

/** A server that was not seen for so long is gone, or has to let others go on. */
const GONE_AFTER_SECONDS = 30;
const SEEN_EVERY_MS = 10_000;
/** A server that was not seen twice may not follow any more. */
const LATE_AFTER_SECONDS = 15;

/**
 * Which vehicles this runner keeps. A claim ends with its runner: when it stops, when it is not seen any more, or when
 * another takes the vehicle over because a reader waits for its figures. Whoever lost a claim notices when it writes.
 */
export class Claims {
  readonly #db: Db;
  #runner: string | null = null;
  #seenMs = Number.NEGATIVE_INFINITY;
  readonly #waitedMs: () => ReadonlyMap<number, number>;

  /** `waitedMs`: how long the oldest position of each account has waited for this runner. */
  constructor(db: Db, waitedMs: () => ReadonlyMap<number, number> = () => new Map()) {
    this.#db = db;
    this.#waitedMs = waitedMs;
  }

  /** Tells the others that this runner is alive; as often as one likes. */
  async seen(): Promise<void> {
    const nowMs = performance.now();
    if (this.#runner !== null && nowMs - this.#seenMs < SEEN_EVERY_MS) return;
    const waiting = JSON.stringify(Object.fromEntries(this.#waitedMs()));
    const { rows } = await sql<{ id: string }>`
      insert into projection_runner (id, waiting)
      values (coalesce(${this.#runner}::bigint, nextval('projection_runner_id')), ${waiting}::jsonb)
      on conflict (id) do update set seen_at = now(), waiting = excluded.waiting returning id`.execute(this.#db);
    this.#runner = rows[0]?.id ?? null;
    this.#seenMs = nowMs;
    await sql`delete from projection_runner where seen_at < now() - interval '1 day'`.execute(this.#db);
  }

  /** Of these vehicles those that nobody else keeps, or all where they are taken `over`. */
  async take(vehicleIds: readonly number[], over: boolean): Promise<Set<number>> {
    if (vehicleIds.length === 0) return new Set();
    await this.seen();
    const others = over ? new Set<number>() : new Set(await this.ofOthers(vehicleIds));
    const free = vehicleIds.filter(id => !others.has(id));
    const { rows } = await sql<{ vehicle_id: number }>`
      insert into projection_claim as claim (account_id, vehicle_id, runner)
      select account_id, id, ${this.#runner}::bigint from vehicle where id = any (${free}::int4[]) order by id
      on conflict (vehicle_id) do update set runner = excluded.runner
        where ${over} or ${isFree('claim', this.#runner)}
      returning vehicle_id`.execute(this.#db);
    return new Set(rows.map(row => row.vehicle_id));
  }

  /** The vehicles, of these or of all, that another living runner keeps. */
  async ofOthers(vehicleIds: readonly number[] | null = null): Promise<number[]> {
    const { rows } = await sql<{ vehicle_id: number }>`
      select vehicle_id from projection_claim claim
      where (${vehicleIds}::int4[] is null or vehicle_id = any (${vehicleIds}::int4[]))
        and not ${isFree('claim', this.#runner)}`.execute(this.#db);
    return rows.map(row => row.vehicle_id);
  }

  /** How long the oldest position of an account has waited for another living runner; as of when that was last seen. */
  async othersWaitedMs(accountId: number): Promise<number> {
    const { rows } = await sql<{ waited: number | null }>`
      select max(extract(epoch from now() - seen_at) * 1000 + coalesce((waiting ->> ${String(accountId)})::float8, 0))
        filter (where waiting ? ${String(accountId)}
          or seen_at < now() - make_interval(secs => ${sql.lit(LATE_AFTER_SECONDS)}))::float8 as waited
      from projection_runner runner
      where seen_at > now() - make_interval(secs => ${sql.lit(GONE_AFTER_SECONDS)})
        and id is distinct from ${this.#runner}::bigint
        and exists (select from projection_claim claim where claim.runner = runner.id and account_id = ${accountId})
    `.execute(this.#db);
    return rows[0]?.waited ?? 0;
  }

  /** Of these vehicles those that another runner has claimed since, whether it is still alive or not. */
  async lost(vehicleIds: readonly number[]): Promise<number[]> {
    if (vehicleIds.length === 0) return [];
    const { rows } = await sql<{ vehicle_id: number }>`
      select vehicle_id from projection_claim
      where vehicle_id = any (${vehicleIds}::int4[]) and runner <> ${this.#runner}::bigint`.execute(this.#db);
    return rows.map(row => row.vehicle_id);
  }

  /** Of these vehicles those that are still claimed, and stay so until the transaction ends. */
  async hold(trx: AccountTransaction, vehicleIds: readonly number[]): Promise<Set<number>> {
    // First, as whoever deletes a vehicle does: they would wait for the claim, and what is written here for the vehicle.
    await sql`
      select from vehicle where id = any (${vehicleIds}::int4[]) order by id for key share`.execute(trx);
    const { rows } = await sql<{ vehicle_id: number }>`
      select vehicle_id from projection_claim
      where vehicle_id = any (${vehicleIds}::int4[]) and runner = ${this.#runner}::bigint
      order by vehicle_id for update`.execute(trx);
    return new Set(rows.map(row => row.vehicle_id));
  }

  async release(): Promise<void> {
    if (this.#runner === null) return;
    await sql`delete from projection_runner where id = ${this.#runner}::bigint`.execute(this.#db);
    this.#runner = null;
  }
}

const isFree = (claim: string, runner: string | null) => sql`(
  ${sql.ref(`${claim}.runner`)} is not distinct from ${runner}::bigint or not exists (
    select from projection_runner alive where alive.id = ${sql.ref(`${claim}.runner`)}
      and alive.seen_at > now() - make_interval(secs => ${sql.lit(GONE_AFTER_SECONDS)})
  )
)`;
