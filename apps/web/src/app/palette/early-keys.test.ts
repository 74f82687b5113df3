import { expect, it } from 'vitest';
import { typedInto } from './early-keys.ts';

const key = (name: string, more: Partial<KeyboardEvent> = {}) =>
  ({ key: name, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, ...more }) as KeyboardEvent;

it('[R4.17] keeps what is typed before the search is there', () => {
  let text = '';
  for (const name of ['x', 'é', 'Backspace', '9', ' ', 'ArrowDown', 'Enter']) {
    const typed = typedInto(text, key(name));
    if (typed === null || typed === 'close') throw new Error(name);
    text = typed.text;
  }
  expect(text).toBe('x9 ');
});

it('closes on Esc, and leaves the browser its keys', () => {
  expect(typedInto('x', key('Escape'))).toBe('close');
  for (const other of [key('Tab'), key('F5'), key('r', { ctrlKey: true }), key('a', { metaKey: true })]) {
    expect(typedInto('x', other)).toBeNull();
  }
});
