import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { Counter, Histogram } from 'prom-client';
import { LogThrottle } from '../limits/log-throttle.ts';

/** Refused requests without a session are logged once for each route and status in this time, not for each call. */
const STRANGERS_LOGGED_EVERY_MS = 60_000;
const STRANGERS_LOGGED = 100;

/**
 * Logs one line for each request, and its duration in the metrics, labeled by route and never by anything a caller
 * chooses. Headers, query, body and full address are not logged: tokens and users' locations do not belong in a log.
 * Very frequent calls are logged at `debug`.
 */
export function logRequests(fastify: FastifyInstance, metrics: Registry): void {
  const durations = new Histogram({
    name: 'milepost_http_request_duration_seconds',
    help: 'Time from a request to its answer, by route',
    labelNames: ['route'],
    buckets: [0.025, 0.1, 0.5, 2.5],
    registers: [metrics],
  });
  const refusals = new Counter({
    name: 'milepost_http_refusals_total',
    help: 'Requests that were refused, by status',
    labelNames: ['status'],
    registers: [metrics],
  });
  const failures = new Counter({
    name: 'milepost_http_failures_total',
    help: 'Requests that the server failed to answer, by route and status',
    labelNames: ['route', 'status'],
    registers: [metrics],
  });
  const ofStrangers = new LogThrottle(STRANGERS_LOGGED_EVERY_MS, STRANGERS_LOGGED);
  fastify.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const status = reply.statusCode;
    if (status < 400) durations.observe({ route: `${method} ${route}` }, reply.elapsedTime / 1000);
    else if (status < 500) refusals.inc({ status });
    else failures.inc({ route: `${method} ${route}`, status });
    const line = {
      method,
      route,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.caller && { userId: request.caller.userId, sessionId: request.caller.sessionId }),
    };
    const isRead = status < 400 && (method === 'GET' || method === 'HEAD');
    const isFlood =
      status >= 400 && status < 500 && !request.caller && !ofStrangers.allows(`${method} ${route} ${status}`);
    const quiet = isRead || isFlood;
    request.log[quiet ? 'debug' : 'info'](line, 'Request answered');
  });
}
