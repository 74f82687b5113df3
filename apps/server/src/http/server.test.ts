import { checkInternetStatus } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_CONFIG, testContext } from '../../testing/context.ts';
import { startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { raw, rawGet } from '../../testing/raw-http.ts';
import { createHttp } from './server.ts';

const PUBLIC_ORIGIN = new URL(TEST_CONFIG.http.publicUrl).origin;

let server: TestHttpServer;

beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

describe('probes', () => {
  it('answers /health with every check, and 503 with the failing one', async () => {
    expect((await server.call('GET', '/health')).body).toMatchObject({ status: 'ok', version: '0.0.0-test' });
    const context = testContext(server.context.db);
    context.health.register('broker', () => null);
    context.health.register('ingest', () => 'The disk is full.');
    const http = await createHttp(context, server.sessions);
    const response = await http.fastify.inject('/health');
    await http.close();
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ status: 'failing', checks: { broker: 'ok', ingest: 'The disk is full.' } });
  });

  it('answers /metrics in Prometheus text, with the time of every route', async () => {
    await server.call('GET', '/api/v1/check_internet_status');
    const { headers, text } = await server.call('GET', '/metrics');
    expect(headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(text).toMatch(/http_request_duration_seconds_count{route="GET \/api\/v1\/check_internet_status"} \d/);
  });
});

describe('connections', () => {
  it.each([
    { trustedProxies: [], caller: '127.0.0.1' },
    // The last address that is not a trusted proxy: anything before it could be forged.
    { trustedProxies: ['127.0.0.0/8'], caller: '203.0.113.9' },
  ])('come from $caller when $trustedProxies are trusted', async ({ trustedProxies, caller }) => {
    const context = testContext(server.context.db, { http: { ...TEST_CONFIG.http, trustedProxies } });
    const http = await createHttp(context, server.sessions);
    http.fastify.get('/caller', request => request.ip);
    const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
    const { body } = await http.fastify.inject({ url: '/caller', remoteAddress: '127.0.0.1', headers });
    await http.close();
    expect(body).toBe(caller);
  });

  it('does not start if a route of the contract has no handler', async () => {
    const http = await createHttp(testContext(server.context.db), server.sessions);
    http.handle(checkInternetStatus, () => ({ status: 'ok' as const }));
    await expect(http.listen()).rejects.toThrow(/no handler: POST \/api\/v1\/signin/);
    await http.close();
  });

  it('routes upgrades by path, and refuses pages of other sites', async () => {
    const seen: string[] = [];
    server.http.onUpgrade('/mqtt', (request, socket) => {
      seen.push(request.headers.origin ?? 'none');
      socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    const upgrade = (path: string, origin?: string) =>
      rawGet(server.url, path, `Connection: Upgrade\r\nUpgrade: websocket\r\n${origin ? `Origin: ${origin}\r\n` : ''}`);
    expect(await upgrade('/mqtt')).toContain('101');
    expect(await upgrade('/mqtt?x=1', server.url)).toContain('101');
    expect(await upgrade('/mqtt', PUBLIC_ORIGIN)).toContain('101');
    expect(await upgrade('/mqtt', 'https://evil.example')).toContain('403');
    expect(await upgrade('/mqtt', 'null')).toContain('403');
    expect(await upgrade('/elsewhere')).toContain('404');
    expect(seen).toEqual(['none', server.url, PUBLIC_ORIGIN]);
    expect(await rawGet(server.url, '/health', 'Connection: Upgrade\r\nUpgrade: h2c\r\n')).toContain('200 OK');
  });

  it('echoes no request, and lets no page of another site read an answer', async () => {
    const trace = await raw(
      server.url,
      'TRACE /health HTTP/1.1\r\nHost: a\r\nX-Secret: not-to-be-echoed\r\nConnection: close\r\n\r\n',
    );
    expect(trace).toMatch(/^HTTP\/1.1 4/);
    expect(trace).not.toContain('not-to-be-echoed');
    for (const path of ['/health', '/api/v1/client_settings', '/']) {
      const { headers } = await fetch(server.url + path, { headers: { origin: 'https://evil.example' } });
      expect([...headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('answers invalid HTTP and endless headers with a status', async () => {
    expect(await raw(server.url, 'hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
    expect(await rawGet(server.url, '/', `X: ${'x'.repeat(40_000)}\r\n`)).toMatch(/^HTTP\/1.1 431/);
  });

  it('closes even if a client stays connected', async () => {
    const other = await startHttpServer();
    const opened = new Promise<void>(resolve => {
      other.http.onUpgrade('/mqtt', () => resolve());
    });
    const ended = rawGet(other.url, '/mqtt', 'Connection: Upgrade\r\nUpgrade: websocket\r\n', 60_000);
    await opened;
    // The client stays for longer than a test may take.
    await other.close();
    expect(await ended).toBe('');
  });
});
