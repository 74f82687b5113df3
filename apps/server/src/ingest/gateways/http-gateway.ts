import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TrackerProtocol } from '@milepost/contract';
import type { DecodedMessage, HttpProtocol } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { ConnectionLimiter } from '../../limits/connection-limiter.ts';
import { TokenBucket } from '../../limits/token-bucket.ts';
import { NotStored } from '../lane.ts';
import type { Gateway, GatewayParts } from './gateway.ts';

interface Answer {
  readonly status: number;
  /** For the person who sets up the tracker; empty if all is well. */
  readonly sentence: string;
}

const STORED: Answer = { status: 200, sentence: '' };
const BUSY: Answer = {
  status: 503,
  sentence: 'The server can not store positions at the moment. Send this again later.',
};
const TOO_MANY: Answer = { status: 429, sentence: 'Too many reports. Send this again later.' };
const RETRY_AFTER_S = 10;

/** Listens for the reports of a protocol over HTTP. 200 means committed; anything else: keep it and send it again. */
export async function listenHttp(
  protocolName: TrackerProtocol,
  protocol: HttpProtocol,
  port: number,
  { host, limits, log, metrics, pipeline, reception }: GatewayParts,
): Promise<Gateway> {
  const refuse = (messages: readonly DecodedMessage[]): Answer | null => {
    const error = messages.find(message => message.kind === 'error');
    if (!error) return null;
    metrics.decodeErrors.inc({ protocol: protocolName, code: error.code });
    return { status: 400, sentence: 'This is no report with an id, a place (lat, lon) and a time that can be read.' };
  };

  const limiter = new ConnectionLimiter(limits);
  /** How connections leave the limiter: with a vehicle's first report. */
  const leaving = new WeakMap<Socket, () => void>();
  const buckets = new WeakMap<Socket, TokenBucket>();
  const isAllowed = (socket: Socket): boolean => {
    const now = Date.now();
    const bucket = buckets.get(socket) ?? new TokenBucket(limits, now);
    buckets.set(socket, bucket);
    bucket.spend(1, now);
    return bucket.pauseMs === 0;
  };

  const take = async (request: IncomingMessage): Promise<Answer> => {
    if (request.method !== 'GET' && request.method !== 'POST') {
      return { status: 405, sentence: 'Reports come by GET or POST.' };
    }
    if (!isAllowed(request.socket)) return TOO_MANY;
    if (!pipeline.hasRoom() || pipeline.trouble() !== null) return BUSY;
    const body = await readBody(request, protocol.maxBodyBytes);
    if (body === null) {
      return { status: 413, sentence: `A report has at most ${protocol.maxBodyBytes} bytes.` };
    }
    const receivedAt = epochMs(Date.now());
    const query = (request.url ?? '').split('?', 2)[1] ?? '';
    const messages = protocol.decodeRequest(
      {
        method: request.method,
        query,
        contentType: request.headers['content-type'] ?? null,
        body,
      },
      receivedAt,
    );
    const refused = refuse(messages);
    if (refused) return refused;
    const [who] = messages;
    if (who?.kind !== 'login') return { status: 400, sentence: 'A report names its tracker: id=IMEI.' };
    const bytes = Buffer.from(body.trim() === '' ? query : body);
    const address = request.socket.remoteAddress ?? null;
    const vehicle = reception.admit(who.imei, protocolName, address, { messages, bytes });
    if (!vehicle) {
      return { status: 404, sentence: 'No vehicle has this id. Add one with this IMEI, or set the id of the tracker.' };
    }
    leaving.get(request.socket)?.();
    try {
      await reception.take(vehicle, messages, protocolName, receivedAt, { bytes, over: 'http' }, address);
      return STORED;
    } catch (error) {
      if (!(error instanceof NotStored)) throw error;
      return BUSY;
    }
  };

  const server = createServer({ requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 75_000 });
  server.maxConnections = limits.connections;
  server.on('request', (request, response) => {
    take(request)
      .catch((error: unknown): Answer => {
        if (!request.destroyed) log.error({ err: error, gateway: protocolName }, 'Could not process a report');
        return BUSY;
      })
      .then(answer => send(response, answer));
  });
  server.on('connection', socket => {
    const leave = limiter.enter(socket.remoteAddress ?? '');
    if (!leave) {
      metrics.connectionsCut.inc({ protocol: protocolName, reason: 'crowded' });
      socket.destroy();
      return;
    }
    leaving.set(socket, leave);
    socket.once('close', leave);
    metrics.connections.inc({ protocol: protocolName });
    socket.once('close', () => metrics.connections.dec({ protocol: protocolName }));
  });
  server.listen({ port, host, backlog: 1024 });
  await once(server, 'listening');
  server.on('error', error => log.error({ err: error, gateway: protocolName }, 'Gateway error'));
  return {
    port: (server.address() as AddressInfo).port,
    stopListening: () => void server.close(),
    close: () => server.closeAllConnections(),
  };
}

function send(response: ServerResponse, { status, sentence }: Answer): void {
  if (response.destroyed) return;
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(sentence));
  if (status === BUSY.status || status === TOO_MANY.status) response.setHeader('retry-after', RETRY_AFTER_S);
  // Unread bytes of this request must not be taken for the next one.
  if (status !== STORED.status) response.setHeader('connection', 'close');
  response.end(sentence);
}

/** Null when it is longer than that. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString('utf8');
}
