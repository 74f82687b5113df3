import type { AlertKind } from '@milepost/contract';
import { type Expression, sql } from 'kysely';
import type { Context } from '../../context.ts';

const LOOK_EVERY_MS = 60_000;

/** Writes the alerts that should be there and are not. */
export type CatchUp = () => Promise<void>;

/** Of the rows of `command`: there is no such alert of it. */
export const isUnreported = (kind: AlertKind): Expression<boolean> =>
  sql<boolean>`not exists (select from alert where alert.command_id = command.id and alert.kind = ${kind})`;

/** Does so every minute, one look at a time. Answers how to end it. */
export function keepCatchingUp({ log }: Pick<Context, 'log'>, catchUp: CatchUp): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const lookAgain = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      catchUp()
        .catch((error: unknown) => log.error({ err: error }, 'Could not catch up on command alerts'))
        .finally(lookAgain);
    }, LOOK_EVERY_MS).unref();
  };
  lookAgain();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
