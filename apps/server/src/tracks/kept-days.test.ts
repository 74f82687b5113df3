import { expect, it } from 'vitest';
import { KeptDays } from './kept-days.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

it('a day that can’t be packed is tried after 5, 10, 20 … minutes, and once a day in the end', () => {
  const days = new KeptDays();
  const pauses: number[] = [];
  let now = 0;
  for (let tries = 0; tries < 12; tries++) {
    expect(days.isDue(7, '2026-11-20', now)).toBe(true);
    days.kept(7, '2026-11-20', now);
    const from = now;
    while (!days.isDue(7, '2026-11-20', now)) now += MINUTE;
    pauses.push((now - from) / MINUTE);
  }
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440, 1440]);
});

it('other days and vehicles do not wait, and what was packed begins anew', () => {
  const days = new KeptDays();
  days.kept(7, '2026-11-20', 0);
  expect([days.isDue(7, '2026-11-21', 1), days.isDue(8, '2026-11-20', 1)]).toEqual([true, true]);
  days.sealed(7, '2026-11-20');
  expect(days.isDue(7, '2026-11-20', 1)).toBe(true);
  days.kept(7, '2026-11-20', 1);
  expect(days.isDue(7, '2026-11-20', 1 + 5 * MINUTE)).toBe(true);
});

it('remembers no more than it may', () => {
  const days = new KeptDays();
  for (let vehicle = 0; vehicle < 10_001; vehicle++) days.kept(vehicle, '2026-11-20', 0);
  expect([days.isDue(0, '2026-11-20', 1), days.isDue(1, '2026-11-20', 1), days.isDue(1, '2026-11-20', DAY)]).toEqual([
    true,
    false,
    true,
  ]);
});
