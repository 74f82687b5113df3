import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { Histogram } from 'prom-client';

/**
 * One line a request, and its duration in the metrics. No header, query, body or full address is written: tokens and
 * places of people do not belong in a log. Calls that everyone makes all the time are lines for `debug`.
 */
export function logRequests(fastify: FastifyInstance, metrics: Registry): void {
  const durations = new Histogram({
    name: 'milepost_http_request_duration_seconds',
    help: 'Time from a request to its answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    const line = {
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller && { userId: request.caller.userId, sessionId: request.caller.sessionId }),
    };
    const quiet = reply.statusCode < 400 && (request.method === 'GET' || request.method === 'HEAD');
    request.log[quiet ? 'debug' : 'info'](line, 'Request answered');
  });
}
