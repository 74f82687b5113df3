import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

type Module = typeof import('./shortcuts.ts');
let shortcuts: Module;
let stored: Map<string, string>;
let remove: () => void;
const pressed: string[] = [];

class Element {
  readonly #kind: string;
  constructor(kind: string) {
    this.#kind = kind;
  }
  matches(selector: string): boolean {
    return selector.split(', ').some(part => part === this.#kind || part.startsWith(`${this.#kind}:`));
  }
}
let dialogOpen = false;

beforeAll(async () => {
  vi.resetModules();
  stored = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('HTMLElement', Element);
  vi.stubGlobal('document', { querySelector: () => (dialogOpen ? {} : null) });
  shortcuts = await import('./shortcuts.ts');
});

const one = (name: string, ...keys: string[]) => ({ keys, label: name, group: 'Here', run: () => pressed.push(name) });

beforeEach(() => {
  pressed.length = 0;
  dialogOpen = false;
  shortcuts.setShortcutsEnabled(true);
  remove = shortcuts.addShortcuts([one('next', 'j'), one('dashboard', 'g', 'd'), one('fleet', 'g', 'f')]);
});
afterEach(() => remove());

let clock = 0;
const press = (read: (event: KeyboardEvent) => void, keys: string, more: object = {}) => {
  for (const key of keys) read({ key, target: null, preventDefault: () => {}, ...more } as unknown as KeyboardEvent);
};

describe('single-key shortcuts', () => {
  it('run on a key, and on a chord pressed in time', () => {
    const read = shortcuts.createKeyReader(() => clock);
    press(read, 'jgdgf');
    expect(pressed).toEqual(['next', 'dashboard', 'fleet']);
    press(read, 'g');
    clock += 1201;
    press(read, 'd');
    expect(pressed).toHaveLength(3);
    press(read, 'xgxj');
    expect(pressed.at(-1)).toBe('next');
  });

  it.each([
    ['a field', { target: new Element('input') }],
    ['a menu', { target: new Element('[role="menu"] *') }],
    ['Ctrl', { ctrlKey: true }],
    ['⌘', { metaKey: true }],
    ['Alt', { altKey: true }],
    ['something that took it already', { defaultPrevented: true }],
  ])('leave the key to %s', (_, more) => {
    press(shortcuts.createKeyReader(), 'j', more);
    expect(pressed).toEqual([]);
  });

  it('rest while a dialog is open', () => {
    dialogOpen = true;
    press(shortcuts.createKeyReader(), 'j');
    expect(pressed).toEqual([]);
  });

  it('can be turned off, and that is remembered (WCAG 2.2, 2.1.4)', () => {
    shortcuts.setShortcutsEnabled(false);
    press(shortcuts.createKeyReader(), 'j');
    expect(pressed).toEqual([]);
    expect(stored.get('shortcuts')).toBe('0');
    shortcuts.setShortcutsEnabled(true);
    expect(stored.size).toBe(0);
  });

  it('with Ctrl or ⌘ they work inside fields, and stay when single keys are off', () => {
    const leave = shortcuts.addShortcuts([one('search', 'mod+k')]);
    shortcuts.setShortcutsEnabled(false);
    const read = shortcuts.createKeyReader();
    press(read, 'k');
    press(read, 'k', { ctrlKey: true, target: new Element('input') });
    press(read, 'K', { metaKey: true });
    dialogOpen = true;
    press(read, 'k', { ctrlKey: true });
    leave();
    expect(pressed).toEqual(['search', 'search']);
  });

  it('undo and redo with Ctrl or ⌘ and Shift, except in a field, which does so itself', () => {
    const leave = shortcuts.addShortcuts([one('undo', 'mod+z'), one('redo', 'mod+shift+z')]);
    const read = shortcuts.createKeyReader();
    press(read, 'z', { ctrlKey: true, target: new Element('input') });
    press(read, 'z', { ctrlKey: true });
    press(read, 'Z', { metaKey: true, shiftKey: true });
    leave();
    expect(pressed).toEqual(['undo', 'redo']);
  });

  it('the newest registration of a key wins until it goes', () => {
    const read = shortcuts.createKeyReader();
    const leave = shortcuts.addShortcuts([one('other', 'j')]);
    press(read, 'j');
    leave();
    press(read, 'j');
    expect(pressed).toEqual(['other', 'next']);
  });
});
