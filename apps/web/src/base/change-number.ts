import { onSessionEnd } from './session/session.ts';

/**
 * The number of the last change that this page knows. Until it receives changes it is the lowest that an answer of the
 * server had: whatever the page has read is at least as new, and what came after it is asked for.
 */
let number: number | null = null;
let isTold = false;

export const changeNumber = (): number | null => number;

export function noteRead(read: number): void {
  if (!isTold) number = Math.min(number ?? read, read);
}

/** From here on the page receives every change. */
export function noteTold(told: number): void {
  number = told;
  isTold = true;
}

onSessionEnd(() => {
  number = null;
  isTold = false;
});
