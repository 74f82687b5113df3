import type { AlertKind } from '@milepost/contract';
import { type Expression, sql } from 'kysely';

/** Writes missing alerts. */
export type CatchUp = () => Promise<void>;

/** For rows of `command`: the command has no alert of this kind. */
export const isUnreported = (kind: AlertKind): Expression<boolean> =>
  sql<boolean>`not exists (select from alert where alert.command_id = command.id and alert.kind = ${kind})`;
