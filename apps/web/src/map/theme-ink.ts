import type { Ink } from './images/ink.ts';

/** Colours of the page's theme as they are at this moment. */
export function themeInk(): Ink {
  const style = getComputedStyle(document.documentElement);
  return token => style.getPropertyValue(token).trim();
}
