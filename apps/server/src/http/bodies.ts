import type { FastifyInstance } from 'fastify';
import { invalidField } from './app-error.ts';

/** How bodies are read; forms are in `multipart.ts`. Anything else is refused before a byte of it is kept. */
export function acceptBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();

  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // A client that sets the type on every call sends it on calls without a body too.
    if (body === '') return done(null, undefined);
    return parseJson(request, body as string, done);
  });

  fastify.addContentTypeParser('text/csv', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    readText(body),
  );

  // Its handler reads it line by line, and sets the limits.
  fastify.addContentTypeParser('application/x-ndjson', (_request, payload, done) => done(null, payload));
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function readText(body: Buffer): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw invalidField('', 'not-utf-8');
  }
}
