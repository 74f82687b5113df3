import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Role } from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import type { Session, SessionFinder } from '../../http/session.ts';

export interface NewSession {
  readonly accountId: number;
  readonly userId: string;
  readonly keepSignedIn?: boolean;
  /** The demo's visitor: looks, changes nothing. */
  readonly readOnly?: boolean;
  readonly address?: string;
  readonly userAgent?: string | undefined;
}

export interface OpenedSession {
  /** Kept nowhere: this is the only time it can be read. */
  readonly token: string;
  readonly sessionId: string;
  readonly expiresAt: Date;
}

/** Everybody who is signed in. Tokens and messaging credentials are found by their hash. */
export interface Sessions extends SessionFinder {
  open(session: NewSession): Promise<OpenedSession>;
  /** A browser on live messaging: all three must belong to one session [R6.02]. */
  findByMessaging(userId: string, userName: string, password: string): Promise<Session | null>;
  /** Ends sessions and, through the signal `sessions-ended`, every connection that they opened. */
  end(sessionIds: readonly string[]): Promise<void>;
  endOfUser(userId: string): Promise<void>;
  /** Ends what has expired; the server does it every minute. */
  endExpired(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const LIFETIME_MS = 12 * HOUR_MS;
const KEPT_LIFETIME_MS = 30 * 24 * HOUR_MS;
/** How long a look into the database serves. A session that ends here is dropped at once. */
const CACHE_MS = 10_000;
const CACHE_SIZE = 10_000;
/** `last_seen_at` is for people: a minute is exact enough. */
const SEEN_EVERY_MS = 60_000;

/**
 * The credential of a session for live messaging. It follows from the token, so that `read_me` can tell it again, and
 * the token does not follow from it.
 */
export const messagingCredential = (token: string): string =>
  createHmac('sha256', token).update('milepost messaging').digest('base64url');

const sha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest();

type Column = 'token_hash' | 'messaging_hash';

export function createSessions({ db, signals }: Pick<Context, 'db' | 'signals'>): Sessions {
  const { system } = db;
  const cache = new Map<string, { readonly session: Session; readonly until: number }>();
  const lastSeen = new Map<string, number>();

  /** Counts endings, so that a look into the database that an ending overtook is not believed. */
  let endings = 0;

  signals.on('sessions-ended', ({ sessionIds }) => {
    endings++;
    const ended = new Set(sessionIds);
    for (const [key, { session }] of cache) if (ended.has(session.sessionId)) cache.delete(key);
    for (const id of sessionIds) lastSeen.delete(id);
  });

  const find = async (column: Column, secret: string): Promise<Session | null> => {
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
      session = await load(system, column, hash);
    } while (endingsBefore !== endings);
    if (!session) return null;
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(key, { session, until: now + CACHE_MS });
    touch(session.sessionId, now);
    return session;
  };

  const touch = (sessionId: string, now: number): void => {
    if (now - (lastSeen.get(sessionId) ?? 0) < SEEN_EVERY_MS) return;
    if (lastSeen.size >= CACHE_SIZE) lastSeen.clear();
    lastSeen.set(sessionId, now);
    // Nobody waits for it, and a call must not fail for it.
    system
      .updateTable('session')
      .set({ last_seen_at: new Date(now) })
      .where('id', '=', sessionId)
      .execute()
      .catch(() => {});
  };

  const announce = (rows: readonly { id: string }[]): void => {
    if (rows.length > 0) signals.emit('sessions-ended', { sessionIds: rows.map(row => row.id) });
  };

  return {
    open: async ({ accountId, userId, keepSignedIn = false, readOnly = false, address, userAgent }) => {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(Date.now() + (keepSignedIn ? KEPT_LIFETIME_MS : LIFETIME_MS));
      const { id } = await system
        .insertInto('session')
        .values({
          account_id: accountId,
          user_id: userId,
          token_hash: sha256(token),
          messaging_hash: sha256(messagingCredential(token)),
          read_only: readOnly,
          expires_at: expiresAt,
          address: address ?? null,
          user_agent: userAgent?.slice(0, 300) ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { token, sessionId: id, expiresAt };
    },
    findByToken: token => find('token_hash', token),
    findByMessaging: async (userId, userName, password) => {
      const session = await find('messaging_hash', password);
      return session?.userId === userId && session.userName === userName ? session : null;
    },
    end: async sessionIds => {
      if (sessionIds.length === 0) return;
      announce(await system.deleteFrom('session').where('id', 'in', sessionIds).returning('id').execute());
    },
    endOfUser: async userId =>
      announce(await system.deleteFrom('session').where('user_id', '=', userId).returning('id').execute()),
    endExpired: async () =>
      announce(await system.deleteFrom('session').where('expires_at', '<=', new Date()).returning('id').execute()),
  };
}

async function load(system: Kysely<Database>, column: Column, hash: Buffer): Promise<Session | null> {
  const row = await system
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select(['session.id', 'session.account_id', 'session.user_id', 'session.read_only', 'session.expires_at'])
    .select(['app_user.user_name', 'app_user.role'])
    .where(`session.${column}`, '=', hash)
    .where('session.expires_at', '>', new Date())
    .executeTakeFirst();
  if (!row) return null;
  return {
    sessionId: row.id,
    accountId: row.account_id,
    userId: row.user_id,
    userName: row.user_name,
    // The column's check constraint allows the contract's roles only.
    role: row.role as Role,
    readOnly: row.read_only,
    expiresAt: row.expires_at,
  };
}
