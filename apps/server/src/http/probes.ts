import { PROBLEMS, type ProblemCode } from '@milepost/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { refuseMetrics } from './metrics-access.ts';

/** Endpoints for monitoring: health and metrics; also the pages that a problem's `type` links to. */
export function serveProbes(fastify: FastifyInstance, { config, health, metrics }: Context): void {
  fastify.get('/health', async (_request, reply) => {
    const { status, checks } = await health.report();
    return reply
      .code(status === 'ok' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, version: config.version, checks });
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
