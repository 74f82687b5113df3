import type { Databases } from '../db/database.ts';
import { NODE_RUNS } from '../db/leader.ts';
import type { Bus, Server } from './bus.ts';

const subjectOf = (name: string, nodeId: string): string => `${name}.${nodeId}`;

/** What only the node that is asked knows. */
export const serveNode = (bus: Bus, name: string, server: Server): (() => void) =>
  bus.serve(subjectOf(name, bus.nodeId), server);

/** Asks every node that runs, this one first. One that doesn't answer in time is left out; so are all while the bus is away. */
export async function askEveryNode(
  { bus, db }: { readonly bus: Bus; readonly db: Pick<Databases, 'system'> },
  name: string,
  payload: string,
  timeoutMs = 2000,
): Promise<string[]> {
  const others = bus.isShared && bus.awaySince() === null ? await readOthers(db, bus.nodeId) : [];
  const replies = await Promise.all(
    [bus.nodeId, ...others].map(id => bus.request(subjectOf(name, id), payload, timeoutMs)),
  );
  return replies.flatMap(reply => (reply.kind === 'answer' ? reply.payload : []));
}

async function readOthers({ system }: Pick<Databases, 'system'>, nodeId: string): Promise<string[]> {
  const rows = await system.selectFrom('node').select('id').where('id', '!=', nodeId).where(NODE_RUNS).execute();
  return rows.map(({ id }) => id);
}
