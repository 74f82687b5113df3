import { Readable, Writable } from 'node:stream';
import { ALL_ROUTES, checkInternetStatus, problemSchema } from '@milepost/contract';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testContext } from '../../testing/context.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { openDatabases } from '../db/database.ts';
import { registerAccounts } from '../modules/accounts/routes.ts';
import { createSessions } from '../modules/accounts/sessions.ts';
import { FileAnswer } from './file-answer.ts';
import { createHttp } from './server.ts';

let server: TestHttpServer;

beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

describe('problems', () => {
  it('[R8.05] answers an unknown route with RFC 9457 problem details and the request’s ID', async () => {
    const { status, headers, body } = await server.call('GET', '/api/v1/nothing');
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(problemSchema.parse(body)).toMatchObject({ code: 'not-found', type: '/problems/not-found', status: 404 });
    expect(body).toMatchObject({ instance: headers.get('x-request-id') });
  });

  it('[R5.03] reports all errors at once, by field, with the forms’ messages', async () => {
    const { status, body } = await server.call('POST', '/api/v1/signin', { body: { userName: '  ', password: 7 } });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'invalid-input',
      errors: [
        { field: 'userName', message: 'Enter your user name or email.' },
        { field: 'password', message: 'Enter your password.' },
      ],
    });
  });

  it('refuses invalid JSON, invalid UTF-8, other media types and bodies that are too large', async () => {
    const post = (body: string | Uint8Array<ArrayBuffer>, type: string) =>
      fetch(`${server.url}/api/v1/signin`, { method: 'POST', body, headers: { 'content-type': type } });
    const json = await post('{"userName": ', 'application/json');
    expect([json.status, await json.json()]).toMatchObject([
      400,
      { errors: [{ message: 'The request is not valid JSON.' }] },
    ]);
    expect((await post('{"__proto__": {"admin": true}}', 'application/json')).status).toBe(400);
    const form = await post('userName=a', 'application/x-www-form-urlencoded');
    expect([form.status, await form.json()]).toMatchObject([415, { title: 'Send this request as JSON.' }]);
    expect((await post('userName', 'text/csv')).status).toBe(415);
    const large = await post(JSON.stringify({ userName: 'x'.repeat(300_000) }), 'application/json');
    expect([large.status, await large.json()]).toMatchObject([413, { title: 'The request is larger than 256 kB.' }]);
  });

  it('logs the cause of a failure and keeps it out of the response', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write: (line, _encoding, done) => {
        lines.push(String(line));
        done();
      },
    });
    const log = pino(sink);
    const context = { ...testContext(server.context.db), log };
    const http = await createHttp(context, server.sessions);
    http.handle(checkInternetStatus, () => {
      throw new Error('password of the database: hunter2');
    });
    const response = await http.fastify.inject({
      url: '/api/v1/check_internet_status?token=in-the-url',
      headers: { authorization: 'Bearer in-the-header' },
    });
    await http.close();
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain('hunter2');
    expect(response.json()).toMatchObject({ code: 'internal', instance: response.headers['x-request-id'] });
    const failure = lines.map(line => JSON.parse(line)).find(line => line.level === 50);
    expect(failure).toMatchObject({ requestId: response.headers['x-request-id'], err: { message: /hunter2/ } });
    expect(lines.join()).not.toContain('in-the-');
  });

  it('explains each problem at its type’s address', async () => {
    expect((await server.call('GET', '/problems/read-only')).body).toMatchObject({ code: 'read-only', status: 403 });
    expect((await server.call('GET', '/problems/__proto__')).status).toBe(404);
  });

  it('says when to retry while the database is unavailable', async () => {
    const nowhere = openDatabases({ host: '127.0.0.1', port: 1 });
    const context = testContext(nowhere);
    const sessions = createSessions(context);
    const http = await createHttp(context, sessions);
    registerAccounts(http, context, sessions);
    const headers = { authorization: `Bearer ${'x'.repeat(43)}` };
    const response = await http.fastify.inject({ url: '/api/v1/read_me', headers });
    await http.close();
    await nowhere.close();
    expect([response.statusCode, response.json()]).toMatchObject([
      503,
      { code: 'database-unreachable', title: 'The database does not respond. Try again in a moment.' },
    ]);
    expect(response.headers['retry-after']).toBe('5');
  });

  it.each(['53100', 'ENOSPC', 'EDQUOT'])('says that the disk is full (%s), and that nothing was saved', async code => {
    const context = testContext(openDatabases({ host: '127.0.0.1', port: 1 }));
    const http = await createHttp(context, {
      ...createSessions(context),
      findByToken: () => Promise.reject(Object.assign(new Error('no space left on device'), { code })),
    });
    registerAccounts(http, context, createSessions(context));
    const headers = { authorization: `Bearer ${'x'.repeat(43)}` };
    const response = await http.fastify.inject({ url: '/api/v1/read_me', headers });
    await http.close();
    await context.db.close();
    expect([response.statusCode, response.json().code]).toEqual([503, 'server-full']);
    expect(response.headers['retry-after']).toBe('30');
  });
});

