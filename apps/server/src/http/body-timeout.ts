import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Ordinary bodies arrive in one go; one that trickles in for longer only keeps a connection busy. */
export const BODY_TIMEOUT_MS = 30_000;
/** Large files over slow connections take hours. Node ends any request after this time; the idle limit is separate. */
export const UPLOAD_TIMEOUT_MS = 24 * 3_600_000;

/** A body that was refused early is no longer read; after this time the connection is closed. */
const REFUSED_TIMEOUT_MS = 5_000;

const UPLOADS: ReadonlySet<string> = new Set([
  'multipart/form-data',
  'application/x-ndjson',
  'application/vnd.pmtiles',
  'application/octet-stream',
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
