import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { auditOf, type Person, person } from '../../../testing/people.ts';
import { testPicture } from '../../../testing/picture.ts';
import { rawGet } from '../../../testing/raw-http.ts';
import { encodeImage } from './encode.ts';
import { storeImage } from './store.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

const upload = (who: Person, file: Blob, name = 'me.png', field = 'file') => {
  const body = new FormData();
  body.append(field, file, name);
  return who.call('PATCH', 'user_image', body);
};
const imageOf = ({ body }: { readonly body: unknown }) => (body as { image: string }).image;
const fetchImage = (file: string, token?: string) =>
  fetch(`${server.url}/api/v1/uploaded-img/${file}`, token ? { headers: { authorization: `Bearer ${token}` } } : {});
const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer());

describe('a picture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('[R7.14] is accepted as %s, and served as WebP', async format => {
    const ann = await person(server);
    const answer = await upload(ann, await testPicture(format));
    expect(answer.status).toBe(200);
    const image = imageOf(answer);
    expect(image).toMatch(/^[0-9a-f]{32}\.webp$/);
    expect((await ann.call('GET', 'read_me')).body).toMatchObject({ image });
    const given = await fetchImage(image, ann.token);
    expect(given.status).toBe(200);
    expect(Object.fromEntries(given.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect(await sharp(Buffer.from(await given.arrayBuffer())).metadata()).toMatchObject({ format: 'webp' });
  });

  it('loses its metadata', async () => {
    const picture = await testPicture('jpeg');
    expect((await bytesOf(picture)).includes('Ann Novak')).toBe(true);
    const encoded = await encodeImage(picture, 'user');
    expect(encoded.includes('Ann Novak')).toBe(false);
    expect((await sharp(encoded).metadata()).exif).toBeUndefined();
  });

  it('is scaled to the size needed, and never enlarged', async () => {
    const sizeOf = async (kind: 'user' | 'logo' | 'splash', width: number, height: number) => {
      const { width: w, height: h } = await sharp(
        await encodeImage(await testPicture('png', width, height), kind),
      ).metadata();
      return [w, h];
    };
    expect(await sizeOf('user', 600, 400)).toEqual([256, 256]);
    expect(await sizeOf('logo', 2000, 500)).toEqual([512, 128]);
    expect(await sizeOf('splash', 100, 50)).toEqual([100, 50]);
  });

  it('replaces the previous one, which is deleted', async () => {
    const ann = await person(server);
    const first = imageOf(await upload(ann, await testPicture('png')));
    const second = imageOf(await upload(ann, await testPicture('png')));
    expect((await fetchImage(first, ann.token)).status).toBe(404);
    expect((await fetchImage(second, ann.token)).status).toBe(200);
    expect((await ann.call('DELETE', 'user_image')).status).toBe(200);
    expect((await fetchImage(second, ann.token)).status).toBe(404);
    expect((await auditOf(server, ann.accountId)).map(({ action }) => action)).toContain('profile.picture-changed');
  });
});

describe('its owner', () => {
  it('decides who sees it: a user’s picture only the account, a logo everyone', async () => {
    const [ann, eve] = [await person(server), await person(server)];
    const bob = await person(server, { accountId: ann.accountId, role: 'viewer' });
    const image = imageOf(await upload(ann, await testPicture('png')));
    expect((await fetchImage(image, bob.token)).status).toBe(200);
    for (const token of [undefined, eve.token, 'nonsense']) expect((await fetchImage(image, token)).status).toBe(404);
    const content = await encodeImage(await testPicture('png'), 'logo');
    const logo = await server.context.db.asAccount(ann.accountId, trx =>
      storeImage(trx, ann.accountId, 'logo', content),
    );
    const given = await fetchImage(logo);
    expect([given.status, given.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });
});

describe('a hostile file', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const HTML = '<!doctype html><script>alert(1)</script>';

  /** A decompression bomb: a small PNG whose header declares huge dimensions. */
  function bomb(side: number): Buffer {
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), data]);
      const head = Buffer.alloc(4);
      head.writeUInt32BE(data.length);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(body));
      return Buffer.concat([head, body, sum]);
    };
    const size = Buffer.alloc(13);
    size.writeUInt32BE(side, 0);
    size.writeUInt32BE(side, 4);
    size.set([1, 0, 0, 0, 0], 8);
    const rows = deflateSync(Buffer.alloc(Math.ceil(side / 8 + 1) * 200));
    return Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', size),
      chunk('IDAT', rows),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }

  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ['an SVG', () => Buffer.from(SVG)],
    ['an SVG behind a byte order mark', () => Buffer.from(`\ufeff<?xml version="1.0"?>${SVG}`)],
    ['a page', () => Buffer.from(HTML)],
    ['a GIF', () => Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n')],
    ['nothing', () => Buffer.alloc(0)],
    ['a PNG that breaks off', async () => (await bytesOf(await testPicture('png'))).subarray(0, 60)],
    ['a page that begins like a PNG', () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(HTML)])],
    ['an SVG that begins like a JPEG', () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from(SVG)])],
    ['an image of more than 4,000 pixels', async () => bytesOf(await testPicture('png', 4001, 10))],
    ['a bomb of 60,000 pixels a side', () => bomb(60_000)],
  ])('that is %s is refused, whatever it calls itself', async (_, make) => {
    const ann = await person(server);
    const file = new Blob([new Uint8Array(await make())], { type: 'image/png' });
    const { status, body } = await upload(ann, file, 'holiday.png');
    expect([status, body]).toMatchObject([400, { code: 'not-an-image', errors: [{ field: 'file' }] }]);
    expect((await ann.call('GET', 'read_me')).body).toMatchObject({ image: null });
  });

  it('that is an image followed by HTML becomes only an image', async () => {
    const ann = await person(server);
    const both = Buffer.concat([await bytesOf(await testPicture('png')), Buffer.from(HTML)]);
    const image = imageOf(await upload(ann, new Blob([new Uint8Array(both)], { type: 'text/html' }), 'x.html'));
    expect(await (await fetchImage(image, ann.token)).text()).not.toContain('script');
  });

  it('that is larger than 2 MB is refused', async () => {
    const ann = await person(server);
    const large = new Blob([
      await bytesOf(await testPicture('png')).then(bytes => new Uint8Array(bytes)),
      new Uint8Array(2 * 1024 * 1024),
    ]);
    expect((await upload(ann, large)).status).toBe(400);
    const huge = new Blob([new Uint8Array(11 * 1024 * 1024)]);
    expect((await upload(ann, huge)).status).toBe(413);
  });

  it('in another field, or without a form, is refused', async () => {
    const ann = await person(server);
    expect((await upload(ann, await testPicture('png'), 'me.png', 'image')).status).toBe(400);
    expect((await ann.call('PATCH', 'user_image', { file: 'x' })).status).toBe(415);
  });
});

it.each([
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e%2f%2e%2e%2fpackage.json',
  '....//....//etc/passwd',
  '..\\..\\windows\\win.ini',
  'x.webp%00.png',
  '%00',
  `${'a'.repeat(32)}.webp/../../secret`,
  `${'A'.repeat(32)}.webp`,
  `${'a'.repeat(32)}.svg`,
])('leads nowhere under the name %s', async file => {
  const answer = await rawGet(server.url, `/api/v1/uploaded-img/${file}`);
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(answer).not.toMatch(/root:|workspaces/);
});

/** CRC-32 as PNG computes it (W3C PNG annex D). */
function crc32(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
