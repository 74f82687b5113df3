import { beforeEach, expect, it, vi } from 'vitest';

let numbers: typeof import('./change-number.ts');
beforeEach(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', new EventTarget());
  vi.resetModules();
  numbers = await import('./change-number.ts');
});

it('is the lowest of all answers until the page follows changes: what it has read is no older', () => {
  expect(numbers.changeNumber()).toBeNull();
  for (const read of [17, 15, 19]) numbers.noteRead(read);
  expect(numbers.changeNumber()).toBe(15);
});

it('then follows the change events; other answers no longer count', () => {
  numbers.noteRead(15);
  numbers.noteTold(20);
  numbers.noteRead(12);
  numbers.noteRead(30);
  expect(numbers.changeNumber()).toBe(20);
});
