import type { Command } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { REQUEST } from './audience.ts';
import { type CatchUp, isUnreported } from './catch-up.ts';
import type { CommandFailuresParts } from './command-failures.ts';
import { openAlert } from './open-alert.ts';

/**
 * The alert `secondPerson`: a command waits for another user's confirmation. It can't be acknowledged; it closes with
 * the decision. Returns the catch-up for requests without an alert, because the server stopped first or the alert
 * could not be written.
 */
export function watchSecondPerson(
  { db, log, signals }: Pick<Context, 'db' | 'log' | 'signals'>,
  { directory, changed, ...scene }: CommandFailuresParts,
): CatchUp {
  const open = async (commandId: string, vehicleId: number, at: Date, until: Date): Promise<void> => {
    const vehicle = directory.findById(vehicleId);
    if (!vehicle) return;
    // It closes no later than the command expires.
    const alert = { kind: REQUEST, severity: 'critical', at, closedAt: until, commandId } as const;
    const id = await openAlert({ db }, scene, vehicle, alert);
    if (id !== null) changed([id]);
  };

  /** `by`: the user name of the person who decided; null if nobody did. */
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
    if (command.state === 'awaiting-second') {
      await open(command.id, vehicleId, new Date(command.createdAt), new Date(command.expiresAt));
    } else if (command.steps.at(-2)?.state === 'awaiting-second') await decide(command.id, accountId, command.steps);
  };
  const decide = async (commandId: string, accountId: number, steps: Command['steps']): Promise<void> => {
    const decision = steps[steps.findLastIndex(({ state }) => state === 'awaiting-second') + 1];
    await close(commandId, accountId, decision ? new Date(decision.at) : new Date(), decision?.by ?? null);
  };

  // A decision can come at the same moment, so changes run one after another.
  let following: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = following.then(work);
    following = done.catch(() => {});
    return done;
  };
  signals.on('command-changed', ({ accountId, vehicleId, command }) => {
    if (command.category !== 'control') return;
    inTurn(() => follow(accountId, vehicleId, command)).catch((error: unknown) =>
      log.error(
        { err: error, command: command.id },
        'Could not save the alert for a command that needs a second person',
      ),
    );
  });

  const catchUp = async (): Promise<void> => {
    const decided = await db.system
      .selectFrom('alert')
      .innerJoin('command', 'command.id', 'alert.command_id')
      .select(['command.id', 'command.account_id', 'steps'])
      .where('kind', '=', REQUEST)
      .where('acknowledged_at', 'is', null)
      .where('state', '<>', 'awaiting-second')
      .execute();
    for (const { id, account_id, steps } of decided) await decide(id, account_id, steps as Command['steps']);
    const untold = await db.system
      .selectFrom('command')
      .select(['id', 'vehicle_id', 'created_at', 'expires_at'])
      .where('state', '=', 'awaiting-second')
      .where(isUnreported(REQUEST))
      .execute();
    for (const { id, vehicle_id, created_at, expires_at } of untold) await open(id, vehicle_id, created_at, expires_at);
  };
  return () => inTurn(catchUp);
}
