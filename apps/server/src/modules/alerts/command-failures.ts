import { randomUUID } from 'node:crypto';
import type { CommandState } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { LiveStates } from '../../ingest/live.ts';
import type { DrivenVehicle } from '../organisation/driving.ts';
import type { Directory } from '../vehicles/directory.ts';

export interface CommandFailuresParts {
  readonly directory: Pick<Directory, 'findById'>;
  readonly live: Pick<LiveStates, 'of'>;
  readonly driverOf: (vehicle: DrivenVehicle) => number | null;
  readonly changed: (ids: readonly string[]) => void;
}

const FAILED: ReadonlySet<CommandState> = new Set(['failed', 'expired']);
/** What went wrong longer ago than this is not brought up at a start. */
const BACK = '1 day';

/**
 * The alert `commandFailed`: a command that acts on a vehicle came to a bad end. At start, those are looked for of which
 * nobody was told because the server ended first.
 */
export async function watchCommandFailures(
  { db, log, signals }: Pick<Context, 'db' | 'log' | 'signals'>,
  { directory, live, driverOf, changed }: CommandFailuresParts,
): Promise<void> {
  const open = async (commandId: string, vehicleId: number, at: Date): Promise<void> => {
    const vehicle = directory.findById(vehicleId);
    if (!vehicle) return;
    const place = live.of(vehicleId)?.motion.place;
    const row = await db.system
      .insertInto('alert')
      .values({
        id: randomUUID(),
        account_id: vehicle.accountId,
        vehicle_id: vehicleId,
        kind: 'commandFailed',
        severity: 'warning',
        event: null,
        opened_at: at,
        updated_at: at,
        // It lasts no longer than the moment: what is to be done is to know.
        closed_at: at,
        lat: place?.lat ?? null,
        lon: place?.lon ?? null,
        driver_id: driverOf(vehicle),
        command_id: commandId,
        acknowledged_at: null,
        acknowledged_by: null,
      })
      .onConflict(conflict => conflict.columns(['command_id', 'kind']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row) changed([row.id]);
  };

  signals.on('command-changed', ({ vehicleId, command }) => {
    if (command.category !== 'control' || !FAILED.has(command.state)) return;
    const at = command.steps.at(-1)?.at;
    open(command.id, vehicleId, at === undefined ? new Date() : new Date(at)).catch((error: unknown) =>
      log.error({ err: error, command: command.id }, 'The alert of a failed command could not be written'),
    );
  });
  const untold = await db.system
    .selectFrom('command')
    .select(['id', 'vehicle_id', sql<Date>`least(expires_at, now())`.as('at')])
    .where('category', '=', 'control')
    .where('state', 'in', [...FAILED])
    .where('created_at', '>', sql<Date>`now() - ${BACK}::interval`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alert')
            .select('alert.id')
            .whereRef('alert.command_id', '=', 'command.id')
            .where('alert.kind', '=', 'commandFailed'),
        ),
      ),
    )
    .execute();
  for (const { id, vehicle_id, at } of untold) await open(id, vehicle_id, at);
}
