import { onSessionEnd } from './session/session.ts';

/**
 * The number of the last change that this page knows. Before the page receives changes, it is the lowest number in any
 * response so far: everything the page has read is at least that new, and the page requests all later changes.
 */
let number: number | null = null;
let isTold = false;

export const changeNumber = (): number | null => number;

export function noteRead(read: number): void {
  if (!isTold) number = Math.min(number ?? read, read);
}

/** From now on the page receives every change. */
export function noteTold(told: number): void {
  number = told;
  isTold = true;
}

onSessionEnd(() => {
  number = null;
  isTold = false;
});
