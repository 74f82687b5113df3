import { PROBLEMS, type ProblemCode } from '@milepost/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { readNodes } from '../db/nodes.ts';
import { refuseMetrics } from './metrics-access.ts';

const NODES_WITHIN_MS = 2000;

/** Endpoints for monitoring: health and metrics; also the pages that a problem's `type` links to. */
export function serveProbes(fastify: FastifyInstance, { bus, config, db, health, metrics }: Context): void {
  /** Without the names of machines: anyone may ask. Null while the database does not say. */
  const nodes = async (): Promise<readonly object[] | null> => {
    const { promise: late, resolve } = Promise.withResolvers<null>();
    const timer = setTimeout(resolve, NODES_WITHIN_MS, null);
    const read = readNodes(db.system).then(
      all =>
        all.map(({ id, version, startedAt, seenAt, isRunning, leads, busAwaySince }) => ({
          ...{ id: id.slice(0, 8), version, startedAt, seenAt, isRunning, leads, busAwaySince },
          isThis: id === bus.nodeId,
        })),
      () => null,
    );
    return Promise.race([read, late]).finally(() => clearTimeout(timer));
  };

  fastify.get('/health', async (_request, reply) => {
    const [{ status, checks }, others] = await Promise.all([health.report(), bus.isShared ? nodes() : undefined]);
    return reply
      .code(status === 'ok' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, version: config.version, checks, ...(others !== undefined && { nodes: others }) });
  });

  fastify.get('/metrics', async (request, reply) => {
    refuseMetrics(request, config.metricsToken);
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.metrics());
  });

  fastify.get<{ Params: { code: string } }>('/problems/:code', async request => {
    const { code } = request.params;
    if (!Object.hasOwn(PROBLEMS, code)) throw new AppError('not-found');
    return { code, ...PROBLEMS[code as ProblemCode] };
  });
}
