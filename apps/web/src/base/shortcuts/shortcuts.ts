import { create } from 'zustand';

/** One keyboard shortcut. The help dialog lists the registered ones, so it never lists a key that doesn't work. */
export interface Shortcut {
  /**
   * Keys as `KeyboardEvent.key` names them. Several keys are a chord, pressed one after the other. `mod+k` is `k` with
   * Ctrl or ⌘; it also works in fields and when single-key shortcuts are off. `mod+shift+z` has Shift, too.
   */
  readonly keys: readonly string[];
  readonly label: string;
  /** Heading in the help dialog: the page's name or "Everywhere". */
  readonly group: string;
  readonly run: () => void;
}

const ENABLED_KEY = 'shortcuts';
/** Longest pause between the keys of a chord. */
const CHORD_MS = 1200;

export const useShortcutRegistry = create<{ readonly shortcuts: readonly Shortcut[]; readonly enabled: boolean }>(
  () => ({
    shortcuts: [],
    enabled: localStorage.getItem(ENABLED_KEY) !== '0',
  }),
);

/** Turns single-key shortcuts on or off (WCAG 2.2, 2.1.4). The setting is stored on this device. */
export function setShortcutsEnabled(enabled: boolean): void {
  if (enabled) localStorage.removeItem(ENABLED_KEY);
  else localStorage.setItem(ENABLED_KEY, '0');
  useShortcutRegistry.setState({ enabled });
}

/** Registers shortcuts. Returns a function that removes them. */
export function addShortcuts(added: readonly Shortcut[]): () => void {
  useShortcutRegistry.setState(({ shortcuts }) => ({ shortcuts: [...shortcuts, ...added] }));
  return () =>
    useShortcutRegistry.setState(({ shortcuts }) => ({ shortcuts: shortcuts.filter(one => !added.includes(one)) }));
}

/** Elements that need their keys. A checkbox only uses the space bar, which isn't a shortcut. */
const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"] *';

/** The pressed key as shortcuts name it. */
const nameOf = ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string =>
  ctrlKey || metaKey ? `mod+${shiftKey ? 'shift+' : ''}${key.toLowerCase()}` : key;

/** What a field undoes and does again itself, with Ctrl or ⌘. */
const OF_FIELDS = /^[yz]$/i;

/** Whether the key belongs to the focused field, an open menu or a dialog. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.altKey || event.defaultPrevented) return true;
  // An open popover closes on Esc, provided that no shortcut handles the key.
  if (document.querySelector('dialog[open], [popover="auto"]:popover-open')) return true;
  if ((event.ctrlKey || event.metaKey) && !OF_FIELDS.test(event.key)) return false;
  const target = event.target;
  return target instanceof HTMLElement && target.matches(FIELDS);
}

/**
 * Creates a `keydown` handler that runs shortcuts, including chords. If the same keys are registered twice, the newest
 * wins.
 */
export function createKeyReader(now: () => number = () => performance.now()): (event: KeyboardEvent) => void {
  let pressed: string[] = [];
  let at = 0;
  return event => {
    const { shortcuts, enabled } = useShortcutRegistry.getState();
    const name = nameOf(event);
    if (isTaken(event) || !(enabled || name.startsWith('mod+'))) return;
    if (now() - at > CHORD_MS) pressed = [];
    at = now();
    pressed.push(name);
    const startsChord = shortcuts.some(
      ({ keys }) => keys.length > pressed.length && pressed.every((key, index) => keys[index] === key),
    );
    const match = shortcuts.findLast(
      ({ keys }) => keys.length === pressed.length && pressed.every((key, index) => keys[index] === key),
    );
    if (match) {
      event.preventDefault();
      match.run();
    }
    if (match || !startsChord) pressed = [];
  };
}
