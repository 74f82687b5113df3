import axe from 'axe-core';
import { expect } from 'vitest';
import { setAppearance } from '../src/base/appearance.ts';

/** Checks the page against WCAG 2.2 A and AA, and axe's best practices, as the browser tests do. */
export async function expectAccessible(): Promise<void> {
  // A field that changes meanwhile has two colors at once; a real problem stays. One look takes seconds on a busy machine.
  await expect.poll(violations, { timeout: 15_000, interval: 250 }).toEqual([]);
}

/** In light, then in dark. */
export async function expectAccessibleInBoth(): Promise<void> {
  await expectAccessible();
  setAppearance('dark');
  await expectAccessible();
  setAppearance('light');
}

async function violations(): Promise<string[]> {
  const ending = document
    .getAnimations()
    .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const found = await axe.run(document, { rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
