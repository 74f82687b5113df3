import { ALL_ROUTES } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_CONFIG, testContext } from '../../testing/context.ts';
import { startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { createHttp } from './server.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

const TOKEN = '0123456789abcdef';

async function statusOf(
  options: { metricsToken?: string; trustedProxies?: string[] },
  remoteAddress: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { metricsToken = null, trustedProxies = [] } = options;
  const config = { http: { ...TEST_CONFIG.http, trustedProxies }, metricsToken };
  const http = await createHttp(testContext(server.context.db, config), server.sessions);
  const { statusCode } = await http.fastify.inject({ url: '/metrics', remoteAddress, headers });
  await http.close();
  return statusCode;
}

describe('without a token, metrics', () => {
  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('are for %s', async address => {
    expect(await statusOf({}, address)).toBe(200);
  });

  it.each<[string, string, Record<string, string>, string[]]>([
    ['another machine', '203.0.113.9', {}, []],
    ['another machine that says it is this one', '203.0.113.9', { 'x-forwarded-for': '127.0.0.1' }, []],
    ['a proxy here that nobody named', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, []],
    ['a proxy here that names nobody', '127.0.0.1', { via: '1.1 x' }, []],
    ['a trusted proxy', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, ['127.0.0.1']],
    ['a trusted proxy whose caller says it is here', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, ['127.0.0.1']],
  ])('are not for %s', async (_, address, headers, trustedProxies) => {
    expect(await statusOf({ trustedProxies }, address, headers)).toBe(401);
  });
});

describe('with a token, metrics', () => {
  it.each<[string, Record<string, string>, number]>([
    ['the token', { authorization: `Bearer ${TOKEN}` }, 200],
    ['another', { authorization: `Bearer ${TOKEN}0` }, 401],
    ['none', {}, 401],
    ['the token in another scheme', { authorization: `Basic ${TOKEN}` }, 401],
  ])('are for anyone who has it, wherever they are: %s', async (_, headers, status) => {
    for (const address of ['127.0.0.1', '203.0.113.9']) {
      expect(await statusOf({ metricsToken: TOKEN }, address, headers)).toBe(status);
    }
  });
});

it('metrics do not grow with requests from callers who are not signed in', async () => {
  const before = (await server.call('GET', '/metrics')).text.length;
  const calls = ALL_ROUTES.flatMap(({ path }) => {
    const url = path.replace(/\{\w+\}/g, '1');
    return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map(method => [method, url] as const);
  });
  for (const [method, url] of calls) await server.http.fastify.inject({ method, url });
  for (let i = 0; i < 200; i++) await server.http.fastify.inject(`/api/v1/nothing-${i}`);
  const { text } = await server.call('GET', '/metrics');
  // What anybody may read has its time, and each status its line.
  expect(text.length - before).toBeLessThan(20_000);
});
