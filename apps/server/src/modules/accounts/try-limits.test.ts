import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IN_MEMORY } from '../../db/counters.ts';
import { createAddressLimits, createTryLimits, type TryLimits } from './try-limits.ts';

let limits: TryLimits;
beforeEach(() => {
  vi.useFakeTimers();
  limits = createTryLimits(IN_MEMORY, 'test');
});
afterEach(() => {
  vi.useRealTimers();
});

/** Tries until refused. Returns the number of allowed tries, and the error's message. */
async function tryAll(name: string, address: string): Promise<[number, string]> {
  for (let tries = 0; ; tries++) {
    const refusal = await limits.count(name, address).then(
      () => null,
      (error: Error) => error.message,
    );
    if (refusal !== null) return [tries, refusal];
  }
}

it('lets five tries through, then waits longer each time', async () => {
  expect(await tryAll('ann', '203.0.113.1')).toEqual([5, 'Too many attempts. Try again in 1 minute.']);
  vi.advanceTimersByTime(61_000);
  expect(await tryAll('ann', '203.0.113.1')).toEqual([5, 'Too many attempts. Try again in 2 minutes.']);
  vi.advanceTimersByTime(121_000);
  expect(await tryAll('ann', '203.0.113.1')).toEqual([5, 'Too many attempts. Try again in 4 minutes.']);
  for (let i = 0; i < 6; i++) {
    vi.advanceTimersByTime(3_601_000);
    await tryAll('ann', '203.0.113.1');
  }
  vi.advanceTimersByTime(3_601_000);
  expect(await tryAll('ann', '203.0.113.1')).toEqual([5, 'Too many attempts. Try again in 1 hour.']);
});

it('starts again after a quarter of an hour without trouble, and after a right password', async () => {
  for (let i = 0; i < 4; i++) await limits.count('ann', '203.0.113.1');
  vi.advanceTimersByTime(15 * 60_000 + 1);
  for (let i = 0; i < 4; i++) await limits.count('ann', '203.0.113.1');
  await limits.forgive('Ann', '203.0.113.1');
  expect(await tryAll('ann', '203.0.113.1')).toEqual([5, 'Too many attempts. Try again in 1 minute.']);
});

it('counts a name whatever its capitals, and many tries at once no better than one after another', async () => {
  const names = ['ann', 'Ann', 'ANN', 'aNn'];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) => limits.count(names[i % 4] ?? '', '203.0.113.1')),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

it('does not let one name’s tries stop another person at the same address', async () => {
  await tryAll('ann', '203.0.113.1');
  await expect(limits.count('bob', '203.0.113.1')).resolves.toBeUndefined();
});

it('stops an address that goes through names', async () => {
  let tries = 0;
  const refused = async () => {
    try {
      await limits.count(`person-${tries++}`, '203.0.113.1');
      return false;
    } catch {
      return true;
    }
  };
  while (!(await refused()));
  expect(tries - 1).toBe(50);
  await expect(limits.count('ann', '203.0.113.2')).resolves.toBeUndefined();
});

it('counts tries of a stand-alone secret per address only', async () => {
  const links = createAddressLimits(IN_MEMORY, 'test', 20);
  const tries = async (from: string) => {
    for (let count = 0; ; count++) {
      const isRefused = await links.count(from).then(
        () => false,
        () => true,
      );
      if (isRefused) return count;
    }
  };
  // Guesses from many addresses don't block the others.
  for (let i = 0; i < 30; i++) expect(await tries(`203.0.113.${i}`)).toBe(20);
  expect(await tries('2001:db8:0:1::1')).toBe(20);
  expect(await tries('2001:db8:0:1::2')).toBe(0);
  for (let i = 0; i < 100; i++) {
    await links.count('198.51.100.1');
    await links.forgive('198.51.100.1');
  }
  expect(await tries('198.51.100.1')).toBe(20);
});

it('does not stop an office in which everybody signs in', async () => {
  for (let i = 0; i < 200; i++) {
    await limits.count(`person-${i}`, '203.0.113.1');
    await limits.forgive(`person-${i}`, '203.0.113.1');
  }
  for (let i = 0; i < 200; i++) {
    await limits.count('ann', `198.51.100.${i}`);
    await limits.forgive('ann', `198.51.100.${i}`);
  }
});

it('gives nothing back to anyone who signs in themselves between two guesses', async () => {
  let guesses = 0;
  const guessed = async () => {
    await limits.count('mallory', '203.0.113.1');
    await limits.forgive('mallory', '203.0.113.1');
    await limits.count(`victim-${guesses++}`, '203.0.113.1');
  };
  await expect(
    (async () => {
      while (guesses < 100) await guessed();
    })(),
  ).rejects.toMatchObject({ code: 'too-many-tries' });
  expect(guesses).toBeLessThanOrEqual(50);
});

it('stops guesses at one name from many addresses, but not from where its owner signed in before', async () => {
  await limits.count('ann', '198.51.100.7');
  await limits.forgive('ann', '198.51.100.7');
  let refusedAt = 0;
  for (let i = 0; i < 200 && refusedAt === 0; i++) {
    await limits.count('ann', `203.0.113.${i}`).catch(() => {
      refusedAt = i;
    });
  }
  expect(refusedAt).toBeGreaterThanOrEqual(99);
  expect(refusedAt).toBeLessThanOrEqual(100);
  await expect(limits.count('ann', '198.51.100.7')).resolves.toBeUndefined();
});

it('counts an IPv6 site as one address', async () => {
  for (let i = 0; i < 5; i++) await limits.count('ann', `2001:db8:1:2::${i + 1}`);
  await expect(limits.count('ann', '2001:db8:1:2::ffff')).rejects.toMatchObject({ code: 'too-many-tries' });
});
