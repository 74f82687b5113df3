import { createHmac, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newSecret, signatureOf } from './signature.ts';

/** As docs/webhooks.md tells receivers to check it. */
function isGenuine(header: string, body: string, secret: string, nowS: number): boolean {
  const { t: time = '', v1 = '' } = Object.fromEntries(header.split(',').map(part => part.split('=')));
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
  const given = Buffer.from(v1, 'hex');
  const isFresh = Math.abs(nowS - Number(time)) <= 300;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}

it('signs as RFC 4231 and the documented form say', () => {
  // echo -n '1764100000.{"id":"1"}' | openssl dgst -sha256 -hmac whsec_test
  expect(signatureOf('whsec_test', 1764100000, '{"id":"1"}')).toBe(
    't=1764100000,v1=5c92607489637e8bdbc6a6358583fae9cac56e59a6cdafea43b45b9c8b5688fb',
  );
});

it('is accepted by a receiver for what was signed, and for nothing else', () => {
  const times = fc.integer({ min: 1, max: 4_000_000_000 });
  fc.assert(
    fc.property(
      times,
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.integer({ min: -300, max: 300 }),
      (time, body, other, later) => {
        const secret = newSecret();
        const header = signatureOf(secret, time, body);
        expect(isGenuine(header, body, secret, time + later)).toBe(true);
        expect(isGenuine(header, `${body}${other || ' '}`, secret, time)).toBe(false);
        expect(isGenuine(header, body, newSecret(), time)).toBe(false);
        expect(isGenuine(header.replace(`t=${time}`, `t=${time + 1}`), body, secret, time)).toBe(false);
        expect(isGenuine(header, body, secret, time + 301)).toBe(false);
      },
    ),
  );
});

it('makes secrets that nobody guesses', () => {
  const secrets = new Set(Array.from({ length: 100 }, newSecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[\w-]{43}$/);
});
