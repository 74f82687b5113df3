import type { FastifyInstance, FastifyRequest } from 'fastify';
import { turn } from '../workers/turns.ts';
import { invalidField } from './app-error.ts';

/** How bodies are read; forms are in `multipart.ts`. Anything else is refused before a byte of it is kept. */
export function acceptBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();

  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A client that sets the type on every call sends it on calls without a body too.
    if (body === '') return done(null, undefined);
    if (isDeeperThan(body as string, JSON_DEPTH)) return done(invalidField('', 'request-unreadable'));
    if (!isLong(request)) return parseJson(request, body as string, done);
    void turn().then(() => parseJson(request, body as string, done));
  });

  fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    readText(body),
  );

  // Their handlers read them as they come, and set the limits.
  for (const type of ['application/x-ndjson', 'application/vnd.pmtiles']) {
    fastify.addContentTypeParser(type, (_request, payload, done) => done(null, payload));
  }
}

/** Reading so much takes milliseconds. */
const LONG_BYTES = 16 * 1024;

/** A body that is read in turns, so that many callers with one keep the thread no longer than one of them. */
export const isLong = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LONG_BYTES;

/** More than any schema of the contract asks for; what is nested deeper costs many times its length to read. */
const JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts brackets outside of strings only; the parser decides what is valid JSON. */
export function isDeeperThan(json: string, depth: number): boolean {
  let open = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) isText = !isText;
    else if (isText) at += character === BACKSLASH ? 1 : 0;
    // `[` and `{`, `]` and `}` are alike but for one bit.
    else if ((character | 0x20) === 0x7b && ++open > depth) return true;
    else if ((character | 0x20) === 0x7d) open--;
  }
  return false;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function readText(body: Buffer): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw invalidField('', 'not-utf-8');
  }
}
