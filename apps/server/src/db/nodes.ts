import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { DatabaseClock } from '../lifecycle/database-clock.ts';
import type { Databases } from './database.ts';
import { LEADER_ID, NODE_RUNS } from './leader.ts';
import type { Database } from './schema.ts';

/** This server among those on its database. */
export interface Nodes {
  /** From now on the others see this one. */
  enter(address: () => string): Promise<void>;
  leave(): Promise<void>;
  /** The other nodes believe that this one is running, and will for some seconds. */
  isKnown(): boolean;
  /** Called before `isKnown` is true again, when the other nodes may have believed that this one was gone. */
  onReturn(handler: () => Promise<void>): void;
}

export interface NodeOptions {
  readonly id: string;
  readonly version: string;
  readonly log: Pick<Logger, 'warn'>;
  /** Since when the live bus is away; null if it is not. */
  readonly busAwaySince?: () => Date | null;
  /** Asked each time that this node is seen. */
  readonly clock?: DatabaseClock;
}

/** Three times unseen is gone. */
const SEEN_EVERY_MS = 5000;
/** A node considers itself gone well before the others do. */
const KNOWN_MS = 10_000;

export function openNodes(
  { pool, system }: Pick<Databases, 'pool' | 'system'>,
  { id, version, log, busAwaySince = () => null, clock = new DatabaseClock() }: NodeOptions,
): Nodes {
  let timer: NodeJS.Timeout | null = null;
  let seeing: Promise<void> = Promise.resolve();

  /** By the monotonic clock: when the last write that the others have seen began. */
  let knownSince: number | null = null;
  const isKnown = (): boolean => knownSince !== null && performance.now() - knownSince < KNOWN_MS;
  const returns = new Set<() => Promise<void>>();

  const seen = async (address: string): Promise<void> => {
    await clock.ask(pool);
    const began = performance.now();
    const said = { address, bus_away_since: busAwaySince(), clock_ahead_ms: Math.round(clock.aheadMs) };
    await system
      .insertInto('node')
      .values({ id, version, name: hostname(), ...said })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ ...said, seen_at: sql<Date>`now()` }))
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

/** What a server says of itself, or last said. */
export interface NodeState {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly address: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** False: killed, or cut off from the database. One that stopped is not among them. */
  readonly isRunning: boolean;
  readonly leads: boolean;
  readonly busAwaySince: Date | null;
  readonly clockAheadMs: number;
}

/** A server that was not seen for longer is of no interest any more. */
const SHOWN_FOR = '1 hour';

/** The servers on this database that run, and those that were lost in the last hour, the oldest first. */
export async function readNodes(system: Kysely<Database>): Promise<NodeState[]> {
  const { rows } = await sql<NodeState>`
    select id, name, version, address, started_at as "startedAt", seen_at as "seenAt",
      ${NODE_RUNS} as "isRunning",
      coalesce(id::text = ${LEADER_ID}, false) as leads,
      bus_away_since as "busAwaySince", clock_ahead_ms as "clockAheadMs"
    from node
    where seen_at > now() - ${SHOWN_FOR}::interval
    order by started_at, id`.execute(system);
  return rows;
}

export interface NodeLoad {
  readonly id: string;
  /** Vehicles whose reports it took last, and those whose commands it sends. */
  readonly vehicles: number;
  readonly trackers: number;
}

/** What the servers own; one that owns nothing is missing. Counts every vehicle. */
export async function readNodeLoads(system: Kysely<Database>): Promise<NodeLoad[]> {
  const { rows } = await sql<NodeLoad>`
    select node as id, sum(vehicles)::int4 as vehicles, sum(trackers)::int4 as trackers from (
      select node, count(*) as vehicles, 0 as trackers from vehicle_owner group by node
      union all
      select node, 0, count(*) from tracker_way group by node
    ) owned group by node`.execute(system);
  return rows;
}

/** Servers that are gone without having stopped, as a sentence; null if there are none. */
export async function nodesTrouble(system: Kysely<Database>): Promise<string | null> {
  const all = await readNodes(system);
  const lost = all.filter(({ isRunning }) => !isRunning);
  if (lost.length > 0) {
    const ids = lost.map(({ id, seenAt }) => `${id.slice(0, 8)}, last seen ${seenAt.toISOString()}`).join('; ');
    return `${lost.length} of ${all.length} servers ended without stopping in the last hour, or can’t reach the database (${ids}).`;
  }
  return all.some(({ leads }) => leads) ? null : 'No server does the recurring work yet.';
}

/** Servers that share the database run on it now, and with it use the folder that they share. */
export async function doServersRun(system: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('node') is not null as there`.execute(system);
  // A database that no server has prepared yet.
  if (!rows[0]?.there) return false;
  const found = await system.selectFrom('node').select('id').where(NODE_RUNS).limit(1).executeTakeFirst();
  return found !== undefined;
}
