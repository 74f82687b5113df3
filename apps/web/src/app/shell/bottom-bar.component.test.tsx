import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { open, someone } from '../../../testing/app.tsx';

it.for([
  ['en-US', 'Dashboard'],
  ['es', 'Panel'],
  ['fr', 'Tableau de bord'],
] as const)('the phone’s bar has each of its names on one line and on the screen, in %s', async ([language, first]) => {
  await page.viewport(360, 800);
  const me = someone();
  await open('/no/such/page', [], { me: { ...me, preferences: { ...me.preferences, language } } });
  const link = page.getByRole('link', { name: first, exact: true });
  await expect.element(link).toBeVisible();
  const names = [...(link.element().parentElement?.querySelectorAll(':scope > * > span') ?? [])].map(name =>
    name.getBoundingClientRect(),
  );
  expect(names).toHaveLength(5);
  expect(new Set(names.map(({ height }) => Math.round(height))).size).toBe(1);
  expect(Math.min(...names.map(({ left }) => left))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...names.map(({ right }) => right))).toBeLessThanOrEqual(360);
});
