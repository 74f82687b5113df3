import { listNodes, type Node } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { readNodeLoads, readNodes } from '../../db/nodes.ts';
import type { Http } from '../../http/server.ts';

/** Settings › System: the servers of the installation, for those who run it. */
export function registerNodes(http: Http, { bus, db }: Pick<Context, 'bus' | 'db'>): void {
  http.handle(listNodes, async ({ session }): Promise<Node[]> => {
    const account = await db.asAccount(session.accountId, trx =>
      trx.selectFrom('account').select('operator').executeTakeFirst(),
    );
    if (!account?.operator) throw new AppError('not-allowed');
    // A visitor of a public demo does not see its machines.
    if (!bus.isShared || session.readOnly) return [];
    const loads = new Map((await readNodeLoads(db.system)).map(load => [load.id, load]));
    return (await readNodes(db.system)).map(({ startedAt, seenAt, busAwaySince, ...node }) => ({
      ...node,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
      isThis: node.id === bus.nodeId,
      vehicles: loads.get(node.id)?.vehicles ?? 0,
      trackers: loads.get(node.id)?.trackers ?? 0,
      busAwaySince: busAwaySince?.toISOString() ?? null,
    }));
  });
}
