import { beforeEach, expect, it, vi } from 'vitest';

let numbers: typeof import('./change-number.ts');
beforeEach(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', new EventTarget());
  vi.resetModules();
  numbers = await import('./change-number.ts');
});

it('is the lowest that an answer had until the page is told of changes: what it has read is no older', () => {
  expect(numbers.changeNumber()).toBeNull();
  for (const read of [17, 15, 19]) numbers.noteRead(read);
  expect(numbers.changeNumber()).toBe(15);
});

it('follows what is told from then on; what is read beside it says nothing of the rest', () => {
  numbers.noteRead(15);
  numbers.noteTold(20);
  numbers.noteRead(12);
  numbers.noteRead(30);
  expect(numbers.changeNumber()).toBe(20);
});
