import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What people write is sent at once; a body that trickles in for longer keeps a connection for nothing. */
export const BODY_TIMEOUT_MS = 30_000;
/** Files may come over slow connections. After this time Node ends any request; the idle limit is set beside it. */
export const UPLOAD_TIMEOUT_MS = 30 * 60_000;

/** What is answered before all of it has come, is no longer read; its sender hears the answer and stops. */
export const REFUSED_TIMEOUT_MS = 5_000;

const UPLOADS: ReadonlySet<string> = new Set([
  'multipart/form-data',
  'application/x-ndjson',
  'application/vnd.pmtiles',
]);

/** Disconnects clients that send a body too slowly (except on file routes) or keep sending a refused one. */
export function limitBodyTime(
  fastify: FastifyInstance,
  timeoutMs = BODY_TIMEOUT_MS,
  refusedTimeoutMs = REFUSED_TIMEOUT_MS,
): void {
  const waiting = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const done = async (request: FastifyRequest): Promise<void> => clearTimeout(waiting.get(request));

  fastify.addHook('onRequest', async request => {
    const { headers, raw, routeOptions } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody || UPLOADS.has(routeOptions.config.contract?.bodyType ?? '')) return;
    waiting.set(request, setTimeout(() => raw.destroy(), timeoutMs).unref());
  });
  fastify.addHook('preValidation', done);
  fastify.addHook('onError', done);
  fastify.addHook('onResponse', async request => {
    await done(request);
    const { raw } = request;
    if (raw.complete) return;
    const timer = setTimeout(() => raw.destroy(), refusedTimeoutMs).unref();
    for (const end of ['end', 'close']) raw.once(end, () => raw.complete && clearTimeout(timer));
  });
  fastify.addHook('onRequestAbort', done);
}
