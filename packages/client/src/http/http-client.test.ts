import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  checkInternetStatus,
  defineRoute,
  fileAnswerSchema,
  importVehicles,
  listMessages,
  listPositions,
  readMe,
  readVehicle,
  signIn,
} from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { NetworkError, ProblemError } from './errors.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

interface Seen {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const about = { access: 'public', summary: '', tag: '' } as const;
const UPLOAD = defineRoute({
  ...about,
  method: 'POST',
  path: '/api/v1/document',
  body: z.object({ title: z.string(), notes: z.string().nullable(), file: z.file() }),
  bodyType: 'multipart/form-data',
  response: z.object({}),
});
const DOWNLOAD = defineRoute({
  ...about,
  method: 'GET',
  path: '/api/v1/export',
  response: fileAnswerSchema,
  responseType: 'text/csv',
});
const WATCHED = defineRoute({
  ...about,
  method: 'GET',
  path: '/api/v1/folder',
  response: z.array(z.object({ id: z.string() })),
  conditional: true,
});

let server: Server;
let baseUrl = '';
let answer: (response: ServerResponse) => void = () => {};
let seen: Seen[] = [];
let token: string | null = null;
let refused: string[] = [];
let client: HttpClient;

const json =
  (status: number, body: unknown, type = 'application/json') =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
const problem = (status: number, code: string, more: object = {}) =>
  json(
    status,
    { type: `/problems/${code}`, title: `About ${code}`, status, code, ...more },
    'application/problem+json',
  );

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    answer(response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise(resolve => server.close(resolve)));
beforeEach(() => {
  seen = [];
  refused = [];
  token = null;
  client = createHttpClient({ baseUrl, getToken: () => token, onTokenRefused: old => refused.push(old) });
});

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('The call should have failed'),
    (error: unknown) => error,
  );

