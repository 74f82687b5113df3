import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { bearerToken } from './authorise.ts';
import { byteRange } from './byte-range.ts';
import type { SessionFinder } from './session.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.pmtiles': 'application/vnd.pmtiles',
  '.json': 'application/json',
};

/**
 * The offline map's files under `/map/`. PMTiles are read in ranges, which need byte ranges, no compression, and a
 * strong ETag of the content, so that clients notice when the file has changed (RFC 9110 section 8.8.1).
 */
export function serveMapData(fastify: FastifyInstance, root: string): void {
  const etagOf = createEtags();

  fastify.get<{ Params: { file: string } }>('/map/:file', async (request, reply) => {
    const { file } = request.params;
    const path = await fileIn(root, file, TYPES);
    const { size, mtimeMs } = await stat(path);
    reply.headers({
      etag: await etagOf(path, `${size} ${mtimeMs}`),
      // Cached for a day; after that the ETag shows whether the file has changed.
      'cache-control': 'public, max-age=86400',
    });
    return sendRange(request, reply, path, size);
  });
}

/**
 * The installation's own street maps under `/map/own/`, for signed-in users. They can be large and slow to hash, so
 * the ETag consists of size and modification time, which change when the file is replaced.
 */
export function serveOwnMaps(fastify: FastifyInstance, sessions: SessionFinder, root: string): void {
  fastify.get<{ Params: { file: string } }>('/map/own/:file', async (request, reply) => {
    const token = bearerToken(request);
    if (token === null || !(await sessions.findByToken(token))) {
      throw new AppError(token === null ? 'not-signed-in' : 'session-ended');
    }
    const path = await fileIn(root, request.params.file, { '.pmtiles': TYPES['.pmtiles'] ?? '' });
    const { size, mtimeMs } = await stat(path);
    const tag = createHash('sha256').update(`${path} ${size} ${mtimeMs}`).digest('base64url').slice(0, 27);
    reply.headers({ etag: `"${tag}"`, 'cache-control': 'no-store' });
    return sendRange(request, reply, path, size);
  });
}

/** Allows only names that the folder lists: no path is built from the request. */
async function fileIn(root: string, file: string, types: Readonly<Record<string, string>>): Promise<string> {
  const names = await readdir(root).catch((): string[] => []);
  if (types[extname(file)] === undefined || !names.includes(file)) throw new AppError('not-found');
  return join(root, file);
}

/** Sends the file or the requested range; the reply has its ETag already. */
function sendRange(request: FastifyRequest, reply: FastifyReply, path: string, size: number): FastifyReply {
  const etag = String(reply.getHeader('etag'));
  reply.headers({ 'accept-ranges': 'bytes', 'content-type': TYPES[extname(path)] });
  const { range: wanted, 'if-range': condition, 'if-none-match': known } = request.headers;
  if (known !== undefined && isListed(etag, known)) return reply.code(304).send();
  const range = condition === undefined || condition === etag ? byteRange(wanted, size) : 'whole';
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  if (range === 'whole') return reply.header('content-length', size).send(createReadStream(path));
  const { start, end } = range;
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 })
    .send(createReadStream(path, { start, end }));
}

/** `If-None-Match` compares weakly: `W/` does not count (RFC 9110 section 13.1.2). */
function isListed(etag: string, header: string): boolean {
  return header.split(',').some(candidate => {
    const tag = candidate.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

/** Each file is hashed once, and again when its size or time changes. */
function createEtags(): (path: string, version: string) => Promise<string> {
  const known = new Map<string, { readonly version: string; readonly etag: Promise<string> }>();
  return (path, version) => {
    const entry = known.get(path);
    if (entry?.version === version) return entry.etag;
    const etag = hash(path);
    known.set(path, { version, etag });
    etag.catch(() => known.delete(path));
    return etag;
  };
}

async function hash(path: string): Promise<string> {
  const sha256 = createHash('sha256');
  await pipeline(createReadStream(path), sha256);
  return `"${sha256.digest('base64url').slice(0, 27)}"`;
}
