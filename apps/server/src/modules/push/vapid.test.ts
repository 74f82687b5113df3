import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { contactOf, ensurePushKey, type PushKey, vapidHeader } from './vapid.ts';

let database: TestDatabase;
let key: PushKey;
beforeAll(async () => {
  database = await testDatabase();
  // Two servers that start at once.
  const [first, second] = await Promise.all([0, 1].map(() => ensurePushKey(database.databases.system)));
  if (!first || !second) throw new Error('Both were asked for.');
  expect(second).toEqual(first);
  key = first;
});
afterAll(() => database.close());

const parsed = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

it('keeps the key that was made at the first start', async () => {
  expect(await ensurePushKey(database.databases.system)).toEqual(key);
  expect([key.publicKey.length, key.privateKey.length]).toEqual([65, 32]);
});

it('signs a token for the origin of the push service, as RFC 8292 says', () => {
  const nowS = 1_764_100_000;
  const header = vapidHeader(key, 'https://push.example.com/send/abc?d=1', 'https://fleet.example.com', nowS);
  const [, head = '', claims = '', signature = '', publicKey = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(parsed(head)).toEqual({ typ: 'JWT', alg: 'ES256' });
  expect(parsed(claims)).toEqual({
    aud: 'https://push.example.com',
    exp: nowS + 43_200,
    sub: 'https://fleet.example.com',
  });
  const point = Buffer.from(publicKey, 'base64url');
  expect(point).toEqual(key.publicKey);
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  const proof = { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' } as const;
  const isGenuine = (text: string) => verify('sha256', Buffer.from(text), proof, Buffer.from(signature, 'base64url'));
  expect([isGenuine(`${head}.${claims}`), isGenuine(`${head}.${claims}x`)]).toEqual([true, false]);
});

it('names whom to write to', () => {
  expect(contactOf('https://fleet.example.com')).toBe('https://fleet.example.com');
  expect(contactOf('http://fleet.lan:8080')).toBe('mailto:milepost@fleet.lan');
});
