import type { Context } from '../../context.ts';
import type { Surroundings } from '../../ingest/report.ts';
import type { Directory } from '../vehicles/directory.ts';
import { selectAlerts, toAlert } from './store.ts';

/** An alarm that stands in every report is told no more often. */
const GATHER_MS = 100;

export interface AlertNewsParts {
  readonly directory: Pick<Directory, 'findById'>;
  readonly surroundings: Pick<Surroundings, 'addressOf'>;
}

/** Tells what became of alerts, by the signal `alert-changed`: as the database has it, gathered for a moment. */
export class AlertNews {
  readonly #context: Pick<Context, 'db' | 'log' | 'signals'>;
  readonly #parts: AlertNewsParts;
  #waiting = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(context: Pick<Context, 'db' | 'log' | 'signals'>, parts: AlertNewsParts) {
    this.#context = context;
    this.#parts = parts;
  }

  note(ids: readonly string[]): void {
    for (const id of ids) this.#waiting.add(id);
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.#tell(), GATHER_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #tell(): Promise<void> {
    const ids = [...this.#waiting];
    this.#waiting = new Set();
    this.#timer = null;
    const { db, log, signals } = this.#context;
    const { directory, surroundings } = this.#parts;
    try {
      for (const row of await selectAlerts(db.system).where('alert.id', 'in', ids).execute()) {
        const vehicle = directory.findById(row.vehicle_id);
        if (!vehicle) continue;
        const alert = toAlert(row, vehicle, surroundings);
        signals.emit('alert-changed', { accountId: row.account_id, vehicleId: row.vehicle_id, alert });
      }
    } catch (error) {
      // They stand in the database; whoever looks finds them there.
      log.error({ err: error }, 'Changed alerts could not be told');
    }
  }
}
