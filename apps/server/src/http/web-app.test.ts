import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { checkInternetStatus } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testContext } from '../../testing/context.ts';
import { testDatabase } from '../../testing/database.ts';
import { startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { rawGet } from '../../testing/raw-http.ts';
import { registerAccounts } from '../modules/accounts/routes.ts';
import { createHttp, type Folders } from './server.ts';

let server: TestHttpServer;
let folder: string;
let folders: Folders;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'milepost-http-'));
  folders = { webApp: join(folder, 'web'), map: join(folder, 'map') };
  await mkdir(join(folders.webApp, 'assets'), { recursive: true });
  await mkdir(folders.map);
  await writeFile(join(folder, 'secret.json'), '"not for you"');
  const page = '<!doctype html><title>Milepost</title>';
  await writeFile(join(folders.webApp, 'index.html'), page);
  await writeFile(join(folders.webApp, 'index.html.br'), brotliCompressSync(page));
  await writeFile(join(folders.webApp, 'sw.js'), 'self.x = 1;');
  await writeFile(join(folders.webApp, 'assets', 'app-1a2b.js'), 'plain');
  await writeFile(join(folders.webApp, 'assets', 'app-1a2b.js.br'), 'brotli');
  server = await startHttpServer({
    folders,
    config: {
      map: {
        styleUrl: 'https://maps.example.com/style.json',
        tileUrl: 'https://{s}.tiles.example.org/{z}/{x}/{y}.png',
      },
    },
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });

describe('headers', () => {
  it('gives the app’s page a strict policy: only our files, nothing inline, and the configured map hosts', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    const directives = new Map(policy.split('; ').map(part => [part.split(' ')[0], part.split(' ').slice(1)]));
    expect(Object.fromEntries(directives)).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'connect-src': ["'self'", 'https://maps.example.com', 'https://*.tiles.example.org'],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
    });
    expect(policy).not.toMatch(/unsafe/);
  });

  it.each([
    '/',
    '/sw.js',
    '/api/v1/check_internet_status',
    '/api/v1/nothing',
    '/health',
    '/map/tiles.pmtiles',
    '/docs',
  ])('sends the security headers with %s', async path => {
    const { headers } = await get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/,
    );
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('gives a worker script the page’s policy, since workers follow their own headers', async () => {
    const page = await get('/');
    const worker = await get('/assets/app-1a2b.js');
    expect(worker.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'));
  });

  it('[R7.13] answers the connectivity check uncached, whatever the state of the database', async () => {
    const database = await testDatabase();
    const http = await createHttp(testContext(database.databases), server.sessions, folders);
    registerAccounts(http, testContext(database.databases), server.sessions);
    await database.close();
    const response = await http.fastify.inject(checkInternetStatus.path);
    await http.close();
    expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }]);
    expect(response.headers['cache-control']).toBe('no-store');
  });
});

describe('the web app', () => {
  it('[R2.25] serves its page at the root and under every path of the app, never from a cache unasked', async () => {
    for (const path of ['/', '/login', '/geo-fence', '/eld/drivers?tab=1', '/index.html']) {
      const response = await get(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<title>Milepost</title>');
    }
  });

  it('keeps share pages out of search engines, referrers and frames', async () => {
    for (const path of ['/s', '/s/old']) {
      const { headers } = await get(path);
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow, noarchive');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
    expect((await get('/settings')).headers.get('x-robots-tag')).toBeNull();
  });

  it('[R2.26] serves the service worker as JavaScript, and a missing script as a 404', async () => {
    const worker = await get('/sw.js');
    expect(worker.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    expect((await get('/other-sw.js')).status).toBe(404);
    expect((await get('/assets/app-0000.js')).status).toBe(404);
  });

  it('serves hashed files with an unlimited cache time, compressed if the build compressed them', async () => {
    const compressed = await get('/assets/app-1a2b.js', { 'accept-encoding': 'br' });
    expect(compressed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(compressed.headers.get('content-encoding')).toBe('br');
    expect(compressed.headers.get('vary')).toBe('accept-encoding');
    const plain = await get('/assets/app-1a2b.js', { 'accept-encoding': 'identity' });
    expect(await plain.text()).toBe('plain');
  });

  it('lists no folder', async () => {
    for (const path of ['/assets', '/assets/', '/map/']) {
      expect(await (await get(path)).text()).not.toContain('app-1a2b');
    }
  });

  it('serves no file outside its folder', async () => {
    for (const path of [
      '/../secret.json',
      '/%2e%2e/secret.json',
      '/assets/..%2f..%2fsecret.json',
      '/map/..%2fsecret.json',
    ]) {
      const answer = await rawGet(server.url, path);
      expect(answer).not.toContain('not for you');
      expect(answer).toMatch(/^HTTP\/1.1 (400|403|404)/);
    }
  });
});

describe.each([
  ['none', ''],
  ['nothing', 'Accept-Encoding:\r\n'],
  ['one that is not there', 'Accept-Encoding: zstd\r\n'],
  ['anything', 'Accept-Encoding: *\r\n'],
  ['anything but', 'Accept-Encoding: *;q=0\r\n'],
  ['no gzip', 'Accept-Encoding: gzip;q=0, identity\r\n'],
  ['what no browser says', `Accept-Encoding: ${'x,;q='.repeat(50)}\r\n`],
])('a reader that names as encodings %s', (_, header) => {
  it.each(['/', '/?x', '/dashboard', '/a/deep/page/', '/assets', '/assets/', '/index.html'])(
    'gets the page at %s',
    async path => {
      const answer = await rawGet(server.url, path, `${header}Connection: close\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toMatch(/\r\n\r\n<!doctype html>/);
    },
  );

  it.each(['/assets/none.js', '/assets/.js', '//', '/assets//app-1a2b.js', '/assets/./app-1a2b.js'])(
    'gets nothing at %s',
    async path => {
      expect(await rawGet(server.url, path, `${header}Connection: close\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );
});