describe('text that the database can’t store', () => {
  it('is refused in every call’s query and body, and finds nothing in a path', async () => {
    const { token } = await signedIn(server);
    const answers = await Promise.all(
      ALL_ROUTES.flatMap(route => {
        const path = route.path.replace(/\{\w+\}/g, '%00');
        const inQuery = server.call(route.method, `${path}?q=%00`, { token });
        const inBody = (body: unknown) =>
          server.call(route.method, path.replace(/%00/g, '1'), {
            token,
            body,
            ...(typeof body === 'string' && { headers: { 'content-type': route.bodyType ?? 'application/json' } }),
          });
        const bodies = ['{"name":"\\u0000"}', '{"a":{"b":["\\ud800"]}}'];
        return [inQuery, ...(route.method === 'GET' ? [] : bodies.map(inBody))].map(async each => {
          const { status, headers } = await each;
          return { route: `${route.method} ${route.path}`, status, encoding: headers.get('content-encoding') };
        });
      }),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const read = answers.filter(({ route }) => route === 'GET /api/v1/audit/export' || route === 'GET /api/v1/device');
    expect(read).toMatchObject([{ status: 400 }, { status: 400 }]);
  });

  it('is found at any depth of a body', async () => {
    const { token } = await signedIn(server);
    const deep = `{"name":${'['.repeat(100_000)}"\\u0000"${']'.repeat(100_000)}}`;
    const headers = { 'content-type': 'application/json' };
    expect((await server.call('POST', '/api/v1/driver', { token, body: deep, headers })).status).toBe(400);
  });

  it('is reported with its field', async () => {
    const { token } = await signedIn(server);
    const { status, body } = await server.call('POST', '/api/v1/driver', {
      token,
      body: { name: 'a', tags: ['x', '\0'] },
    });
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'tags.1', code: 'control-character' }] }]);
  });
});

it('a response that fails before its first byte is a problem, with none of its own headers', async () => {
  const context = testContext(server.context.db);
  const http = await createHttp(context, server.sessions);
  http.fastify.get('/failing', { compress: { encodings: ['gzip'] } }, (_request, reply) => {
    const failing = Readable.from(
      (async function* () {
        yield await Promise.reject(new Error('no rows'));
      })(),
    );
    return new FileAnswer(failing, { type: 'text/csv', saveAs: 'log.csv' }).send(reply);
  });
  const { statusCode, headers, body } = await http.fastify.inject({
    url: '/failing',
    headers: { 'accept-encoding': 'gzip' },
  });
  await http.close();
  expect([statusCode, headers['content-encoding'], headers['content-disposition']]).toEqual([
    500,
    undefined,
    undefined,
  ]);
  expect(JSON.parse(body)).toMatchObject({ code: 'internal' });
});

describe('who may call', () => {
  it('[R5.01] requires a session, and distinguishes a wrong token from a missing one', async () => {
    const missing = await server.call('GET', '/api/v1/read_me');
    expect([missing.status, missing.body]).toMatchObject([401, { code: 'not-signed-in' }]);
    expect(missing.headers.get('www-authenticate')).toBe('Bearer');
    const wrong = await server.call('GET', '/api/v1/read_me', { token: 'x'.repeat(43) });
    expect([wrong.status, wrong.body]).toMatchObject([401, { code: 'session-ended' }]);
    const ended = await server.call('GET', '/api/v1/read_me', { token: `milepost_${'x'.repeat(43)}` });
    expect([ended.status, ended.body]).toMatchObject([401, { code: 'token-ended' }]);
  });

  it('refuses before it reads the body', async () => {
    const { status } = await server.call('POST', '/api/v1/device', { body: { imei: 'x'.repeat(300_000) } });
    expect(status).toBe(401);
  });

  it('[R6.03] refuses by role', async () => {
    const { token } = await signedIn(server, { role: 'viewer' });
    const { status, body } = await server.call('POST', '/api/v1/device', { token, body: {} });
    expect([status, body]).toMatchObject([403, { code: 'not-allowed' }]);
  });

  it('[R2.03] tells the demo’s visitor in a friendly way that nothing was changed', async () => {
    const { token } = await signedIn(server, { role: 'owner', readOnly: true });
    const { status, body } = await server.call('POST', '/api/v1/device', { token, body: {} });
    expect([status, body]).toMatchObject([
      403,
      { code: 'read-only', title: 'This is a read-only demo. Nothing was changed.' },
    ]);
    expect((await server.call('GET', '/api/v1/device', { token })).status).toBe(200);
  });
});
