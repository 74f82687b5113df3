import type { CommandState } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Directory } from '../../fleet/directory.ts';
import { type CatchUp, isUnreported } from './catch-up.ts';
import { openAlert, type Scene } from './open-alert.ts';

export interface CommandFailuresParts extends Scene {
  readonly directory: Pick<Directory, 'findById'>;
  readonly changed: (ids: readonly string[]) => void;
}

const FAILED: ReadonlySet<CommandState> = new Set(['failed', 'expired']);
/** Older failures are not reported any more. */
const BACK = '1 day';

/**
 * The alert `commandFailed`: a command that acts on a vehicle failed. Returns the catch-up for failures without an
 * alert, because the server stopped first or the alert could not be written.
 */
export function watchCommandFailures(
  { db, log, signals }: Pick<Context, 'db' | 'log' | 'signals'>,
  { directory, changed, ...scene }: CommandFailuresParts,
): CatchUp {
  const open = async (commandId: string, vehicleId: number, at: Date): Promise<void> => {
    const vehicle = directory.findById(vehicleId);
    if (!vehicle) return;
    // Closed when it opens: a failure has no duration.
    const alert = { kind: 'commandFailed', severity: 'warning', at, closedAt: at, commandId } as const;
    const id = await openAlert({ db }, scene, vehicle, alert);
    if (id !== null) changed([id]);
  };

  signals.on('command-changed', ({ vehicleId, command }) => {
    if (command.category !== 'control' || !FAILED.has(command.state)) return;
    const at = command.steps.at(-1)?.at;
    open(command.id, vehicleId, at === undefined ? new Date() : new Date(at)).catch((error: unknown) =>
      log.error({ err: error, command: command.id }, 'Could not save the alert for a failed command'),
    );
  });

  return async () => {
    const untold = await db.system
      .selectFrom('command')
      .select(['id', 'vehicle_id', sql<Date>`least(expires_at, now())`.as('at')])
      .where('category', '=', 'control')
      .where('state', 'in', [...FAILED])
      .where('created_at', '>', sql<Date>`now() - ${BACK}::interval`)
      .where(isUnreported('commandFailed'))
      .execute();
    for (const { id, vehicle_id, at } of untold) await open(id, vehicle_id, at);
  };
}
