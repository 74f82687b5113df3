import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from './app-error.ts';
import { byteRange } from './byte-range.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.pmtiles': 'application/vnd.pmtiles',
  '.json': 'application/json',
};

/**
 * The offline map's files under `/map/`. PMTiles are read in ranges, so: byte ranges, no compression, and a strong
 * ETag of the content, by which a reader notices that the file behind its offsets has changed (RFC 9110 section 8.8.1).
 */
export function serveMapData(fastify: FastifyInstance, root: string): void {
  const etagOf = createEtags();

  fastify.get<{ Params: { file: string } }>('/map/:file', async (request, reply) => {
    const { file } = request.params;
    const type = TYPES[extname(file)];
    // Only names that the folder lists: nothing is built from the path that came in.
    const names = await readdir(root).catch((): string[] => []);
    if (type === undefined || !names.includes(file)) throw new AppError('not-found');
    const path = join(root, file);
    const { size, mtimeMs } = await stat(path);
    const etag = await etagOf(path, `${size} ${mtimeMs}`);
    reply.headers({
      etag,
      'accept-ranges': 'bytes',
      // A day without asking; the ETag tells an old piece from a new one.
      'cache-control': 'public, max-age=86400',
      'content-type': type,
    });
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
  });
}

/** `If-None-Match` compares weakly: `W/` does not count (RFC 9110 section 13.1.2). */
function isListed(etag: string, header: string): boolean {
  return header.split(',').some(candidate => {
    const tag = candidate.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}

/** Each file is read once for its hash, and again when its size or time has changed. */
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
