import { type AlertKind, may } from '@milepost/contract';
import { type Expression, sql } from 'kysely';
import type { Session } from '../../http/session.ts';

type Listener = Pick<Session, 'role' | 'permissions' | 'readOnly' | 'scope' | 'userId'>;
type About = { readonly kind: AlertKind; readonly askedBy: { readonly id: string } | null };

/** Asks for a decision: shown only to users who could be the second person, unlike all other alerts. */
export const REQUEST: AlertKind = 'secondPerson';

/** Whether an alert is for this user, before looking at which vehicles they can see. */
export const isFor = (user: Listener, { kind, askedBy }: About): boolean =>
  kind !== REQUEST || (may(user, 'commands.control') && askedBy?.id !== user.userId);

/** The same as `isFor`, for rows of `alert`. */
export const isForSql = (session: Listener): Expression<boolean> =>
  may(session, 'commands.control')
    ? sql<boolean>`(kind <> ${REQUEST} or exists (
        select from command where command.id = alert.command_id and created_by is distinct from ${session.userId}))`
    : sql<boolean>`kind <> ${REQUEST}`;
