import type { Command } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { REQUEST } from './audience.ts';
import type { CommandFailuresParts } from './command-failures.ts';
import { openAlert } from './open-alert.ts';

/**
 * The alert `secondPerson`: a command waits for somebody else's confirmation. Nobody acknowledges it; it is over once it
 * was decided. At start it is opened and closed where the server ended first.
 */
export async function watchSecondPerson(
  { db, log, signals }: Pick<Context, 'db' | 'log' | 'signals'>,
  { directory, changed, ...scene }: CommandFailuresParts,
): Promise<void> {
  const open = async (commandId: string, vehicleId: number, at: Date, until: Date): Promise<void> => {
    const vehicle = directory.findById(vehicleId);
    if (!vehicle) return;
    // Nobody waits longer than the command.
    const alert = { kind: REQUEST, severity: 'critical', at, closedAt: until, commandId } as const;
    const id = await openAlert({ db }, scene, vehicle, alert);
    if (id !== null) changed([id]);
  };

  /** `by`: the user name of whoever decided; null where nobody did. */
  const close = async (commandId: string, accountId: number, at: Date, by: string | null): Promise<void> => {
    const rows = await db.system
      .updateTable('alert')
      .set({
        closed_at: at,
        acknowledged_at: at,
        acknowledged_by: sql<
          string | null
        >`(select id from app_user where account_id = ${accountId} and user_name = ${by})`,
      })
      .where('command_id', '=', commandId)
      .where('account_id', '=', accountId)
      .where('kind', '=', REQUEST)
      .where('acknowledged_at', 'is', null)
      .returning('id')
      .execute();
    changed(rows.map(({ id }) => id));
  };

  const follow = async (accountId: number, vehicleId: number, command: Command): Promise<void> => {
    const [before, last] = command.steps.slice(-2);
    if (command.state === 'awaiting-second') {
      await open(command.id, vehicleId, new Date(command.createdAt), new Date(command.expiresAt));
    } else if (before?.state === 'awaiting-second' && last) {
      await close(command.id, accountId, new Date(last.at), last.by);
    }
  };

  // A decision may come in the same moment: one after the other.
  let following: Promise<void> = Promise.resolve();
  signals.on('command-changed', ({ accountId, vehicleId, command }) => {
    if (command.category !== 'control') return;
    following = following
      .then(() => follow(accountId, vehicleId, command))
      .catch((error: unknown) =>
        log.error({ err: error, command: command.id }, 'The alert of a command that waits could not be written'),
      );
  });

  const decided = await db.system
    .selectFrom('alert')
    .innerJoin('command', 'command.id', 'alert.command_id')
    .select(['command.id', 'command.account_id'])
    .where('kind', '=', REQUEST)
    .where('acknowledged_at', 'is', null)
    .where('state', '<>', 'awaiting-second')
    .execute();
  for (const { id, account_id } of decided) await close(id, account_id, new Date(), null);
  const untold = await db.system
    .selectFrom('command')
    .select(['id', 'vehicle_id', 'created_at', 'expires_at'])
    .where('state', '=', 'awaiting-second')
    .execute();
  for (const { id, vehicle_id, created_at, expires_at } of untold) await open(id, vehicle_id, created_at, expires_at);
}
