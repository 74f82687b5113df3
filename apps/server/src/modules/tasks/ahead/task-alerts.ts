import { randomUUID } from 'node:crypto';
import type { AlertTask, Severity } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

interface NewAlert {
  readonly accountId: number;
  readonly vehicleId: number | null;
  readonly driverId: number | null;
  readonly taskId: number;
  readonly severity: Severity;
  readonly place: { readonly lat: number; readonly lon: number } | null;
  readonly task: AlertTask;
}

/** The alerts about tasks of one kind: every change of one is told to those who follow alerts. */
export class TaskAlerts {
  readonly #context: Pick<Context, 'db' | 'signals'>;
  readonly #kind: 'taskLate' | 'taskNoDriver';

  constructor(context: Pick<Context, 'db' | 'signals'>, kind: 'taskLate' | 'taskNoDriver') {
    this.#context = context;
    this.#kind = kind;
  }

  /** Answers its ID; null if the task has one. */
  async begin({ accountId, driverId, place, severity, task, taskId, vehicleId }: NewAlert, now: number) {
    const row = await this.#context.db.system
      .insertInto('alert')
      .values({
        ...{ id: randomUUID(), account_id: accountId, vehicle_id: vehicleId, kind: this.#kind, severity },
        ...{ event: null, command_id: null, figures: null, conflict: null, closed_at: null },
        ...{ opened_at: new Date(now), updated_at: new Date(now), driver_id: driverId },
        ...{ lat: place?.lat ?? null, lon: place?.lon ?? null, acknowledged_at: null, acknowledged_by: null },
        ...{ task_id: taskId, task: jsonOf(task) },
      })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row) this.#tell(row.id);
    return row?.id ?? null;
  }

  async update(alertId: string, task: AlertTask, now: number): Promise<void> {
    await this.#set(alertId, { task: jsonOf(task), updated_at: new Date(now) });
  }

  async end(alertId: string, now: number): Promise<void> {
    await this.#set(alertId, { closed_at: new Date(now) });
  }

  async #set(
    alertId: string,
    changes: { closed_at: Date } | { task: ReturnType<typeof jsonOf>; updated_at: Date },
  ): Promise<void> {
    await this.#context.db.system
      .updateTable('alert')
      .set(changes)
      .where('id', '=', alertId)
      .where('closed_at', 'is', null)
      .execute();
    this.#tell(alertId);
  }

  #tell(alertId: string): void {
    this.#context.signals.emit('alerts-written', { ids: [alertId] });
  }
}

const jsonOf = (task: AlertTask) => sql<AlertTask>`${JSON.stringify(task)}::jsonb`;
