import type { Ink } from './images/ink.ts';

/** The current colors of the page's theme. */
export function themeInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  return token => style.getPropertyValue(token).trim();
}
