import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Databases } from './database.ts';

export interface Node {
  readonly id: string;
  readonly version: string;
  readonly address: string;
  readonly startedAt: Date;
}

/** The servers on this database, this one included. */
export interface Nodes {
  /** From now on the others see this one. */
  enter(address: () => string): Promise<void>;
  /** Those that were seen in the last seconds, the oldest first. */
  alive(): Promise<Node[]>;
  leave(): Promise<void>;
}

const SEEN_EVERY_MS = 5000;
/** Three times unseen: killed, or cut off from the database. */
export const GONE_AFTER_SECONDS = 15;

export function openNodes(
  { system }: Pick<Databases, 'system'>,
  { id, version, log }: { readonly id: string; readonly version: string; readonly log: Pick<Logger, 'warn'> },
): Nodes {
  let timer: NodeJS.Timeout | null = null;
  let seeing: Promise<void> = Promise.resolve();

  const seen = async (address: string): Promise<void> => {
    await system
      .insertInto('node')
      .values({ id, version, address })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ address, seen_at: sql<Date>`now()` }))
      .execute();
    await system.deleteFrom('node').where('seen_at', '<', sql<Date>`now() - interval '1 day'`).execute();
  };

  return {
    enter: async address => {
      await seen(address());
      timer = setInterval(() => {
        seeing = seen(address()).catch((error: unknown) =>
          log.warn({ err: error }, 'Could not tell the other servers that this one runs'),
        );
      }, SEEN_EVERY_MS).unref();
    },
    alive: async () => {
      const rows = await system
        .selectFrom('node')
        .selectAll()
        .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${GONE_AFTER_SECONDS})`)
        .orderBy('started_at')
        .execute();
      return rows.map(({ started_at: startedAt, ...row }) => ({
        id: row.id,
        version: row.version,
        address: row.address,
        startedAt,
      }));
    },
    leave: async () => {
      if (timer) clearInterval(timer);
      timer = null;
      await seeing;
      await system
        .deleteFrom('node')
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => log.warn({ err: error }, 'Could not tell the other servers that this one stops'));
    },
  };
}
