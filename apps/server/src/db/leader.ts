import { sql } from 'kysely';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../config/config.ts';

/**
 * Of several servers, one leads: it does what must not be done by two at once, and what remembers from one look to the
 * next. The database decides which, and another one leads as soon as this one is gone.
 */
export interface Leader {
  /** Whether this server leads now. Takes the lead where nobody has it. */
  leads(): Promise<boolean>;
  /** As of the last question; since when, by this server's clock. */
  readonly since: Date | null;
  stop(): Promise<void>;
}

/** A server without others leads. */
export const ALONE: Leader = { leads: async () => true, since: null, stop: async () => {} };

/** The advisory lock of the leading server, held by a connection of its own. */
const LEADER_LOCK = 0x6d_69_6c_4c;
const APPLICATION = 'milepost leader ';
const QUERY_TIMEOUT_MS = 5000;
/** A server that was not seen for so long is killed, or cut off from the database. */
export const GONE_AFTER_SECONDS = 15;
/** Of a row of `node`: that server runs. */
export const NODE_RUNS = sql<boolean>`node.seen_at > now() - make_interval(secs => ${sql.lit(GONE_AFTER_SECONDS)})`;

/** The session that holds the lock. */
const HOLDER = `
  from pg_locks held join pg_stat_activity session on session.pid = held.pid
  where held.locktype = 'advisory' and held.granted
    and held.classid = 0 and held.objid = ${LEADER_LOCK} and held.objsubid = 1
    and held.database = (select oid from pg_database where datname = current_database())`;

/** The ID of the server that leads, as text; null if none does. */
export const LEADER_ID = sql<
  string | null
>`(select substr(session.application_name, ${sql.lit(APPLICATION.length + 1)}) ${sql.raw(HOLDER)} limit 1)`;

/** A server that hangs, or whose machine lost its power, keeps its connection: the others end it once it is not seen. */
const END_ONE_THAT_IS_GONE = `
  select pg_terminate_backend(session.pid) ${HOLDER} and not exists (
    select from node where '${APPLICATION}' || node.id = session.application_name
      and node.seen_at > now() - interval '${GONE_AFTER_SECONDS} seconds')`;

export function openLeader(
  connection: DatabaseConnection,
  { id, log }: { readonly id: string; readonly log: Pick<Logger, 'info' | 'warn'> },
): Leader {
  let client: Client | null = null;
  let since: Date | null = null;
  let asking: Promise<boolean> | null = null;
  let isStopped = false;

  const lose = (lost: Client): void => {
    if (client !== lost) return;
    client = null;
    if (since) log.warn('The connection by which this server leads the others was lost');
    since = null;
  };

  const open = async (): Promise<Client> => {
    const next = new Client({
      ...connection,
      application_name: `${APPLICATION}${id}`,
      keepAlive: true,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    // The failing query reports the error.
    next.on('error', () => lose(next));
    next.once('end', () => lose(next));
    await next.connect();
    return next;
  };

  const ask = async (): Promise<boolean> => {
    if (isStopped) return false;
    try {
      client ??= await open();
      // Also says whether the connection, and with it the lock, is still there.
      const { rows } = await client.query<{ leads: boolean }>(
        since ? 'select true as leads' : 'select pg_try_advisory_lock($1) as leads',
        since ? [] : [LEADER_LOCK],
      );
      const leads = rows[0]?.leads === true;
      if (leads && !since) {
        since = new Date();
        log.info('This server leads the others');
      }
      if (!leads) await client.query(END_ONE_THAT_IS_GONE);
      return leads && client !== null;
    } catch {
      const broken = client;
      if (broken) {
        lose(broken);
        await broken.end().catch(() => {});
      }
      return false;
    }
  };

  return {
    get since() {
      return since;
    },
    leads: () =>
      (asking ??= ask().finally(() => {
        asking = null;
      })),
    stop: async () => {
      isStopped = true;
      await asking;
      const last = client;
      client = null;
      since = null;
      await last?.end().catch(() => {});
    },
  };
}
