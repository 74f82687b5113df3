import { randomUUID } from 'node:crypto';
import { epochMs } from '@milepost/units';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AlertConflict } from '../../db/alert-schema.ts';
import type { Directory } from '../../fleet/directory.ts';
import type { SignalMap } from '../../lifecycle/signals.ts';
import type { Scene } from './open-alert.ts';

export interface ConflictsParts extends Scene {
  readonly directory: Pick<Directory, 'findById'>;
  readonly changed: (ids: readonly string[]) => void;
}

interface Seen {
  readonly conflict: AlertConflict;
  readonly times: number;
  readonly at: number;
}

/** Anyone can cause conflicts at any rate, so writes are throttled. */
const WRITE_EVERY_MS = 2000;
/** A conflict seen again within this time belongs to the same alert. */
const QUIET_MS = 3_600_000;

/**
 * The alert `conflictingReports`: reports for a vehicle contradict its tracker. It closes after an hour without any.
 * If the tracker contradicts itself, that is usually a bad fix, and an alert only if it canceled a command.
 */
export class Conflicts {
  readonly #context: Pick<Context, 'db' | 'log'>;
  readonly #parts: ConflictsParts;
  #seen = new Map<number, Seen>();
  /** Trackers that have contradicted themselves, kept until the command's next step shows whether it was canceled. */
  readonly #itself = new Map<number, AlertConflict>();
  readonly #unsubscribe: readonly (() => void)[];
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  constructor(context: Pick<Context, 'bus' | 'db' | 'log' | 'signals'>, parts: ConflictsParts) {
    this.#context = context;
    this.#parts = parts;
    this.#unsubscribe = [
      context.signals.on('tracker-contradicted', ({ vehicleId, conflict }) => {
        if (conflict.cause === 'itself') this.#itself.set(vehicleId, conflict);
        else this.#note(vehicleId, conflict);
      }),
      // Another node may have heard the tracker whose command this one cancels.
      context.bus.listen('signal.tracker-contradicted', (payload, from) => {
        if (from === context.bus.nodeId) return;
        const { vehicleId, conflict } = JSON.parse(payload) as SignalMap['tracker-contradicted'];
        if (conflict.cause === 'itself') this.#itself.set(vehicleId, conflict);
      }),
      context.signals.on('command-changed', ({ vehicleId, command }) => {
        const conflict = this.#itself.get(vehicleId);
        if (!conflict || command.steps.at(-1)?.reason !== 'contradicting-reports') return;
        this.#itself.delete(vehicleId);
        this.#note(vehicleId, conflict);
      }),
    ];
    this.#timer = setInterval(() => this.#writeLater(), WRITE_EVERY_MS).unref();
  }

  #note(vehicleId: number, conflict: AlertConflict): void {
    const times = (this.#seen.get(vehicleId)?.times ?? 0) + 1;
    this.#seen.set(vehicleId, { conflict, times, at: Date.now() });
  }

  write(): Promise<void> {
    return this.#inTurn(async () => {
      const seen = this.#seen;
      this.#seen = new Map();
      for (const [vehicleId, each] of seen) await this.#writeOne(vehicleId, each);
    });
  }

  /** Closes alerts whose conflict has not been seen for an hour. */
  close(now = Date.now()): Promise<void> {
    return this.#inTurn(async () => {
      const rows = await this.#context.db.system
        .updateTable('alert')
        .set({ closed_at: sql<Date>`updated_at` })
        .where('kind', '=', 'conflictingReports')
        .where('closed_at', 'is', null)
        .where('updated_at', '<', new Date(now - QUIET_MS))
        .returning('id')
        .execute();
      if (rows.length > 0) this.#parts.changed(rows.map(({ id }) => id));
    });
  }

  stop(): void {
    for (const end of this.#unsubscribe) end();
    clearInterval(this.#timer);
  }

  async #writeOne(vehicleId: number, { at, conflict, times }: Seen): Promise<void> {
    const vehicle = this.#parts.directory.findById(vehicleId);
    if (!vehicle) return;
    const { accountId } = vehicle;
    const driverId = this.#parts.driverOf(vehicle);
    const about = { accountId, vehicleId, kind: 'conflictingReports', at: epochMs(at), driverId } as const;
    const severity = this.#parts.builtIns.severityOf(about, 'warning');
    if (severity === null) return;
    const place = this.#parts.live.of(vehicleId)?.motion.place;
    const row = await this.#context.db.system
      .insertInto('alert')
      .values({
        ...{ id: randomUUID(), account_id: accountId, vehicle_id: vehicleId },
        ...{ kind: 'conflictingReports', severity, event: null, command_id: null, figures: null },
        ...{ opened_at: new Date(at), updated_at: new Date(at), closed_at: null, count: times },
        ...{ lat: place?.lat ?? null, lon: place?.lon ?? null, driver_id: driverId },
        ...{ acknowledged_at: null, acknowledged_by: null, conflict: jsonOf(conflict) },
      })
      .onConflict(known =>
        known
          .columns(['vehicle_id', 'kind'])
          .where('closed_at', 'is', null)
          .where(sql<boolean>`kind not in ('rule', 'restricted', 'taskLate')`)
          .doUpdateSet({
            updated_at: sql<Date>`excluded.updated_at`,
            count: sql<number>`alert.count + excluded.count`,
            conflict: sql<AlertConflict>`excluded.conflict`,
          }),
      )
      .returning('id')
      .executeTakeFirst();
    if (row) this.#parts.changed([row.id]);
  }

  #writeLater(): void {
    this.write().catch((error: unknown) =>
      this.#context.log.error({ err: error }, 'Could not save the alert for conflicting reports'),
    );
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {});
    return done;
  }
}

const jsonOf = (conflict: AlertConflict): RawBuilder<AlertConflict> => sql`${JSON.stringify(conflict)}::jsonb`;
