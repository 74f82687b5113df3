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
  /** The other nodes believe that this one is running, and will for some seconds. */
  isKnown(): boolean;
  /** Called before `isKnown` is true again, when the other nodes may have believed that this one was gone. */
  onReturn(handler: () => Promise<void>): void;
}

const SEEN_EVERY_MS = 5000;
/** Three times unseen: killed, or cut off from the database. */
export const GONE_AFTER_SECONDS = 15;
/** A node considers itself gone well before the others do. */
const KNOWN_MS = 10_000;

export function openNodes(
  { system }: Pick<Databases, 'system'>,
  { id, version, log }: { readonly id: string; readonly version: string; readonly log: Pick<Logger, 'warn'> },
): Nodes {
  let timer: NodeJS.Timeout | null = null;
  let seeing: Promise<void> = Promise.resolve();

  /** By the monotonic clock: when the last write that the others have seen began. */
  let knownSince: number | null = null;
  const isKnown = (): boolean => knownSince !== null && performance.now() - knownSince < KNOWN_MS;
  const returns = new Set<() => Promise<void>>();

  const seen = async (address: string): Promise<void> => {
    const began = performance.now();
    await system
      .insertInto('node')
      .values({ id, version, address })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ address, seen_at: sql<Date>`now()` }))
      .execute();
    if (!isKnown()) for (const handler of returns) await handler();
    knownSince = began;
    await system.deleteFrom('node').where('seen_at', '<', sql<Date>`now() - interval '1 day'`).execute();
  };

  return {
    isKnown,
    onReturn: handler => void returns.add(handler),
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
      knownSince = null;
      await system
        .deleteFrom('node')
        .where('id', '=', id)
        .execute()
        .catch((error: unknown) => log.warn({ err: error }, 'Could not tell the other servers that this one stops'));
    },
  };
}
