import { create } from 'zustand';

/** One keyboard shortcut. The help dialog lists the registered ones, so every listed key works. */
export interface Shortcut {
  /**
   * Keys as `KeyboardEvent.key` gives them; more than one is a chord, pressed one after the other. `mod+k` is `k` with
   * Ctrl or ⌘: it works inside fields and stays when single keys are turned off.
   */
  readonly keys: readonly string[];
  readonly label: string;
  /** Heading in the help dialog: the page, or "Everywhere". */
  readonly group: string;
  readonly run: () => void;
}

const ENABLED_KEY = 'shortcuts';
/** Longest pause inside a chord. */
const CHORD_MS = 1200;

export const useShortcutRegistry = create<{ readonly shortcuts: readonly Shortcut[]; readonly enabled: boolean }>(
  () => ({
    shortcuts: [],
    enabled: localStorage.getItem(ENABLED_KEY) !== '0',
  }),
);

/** Single-key shortcuts can be turned off (WCAG 2.2, 2.1.4); the choice belongs to the device. */
export function setShortcutsEnabled(enabled: boolean): void {
  if (enabled) localStorage.removeItem(ENABLED_KEY);
  else localStorage.setItem(ENABLED_KEY, '0');
  useShortcutRegistry.setState({ enabled });
}

/** Registers shortcuts; call what it returns to take them away. */
export function addShortcuts(added: readonly Shortcut[]): () => void {
  useShortcutRegistry.setState(({ shortcuts }) => ({ shortcuts: [...shortcuts, ...added] }));
  return () =>
    useShortcutRegistry.setState(({ shortcuts }) => ({ shortcuts: shortcuts.filter(one => !added.includes(one)) }));
}

/** A checkbox takes only the space bar, which is no shortcut. */
const FIELDS = 'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"] *';

/** The name that shortcuts are registered under. */
const nameOf = ({ key, ctrlKey, metaKey }: KeyboardEvent): string =>
  ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key;

/** Keys that belong to what has the focus: fields, open menus and dialogs. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.altKey || event.defaultPrevented) return true;
  // An open popover closes on Esc by itself, as long as nobody takes the key away from it.
  if (document.querySelector('dialog[open], [popover="auto"]:popover-open')) return true;
  if (event.ctrlKey || event.metaKey) return false;
  const target = event.target;
  return target instanceof HTMLElement && target.matches(FIELDS);
}

/** Reads keys, chords included; returns a function for `keydown`. The newest registration of the same keys wins. */
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