describe('a call', () => {
  it('[R7.01] sends JSON to the route and returns the typed answer', async () => {
    answer = json(200, { token: 'abc', expiresAt: '2026-11-21T20:00:00Z' });
    const signedIn = await client.call(signIn, { body: { userName: 'demo', password: 'x' } });
    expectTypeOf(signedIn).toEqualTypeOf<{ token: string; expiresAt: string }>();
    expect(signedIn.token).toBe('abc');
    expect(seen).toMatchObject([
      {
        line: 'POST /api/v1/signin',
        headers: { 'content-type': 'application/json' },
        body: '{"userName":"demo","password":"x"}',
      },
    ]);
    expect(seen[0]?.headers.authorization).toBeUndefined();
  });

  it('[R4.01] sends the session’s current bearer token', async () => {
    answer = json(200, {});
    await client.call(readMe);
    token = 'secret';
    await client.call(readMe);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer secret']);
  });

  it('fills in the path and the query, escaped', async () => {
    answer = json(200, []);
    await client.call(readVehicle, { params: { id: '7/../8' } });
    await client.call(listPositions, {
      query: { deviceId: '7', from: '2026-11-21T00:00:00+01:00', to: '2026-11-22T00:00:00Z' },
    });
    await client.call(listMessages, { params: { id: '7' } });
    await client.call(listMessages, { params: { id: '7' }, query: { limit: 5 } });
    expect(seen.map(({ line }) => line)).toEqual([
      'GET /api/v1/device/7%2F..%2F8',
      'GET /api/v1/position?deviceId=7&from=2026-11-21T00%3A00%3A00%2B01%3A00&to=2026-11-22T00%3A00%3A00Z',
      'GET /api/v1/device/7/message',
      'GET /api/v1/device/7/message?limit=5',
    ]);
  });

  it('sends CSV unchanged', async () => {
    answer = json(200, { dryRun: true, rows: 1, imported: 0, errors: [] });
    await client.call(importVehicles, { body: 'imei,deviceName\n', query: { dryRun: 'true' } });
    expect(seen).toMatchObject([{ headers: { 'content-type': 'text/csv' }, body: 'imei,deviceName\n' }]);
  });

  it('sends a form with files: texts first, null as an empty text, the boundary set by the browser', async () => {
    answer = json(201, {});
    const file = new File(['%PDF-1.7'], 'registration.pdf', { type: 'application/pdf' });
    await client.call(UPLOAD, { body: { file, title: 'Registration', notes: null } });
    expect(seen[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    const parts = seen[0]?.body.split('\r\n').filter(line => line !== '' && !line.startsWith('--'));
    expect(parts).toEqual([
      'Content-Disposition: form-data; name="title"',
      'Registration',
      'Content-Disposition: form-data; name="notes"',
      'Content-Disposition: form-data; name="file"; filename="registration.pdf"',
      'Content-Type: application/pdf',
      '%PDF-1.7',
    ]);
  });

  it.each([
    [`attachment; filename="audit-log.csv"`, 'audit-log.csv'],
    [`attachment; filename="log_.csv"; filename*=UTF-8''log%20M%C3%BCller.csv`, 'log Müller.csv'],
    ['attachment', undefined],
  ])('names a file as the server does: %s', async (disposition, name) => {
    answer = response =>
      response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': disposition }).end('a,b');
    const file = await client.call(DOWNLOAD);
    expect(file instanceof File ? file.name : undefined).toBe(name);
    expect(await file.text()).toBe('a,b');
  });

  it('returns a file unchanged, and refuses an HTML page in its place', async () => {
    answer = response => response.writeHead(200, { 'content-type': 'text/csv' }).end('imei,deviceName\n');
    expect(await (await client.call(DOWNLOAD)).text()).toBe('imei,deviceName\n');
    expect(seen[0]?.headers.accept).toBe('text/csv, application/problem+json');
    answer = response => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to Wi-Fi</h1>');
    expect(await failureOf(client.call(DOWNLOAD))).toMatchObject({ reason: 'foreign' });
    answer = problem(404, 'not-found');
    expect(await failureOf(client.call(DOWNLOAD))).toMatchObject({ code: 'not-found' });
  });

  it('[R4.09] sends the ETag, and returns null when nothing has changed', async () => {
    answer = response =>
      response.writeHead(200, { 'content-type': 'application/json', etag: '"7"' }).end('[{"id":"1"}]');
    const first = await client.callIfChanged(WATCHED, null);
    expect(first).toEqual({ answer: [{ id: '1' }], etag: '"7"' });
    expect(seen[0]?.headers['if-none-match']).toBeUndefined();
    answer = response => response.writeHead(304, { etag: '"7"' }).end();
    expect(await client.callIfChanged(WATCHED, first?.etag ?? null)).toBeNull();
    expect(seen[1]?.headers['if-none-match']).toBe('"7"');
    // Nobody sent an ETag.
    expect(await failureOf(client.callIfChanged(WATCHED, null))).toMatchObject({ reason: 'foreign', status: 304 });
  });

  it('accepts exactly the route’s input', () => {
    type Call = HttpClient['call'];
    const wrong = (call: Call) => [
      // @ts-expect-error a body is needed
      call(signIn),
      // @ts-expect-error an id is needed
      call(readVehicle, {}),
      // @ts-expect-error there is no body
      call(readMe, { body: {} }),
      // @ts-expect-error from and to are missing
      call(listPositions, { query: { deviceId: '7' } }),
    ];
    expect(wrong).toBeTypeOf('function');
  });
});

describe('a failure', () => {
  it('[R8.05] reaches the caller as a problem with code, message, params and field errors', async () => {
    const errors = [{ field: 'body.imei', code: 'custom', message: 'Please check this one.' }];
    answer = problem(409, 'name-taken', { params: { name: 'Truck 12' }, errors, instance: 'req-1' });
    const error = await failureOf(client.call(readMe));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      status: 409,
      code: 'name-taken',
      message: 'About name-taken',
      params: { name: 'Truck 12' },
      fieldErrors: errors,
      problem: { instance: 'req-1' },
    });
  });

  it('reports a refused token once, but not a sign-in without a token', async () => {
    answer = problem(401, 'session-ended');
    await failureOf(client.call(readMe));
    token = 'old';
    await failureOf(client.call(readMe));
    expect(refused).toEqual(['old']);
  });

  it('is a network error when nothing answers or the answer breaks off', async () => {
    answer = response => response.destroy();
    expect(await failureOf(client.call(readMe))).toMatchObject({ name: 'NetworkError', reason: 'unreachable' });
    answer = response => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 5);
    };
    expect(await failureOf(client.call(readMe))).toMatchObject({ reason: 'unreachable' });
  });

  it('is a network error when something else answers: a captive portal, a proxy whose server is down', async () => {
    answer = response => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to Wi-Fi</h1>');
    expect(await failureOf(client.call(readMe))).toMatchObject({ reason: 'foreign', status: 200 });
    answer = response => response.writeHead(502).end('Bad Gateway');
    const error = await failureOf(client.call(readMe));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ reason: 'foreign', status: 502 });
    answer = json(500, { error: 'Internal' });
    expect(await failureOf(client.call(readMe))).toMatchObject({ reason: 'foreign', status: 500 });
  });

  it("is the signal's own reason when the caller gave up", async () => {
    answer = () => {};
    const controller = new AbortController();
    const call = client.call(checkInternetStatus, {}, { signal: controller.signal });
    const reason = new Error('left the page');
    setTimeout(() => controller.abort(reason), 20);
    expect(await failureOf(call)).toBe(reason);
  });
});
