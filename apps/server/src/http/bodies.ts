import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidField } from '../app-error.ts';
import { turn } from '../workers/turns.ts';

/** Parses bodies; forms are in `multipart.ts`. Other types are refused before a byte is stored. */
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

  // The handlers stream these bodies and set the limits.
  for (const type of ['application/x-ndjson', 'application/vnd.pmtiles', 'application/octet-stream']) {
    fastify.addContentTypeParser(type, (_request, payload, done) => done(null, payload));
  }
}

/** Parsing a body of this size takes milliseconds. */
const LONG_BYTES = 16 * 1024;

/** Long bodies are parsed in turns, so that many callers with long bodies take no more of the thread than one. */
export const isLong = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LONG_BYTES;

/** Deeper than any schema of the contract. Parsing deeper nesting costs many times more than its length. */
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
    // `[` and `{` differ in one bit, and so do `]` and `}`.
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
