import { beforeAll, expect, it, vi } from 'vitest';

type Install = typeof import('./install.ts');
let install: Install;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  vi.resetModules();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  install = await import('./install.ts');
});

const storage = () => {
  const map = new Map<string, string>();
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
  } as Storage;
};

it('[R2.23] the tip is due at first, again 30 days after "Remind me", and never after "Got it"', () => {
  const kept = storage();
  expect(install.isTipDue(0, kept)).toBe(true);
  install.putTipOff('later', 0, kept);
  expect(install.isTipDue(30 * DAY_MS - 1, kept)).toBe(false);
  expect(install.isTipDue(30 * DAY_MS, kept)).toBe(true);
  install.putTipOff('never', 30 * DAY_MS, kept);
  expect(install.isTipDue(9000 * DAY_MS, kept)).toBe(false);
});

it.each([
  ['iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, true],
  ['iPad that says it is a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, true],
  ['Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, false],
  ['Android', 'Mozilla/5.0 (Linux; Android 16)', 5, false],
  ['Windows with a touch screen', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 10, false],
])('[R2.23] %s', (_, userAgent, maxTouchPoints, expected) => {
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints });
  expect(install.isIos()).toBe(expected);
});
