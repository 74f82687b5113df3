import type { Alert } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Directory } from '../../fleet/directory.ts';
import type { ReportContext } from '../../ingest/report.ts';
import type { AboutAlert } from './audience.ts';
import { type AlertRow, aboutOf, selectAlerts, toAlert, vehicleOf } from './store.ts';

/** At most one announcement in this time for an alarm repeated in every report. */
const GATHER_MS = 100;
/** The retry delay if changed alerts could not be read. */
const AGAIN_MS = 2000;

declare module '../../lifecycle/signals.ts' {
  interface SignalMap {
    /** An alert opened, repeated, closed or was acknowledged. */
    'alert-changed': { readonly accountId: number; readonly about: AboutAlert; readonly alert: Alert };
  }
}

export interface AlertNewsParts {
  readonly directory: Pick<Directory, 'findById'>;
  readonly reportContext: Pick<ReportContext, 'placeOf'>;
}

/** Announces changed alerts by the signal `alert-changed`, as they are in the database, in batches. */
export class AlertNews {
  readonly #context: Pick<Context, 'db' | 'log' | 'signals'>;
  readonly #parts: AlertNewsParts;
  #waiting = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;

  constructor(context: Pick<Context, 'db' | 'log' | 'signals'>, parts: AlertNewsParts) {
    this.#context = context;
    this.#parts = parts;
  }

  note(ids: readonly string[]): void {
    this.#tellAfter(GATHER_MS, ids);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #tellAfter(delayMs: number, ids: readonly string[]): void {
    for (const id of ids) this.#waiting.add(id);
    if (this.#isStopped || this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#tell(), delayMs).unref();
  }

  async #tell(): Promise<void> {
    const ids = [...this.#waiting];
    this.#waiting = new Set();
    this.#timer = null;
    const { signals } = this.#context;
    const { directory, reportContext } = this.#parts;
    for (const row of await this.#read(ids)) {
      const vehicle = vehicleOf(row, directory);
      if (vehicle === undefined) continue;
      // Whoever passes it on leaves out what their reader doesn't see.
      const alert = toAlert(row, vehicle, reportContext, () => true);
      signals.emit('alert-changed', { accountId: row.account_id, about: aboutOf(row), alert });
    }
  }

  async #read(ids: readonly string[]): Promise<AlertRow[]> {
    const { db, log } = this.#context;
    try {
      return await selectAlerts(db.system).where('alert.id', '=', sql<string>`any(${ids}::uuid[])`).execute();
    } catch (error) {
      log.error({ err: error }, 'Could not announce changed alerts; retrying');
      this.#tellAfter(AGAIN_MS, ids);
      return [];
    }
  }
}
