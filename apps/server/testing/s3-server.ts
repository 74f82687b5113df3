import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collect } from './collect.ts';

/**
 * A store with the calls of S3 that backups use: put, get, delete, and list in pages of three. It checks signatures as
 * Amazon describes them ("Signature Version 4", AWS General Reference), so a client that signs wrong fails here, too.
 */
export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Answers the next calls with these statuses. */
  readonly failures: number[];
  close(): void;
}

export const S3_KEYS = { accessKey: 'AKTEST', secretKey: 'a/secret+key' } as const;
const PAGE = 3;

export async function startS3Server(bucket: string): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const failures: number[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await collect<Buffer>(request));
    const answer = (status: number, text: string | Buffer = ''): void => {
      response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
    };
    const refused = (status: number, code: string) => answer(status, `<Error><Code>${code}</Code></Error>`);
    const failure = failures.shift();
    if (failure) return refused(failure, 'SlowDown');
    if (!isSigned(request, body)) return refused(403, 'SignatureDoesNotMatch');
    const url = new URL(request.url ?? '/', 'http://s3');
    const [, inBucket, ...rest] = url.pathname.split('/');
    if (inBucket !== bucket) return refused(404, 'NoSuchBucket');
    const name = decodeURIComponent(rest.join('/'));
    if (request.method === 'PUT') {
      objects.set(name, body);
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(name);
      return answer(204);
    }
    if (name !== '') {
      const found = objects.get(name);
      return found ? answer(200, found) : refused(404, 'NoSuchKey');
    }
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const names = [...objects.keys()].filter(each => each.startsWith(prefix) && each > after).sort();
    const page = names.slice(0, PAGE);
    const more = names.length > PAGE;
    const contents = page.map(
      each =>
        `<Contents><Key>${each}</Key><Size>${objects.get(each)?.length}</Size><LastModified>2026-11-26T00:00:00Z</LastModified><ETag>"x"</ETag></Contents>`,
    );
    answer(
      200,
      `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${more}</IsTruncated>${contents.join('')}${more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}</ListBucketResult>`,
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, objects, failures, close: () => server.close() };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const [, access, day, region, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  if (access !== S3_KEYS.accessKey || !day || !region || !names || !signature) return false;
  const hash = String(request.headers['x-amz-content-sha256']);
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return false;
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...names.split(';').map(name => `${name}:${String(request.headers[name]).trim()}`),
    '',
    names,
    hash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${S3_KEYS.secretKey}`);
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
}
