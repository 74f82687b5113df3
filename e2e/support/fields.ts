import type { Locator } from 'playwright-core';

/** The text that a screen reader adds to a field. Runs in the page. */
export function describedText(input: Element): string {
  const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map(id => document.getElementById(id)?.textContent ?? '').join(' ');
}

export const isFocused = (field: Locator): Promise<boolean> =>
  field.evaluate(element => element === document.activeElement);
