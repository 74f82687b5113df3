import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Permission } from '@milepost/contract';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { API_TOKEN_PREFIX, type MessagingSignIn, type Session, type SessionFinder } from '../../http/session.ts';
import { loadSession, type SecretColumn } from './load-session.ts';

export interface NewSession {
  readonly accountId: number;
  readonly userId: string;
  readonly keepSignedIn?: boolean;
  /** In place of the usual lifetime of a sign-in. */
  readonly lifetimeMs?: number;
  /** Makes it an API token: its name, its scopes, and when it expires. */
  readonly apiToken?: { readonly name: string; readonly scopes: readonly Permission[]; readonly expiresAt: Date };
  /** The public demo's visitor, who can't change anything. */
  readonly readOnly?: boolean;
  /** Opened with a provider of single sign-on: its name, and whether it has asked for a second factor. */
  readonly signedOn?: { readonly with: string; readonly secondFactor: boolean };
  readonly address?: string;
  readonly userAgent?: string | undefined;
}

export interface OpenedSession {
  /** Not stored: this is the only time it can be read. */
  readonly token: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
}

export const tokenAnswer = ({ token, expiresAt }: OpenedSession) => ({ token, expiresAt: expiresAt.toISOString() });

/** All sessions and API tokens. Tokens and messaging credentials are found by their hash. */
export interface Sessions extends SessionFinder, MessagingSignIn {
  open(session: NewSession): Promise<OpenedSession>;
  /** Ends sessions and, through the change feed, every connection that they opened. */
  end(sessionIds: readonly string[]): Promise<void>;
  /**
   * Ends a user's sessions, API tokens and calendars, and returns how many of the first two. With `but`, that session,
   * all API tokens and calendars continue.
   */
  endOfUser(userId: string, but?: { readonly sessionId: string }): Promise<number>;
  /** Gives a session a new token; the old token, and the connections opened with it, end. */
  rotate(sessionId: string): Promise<OpenedSession>;
  /** Ends expired sessions; the server does so every few seconds. */
  endExpired(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const LIFETIME_MS = 12 * HOUR_MS;
const KEPT_LIFETIME_MS = 30 * 24 * HOUR_MS;
/** How long a session read from the database is cached. A session that this server ends is dropped immediately. */
const CACHE_MS = 10_000;
const CACHE_SIZE = 10_000;
/** `last_seen_at` is only displayed, so a minute is exact enough. */
const SEEN_EVERY_MS = 60_000;

/**
 * A session's credential for live messaging. It is derived from the token, so that `read_me` can return it again; the
 * token can't be derived from it.
 */
export const messagingCredential = (token: string): string =>
  createHmac('sha256', token).update('milepost messaging').digest('base64url');

const sha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export function createSessions({ db, feed, signals }: Pick<Context, 'db' | 'feed' | 'signals'>): Sessions {
  const { system } = db;
  const cache = new Map<string, { readonly session: Session; readonly until: number }>();
  const lastSeen = new Map<string, number>();

  /** Counts ended sessions, so that a read which started before an ending is not cached. */
  let endings = 0;

  signals.on('sessions-ended', ({ sessionIds }) => {
    endings++;
    const ended = new Set(sessionIds);
    for (const [key, { session }] of cache) if (ended.has(session.sessionId)) cache.delete(key);
    for (const id of sessionIds) lastSeen.delete(id);
  });

  signals.on('users-changed', ({ userIds }) => {
    endings++;
    const changed = new Set(userIds);
    for (const [key, { session }] of cache) if (changed.has(session.userId)) cache.delete(key);
  });

  feed.follow('memory', changes => {
    const sessionIds = new Set(
      changes.filter(({ kind, how }) => kind === 'session' && how !== 'made').map(({ id }) => id),
    );
    const userIds = new Set(changes.filter(({ kind }) => kind === 'rights').map(({ id }) => id));
    if (sessionIds.size > 0) signals.emit('sessions-ended', { sessionIds: [...sessionIds] });
    if (userIds.size > 0) signals.emit('users-changed', { userIds: [...userIds] });
  });

  const find = async (column: SecretColumn, secret: string): Promise<Session | null> => {
    const hash = sha256(secret);
    const key = `${column} ${hash.toString('base64url')}`;
    const now = Date.now();
    const known = cache.get(key);
    if (known && known.until > now && known.session.expiresAt.getTime() > now) return known.session;
    cache.delete(key);
    let endingsBefore: number;
    let session: Session | null;
    do {
      endingsBefore = endings;
      session = await loadSession(system, { column, hash });
    } while (endingsBefore !== endings);
    if (!session) return null;
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(key, { session, until: now + CACHE_MS });
    touch(session, now);
    return session;
  };

  const touch = ({ sessionId, userId }: Session, now: number): void => {
    if (now - (lastSeen.get(sessionId) ?? 0) < SEEN_EVERY_MS) return;
    if (lastSeen.size >= CACHE_SIZE) lastSeen.clear();
    lastSeen.set(sessionId, now);
    // Not awaited, and a call must not fail for it. The user's row is locked first, as everywhere that both rows
    // change.
    sql`with seen as (update app_user set last_seen_at = ${new Date(now)} where id = ${userId} returning id)
      update session set last_seen_at = ${new Date(now)} from seen where session.id = ${sessionId} and user_id = seen.id`
      .execute(system)
      .catch(() => {});
  };

  return {
    open: async ({
      accountId,
      userId,
      keepSignedIn = false,
      lifetimeMs,
      apiToken,
      readOnly = false,
      signedOn,
      ...from
    }) => {
      const secrets = newSecrets(apiToken ? API_TOKEN_PREFIX : '');
      const lasts = lifetimeMs ?? (keepSignedIn ? KEPT_LIFETIME_MS : LIFETIME_MS);
      const expiresAt = apiToken?.expiresAt ?? new Date(Date.now() + lasts);
      const { id } = await system
        .insertInto('session')
        .values({
          account_id: accountId,
          user_id: userId,
          kind: apiToken ? 'api-token' : 'browser',
          name: apiToken?.name ?? null,
          permissions: apiToken ? [...apiToken.scopes] : null,
          ...secrets.hashes,
          read_only: readOnly,
          signed_on_with: signedOn?.with ?? null,
          second_factor: signedOn?.secondFactor ?? false,
          expires_at: expiresAt,
          address: from.address ?? null,
          user_agent: from.userAgent?.slice(0, 300) ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { token: secrets.token, sessionId: id, expiresAt };
    },
    findByToken: token => find('token_hash', token),
    findByMessaging: async (userId, userName, password) => {
      const session = await find('messaging_hash', password);
      return session?.userId === userId && session.userName === userName ? session : null;
    },
    end: async sessionIds => {
      if (sessionIds.length === 0) return;
      await system.deleteFrom('session').where('id', 'in', sessionIds).execute();
      await feed.settled();
    },
    endOfUser: async (userId, but) => {
      if (but === undefined) await system.deleteFrom('calendar_link').where('user_id', '=', userId).execute();
      const ended = await system
        .deleteFrom('session')
        .where('user_id', '=', userId)
        .$if(but !== undefined, query => query.where('id', '!=', but?.sessionId ?? '').where('kind', '=', 'browser'))
        .returning('id')
        .execute();
      await feed.settled();
      return ended.length;
    },
    rotate: async sessionId => {
      const secrets = newSecrets('');
      const row = await system
        .updateTable('session')
        .set(secrets.hashes)
        .where('id', '=', sessionId)
        .returning(['id', 'expires_at'])
        .executeTakeFirstOrThrow();
      await feed.settled();
      return { token: secrets.token, sessionId, expiresAt: row.expires_at };
    },
    endExpired: async () => {
      const now = new Date();
      await system
        .deleteFrom('session')
        .where(({ eb, or, selectFrom }) =>
          or([
            eb('expires_at', '<=', now),
            eb('user_id', 'in', selectFrom('app_user').select('app_user.id').where('app_user.expires_at', '<=', now)),
          ]),
        )
        .execute();
      await feed.settled();
    },
  };
}

/** A token, and the hashes by which it is found. */
export function newSecrets(prefix: string) {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, hashes: { token_hash: sha256(token), messaging_hash: sha256(messagingCredential(token)) } };
}
