import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { type Caller, callerOf } from '../../../testing/organisation.ts';

/** User input is stored as text and returned as JSON; nothing treats it as HTML, SQL or a path. */

let server: TestHttpServer;
let owner: SignedIn;
let call: Caller;
let serial = 950_000;
beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
  call = callerOf(server, owner);
});
afterAll(() => server.close());

const TEXTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; drop table vehicle; --",
  '{{constructor.constructor("alert(1)")()}}',
  '#{7*7}<%= 7*7 %>',
  '../../etc/passwd',
  '__proto__',
  '\u202eright to left',
];

/** Every route that stores text, with each of its text fields. */
const WRITES: readonly (readonly [path: string, fields: readonly string[], more: () => object])[] = [
  ['/folder', ['name'], () => ({})],
  ['/department', ['name'], () => ({})],
  ['/driver', ['name', 'licenceNumber', 'licenceRegion', 'notes'], () => ({ name: 'Ann' })],
  [
    '/device',
    ['deviceName', 'make', 'model', 'notes', 'trackerModel', 'simNumber'],
    () => ({ imei: testImei(++serial), deviceName: `Truck ${serial}` }),
  ],
];

describe.each(WRITES)('POST %s', (path, fields, more) => {
  it.each(fields)('stores any text in %s unchanged', async field => {
    for (const text of TEXTS) {
      const value = text.slice(0, /licence|sim/.test(field) ? 20 : 40);
      const { status, body, headers } = await call('POST', path, { ...more(), [field]: value });
      expect([text, status]).toEqual([text, 201]);
      expect((body as Record<string, unknown>)[field]).toBe(value);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect((await call('GET', path)).status).toBe(200);
  });

  it.each(fields)('refuses invalid characters and values that are not text in %s', async field => {
    for (const value of ['a\u0000b', 'a\u001bb', ['a'], { a: 1 }, 7, 'x'.repeat(100_000)]) {
      const { status, body } = await call('POST', path, { ...more(), [field]: value });
      expect([value.toString().slice(0, 20), status]).toEqual([value.toString().slice(0, 20), 400]);
      expect((body as { errors: { field: string }[] }).errors[0]?.field).toBe(field);
    }
  });

  it('refuses a body that is too large before it is read', async () => {
    const answer = await call('POST', path, { ...more(), padding: 'x'.repeat(300_000) });
    expect([answer.status, answer.body]).toMatchObject([413, { code: 'payload-too-large' }]);
  });

  it('ignores fields that only the server may set', async () => {
    const stranger = await signedIn(server);
    const name = fields[0] ?? '';
    const forged = {
      id: '1',
      account_id: stranger.accountId,
      accountId: stranger.accountId,
      createdAt: '1999-01-01T00:00:00Z',
    };
    const { status, body } = await call('POST', path, { ...more(), [name]: `Forged ${path.slice(1)}`, ...forged });
    expect(status).toBe(201);
    const { id, createdAt } = body as { id: string; createdAt?: string };
    expect(createdAt ?? '2').not.toMatch(/^1999/);
    expect((await callerOf(server, stranger)('GET', path)).body).toEqual([]);
    expect(((await call('GET', path)).body as { id: string }[]).map(each => each.id)).toContain(id);
  });
});
