import { expect, it } from 'vitest';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

it('keeps passwords as Argon2id in a PHC string, with a salt of their own', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect(await verifyPassword(one, 'correct horse')).toBe(true);
  expect(await verifyPassword(one, 'correct horsf')).toBe(false);
  expect(await verifyPassword(one, '')).toBe(false);
});

it('reads hashes of another cost, and says that they are outdated', async () => {
  // The reference implementation's own vector: argon2 somesalt -id -t 2 -m 16, password "password".
  const other = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword(other, 'password')).toBe(true);
  expect(await verifyPassword(other, 'Password')).toBe(false);
  expect(isOutdated(other)).toBe(true);
  expect(isOutdated(await hashPassword('x'))).toBe(false);
});

it('refuses everything where there is no hash, or none that it knows', async () => {
  expect(await verifyPassword(null, 'password')).toBe(false);
  expect(await verifyPassword('$2b$10$abcdefghijklmnopqrstuv', 'password')).toBe(false);
  expect(await verifyPassword('', '')).toBe(false);
});

it('works as long for nobody as for somebody', async () => {
  const hash = await hashPassword('correct horse');
  const time = async (phc: string | null) => {
    const start = performance.now();
    for (let i = 0; i < 8; i++) await verifyPassword(phc, 'wrong');
    return performance.now() - start;
  };
  await time(hash);
  const [somebody, nobody] = [await time(hash), await time(null)];
  expect(nobody / somebody).toBeGreaterThan(0.5);
});
