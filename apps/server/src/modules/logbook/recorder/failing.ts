import type { Context } from '../../../context.ts';
import { BrokenLog } from '../broken-log.ts';

const FIRST_WAIT_MS = 1000;
/** One that goes on failing is tried again ever later, at the latest after that. */
const LONGEST_WAIT_MS = 60_000;

interface Failing {
  readonly reason: string;
  readonly waitMs: number;
  readonly againAtMs: number;
}

/**
 * The vehicles that can't be recorded. Nothing is lost meanwhile: a vehicle's positions and entries wait, and once it can
 * be recorded again, all that came since is. Since when and why is kept with the vehicle; this server logs each new
 * reason once.
 */
export class FailingVehicles {
  readonly #db: Context['db'];
  readonly #log: Context['log'];
  readonly #failing = new Map<number, Failing>();

  constructor(db: Context['db'], log: Context['log']) {
    this.#db = db;
    this.#log = log;
  }

  /** Whether it failed so recently that it is not tried again yet. */
  waits(vehicleId: number): boolean {
    return (this.#failing.get(vehicleId)?.againAtMs ?? 0) > Date.now();
  }

  works(accountId: number, vehicleId: number): void {
    if (this.#failing.delete(vehicleId)) this.#log.info({ accountId, vehicleId }, 'The vehicle is recorded again');
  }

  async fails(accountId: number, vehicleId: number, error: unknown): Promise<void> {
    const before = this.#failing.get(vehicleId);
    const reason = error instanceof Error ? error.message : String(error);
    const waitMs = before ? Math.min(LONGEST_WAIT_MS, before.waitMs * 2) : FIRST_WAIT_MS;
    this.#failing.set(vehicleId, { reason, waitMs, againAtMs: Date.now() + waitMs });
    if (before?.reason === reason) return;
    this.#log.error({ err: error, accountId, vehicleId }, 'Could not record a vehicle; it is tried again');
    const broken = error instanceof BrokenLog ? error.log : null;
    await this.#keep(accountId, vehicleId, broken).catch((unkept: unknown) =>
      this.#log.warn({ err: unkept, accountId, vehicleId }, 'Could not note that a vehicle is not recorded'),
    );
  }

  async #keep(accountId: number, vehicleId: number, broken: string | null): Promise<void> {
    await this.#db.asAccount(accountId, trx =>
      trx
        .updateTable('recorder_fold')
        .set(eb => ({
          failing_since: eb.fn.coalesce('failing_since', eb.val(new Date())),
          failing_code: broken === null ? 'error' : 'broken-log',
          failing_log: broken,
        }))
        .where('vehicle_id', '=', vehicleId)
        .execute(),
    );
  }

  async trouble(): Promise<string | null> {
    const { vehicles, since, broken } = await this.#db.system
      .selectFrom('recorder_fold')
      .select(eb => [
        eb.fn.countAll<string>().as('vehicles'),
        eb.fn.min('failing_since').as('since'),
        eb.fn.count<string>('failing_log').distinct().as('broken'),
      ])
      .where('failing_since', 'is not', null)
      .executeTakeFirstOrThrow();
    if (since === null) return null;
    const why = Number(broken) > 0 ? `; ${broken} of their logs contradict themselves` : '';
    return `${vehicles} vehicle(s) can't be recorded, the first since ${since.toISOString()}${why}. The server's log says more.`;
  }
}
