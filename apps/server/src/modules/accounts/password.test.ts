import { createHook } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { comparedWith, hashPassword, isOutdated, verifyPassword } from './password.ts';

it('keeps passwords as Argon2id in a PHC string, with a salt of their own', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await verifyPassword(one, 'correct horse')).toBe(true);
  expect(await verifyPassword(one, 'correct horsf')).toBe(false);
  expect(await verifyPassword(one, '')).toBe(false);
});

it('reads hashes of another cost, and says that they are outdated', async () => {
  // Test vector of the reference implementation: argon2 somesalt -id -t 2 -m 16, password "password".
  const other = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword(other, 'password')).toBe(true);
  expect(await verifyPassword(other, 'Password')).toBe(false);
  expect(isOutdated(other)).toBe(true);
  expect(isOutdated(await hashPassword('x'))).toBe(false);
});

it('refuses every password if the hash is missing or unknown', async () => {
  expect(await verifyPassword(null, 'password')).toBe(false);
  expect(await verifyPassword('$2b$10$abcdefghijklmnopqrstuv', 'password')).toBe(false);
  expect(await verifyPassword('', '')).toBe(false);
});

it('does the same work for an unknown user as for a known one, so that the time tells nothing', async () => {
  const hash = await hashPassword('correct horse');
  const workFor = async (phc: string | null) => {
    let derived = 0;
    const hook = createHook({ init: (_id, type) => void (type === 'ARGON2REQUEST' && derived++) }).enable();
    await verifyPassword(phc, 'wrong');
    hook.disable();
    const { parameters, tag } = comparedWith(phc);
    return { ...parameters, nonce: Buffer.byteLength(parameters.nonce), tag: tag.length, derived };
  };
  const known = await workFor(hash);
  expect(known).toMatchObject({ memory: 19_456, passes: 2, derived: 1 });
  expect(await workFor(null)).toEqual(known);
  expect(await workFor('no hash at all')).toEqual(known);
});
