import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../base/shortcuts/use-shortcuts.ts';

interface Options {
  readonly label: string;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Row IDs in the order of the list. */
  readonly ids: readonly string[];
  readonly open: string | null;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: ((selected: ReadonlySet<string>) => void) | undefined;
  readonly scrollTo: (index: number) => void;
}

const focusedId = () => document.activeElement?.closest<HTMLElement>('tr[data-id]')?.dataset.id ?? null;

/**
 * Keyboard control of rows: `j`, `k` and arrows move, `x` and Shift with an arrow select. Shift with a click selects a
 * range.
 */
export function useRowKeys({ label, scroller, ids, open, selected, onSelect, scrollTo }: Options) {
  const { t } = useTranslation('registry');
  const lastPicked = useRef<string | null>(null);

  function move(step: number): void {
    const at = ids.indexOf(focusedId() ?? open ?? '');
    const index = at < 0 ? 0 : Math.max(0, Math.min(ids.length - 1, at + step));
    const id = ids[index];
    if (id === undefined) return;
    scrollTo(index);
    const focus = () =>
      scroller.current?.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"] [data-open]`)?.focus();
    focus();
    // The row is out of view and is rendered only once the list has scrolled to it.
    if (focusedId() !== id) requestAnimationFrame(focus);
  }

  /** Selects or deselects a row. With `range`, also all rows between it and the one picked last. */
  function pick(id: string, on: boolean, range: boolean): void {
    const next = new Set(selected);
    const [from, to] = [ids.indexOf(lastPicked.current ?? ''), ids.indexOf(id)];
    const picked = range && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    for (const one of picked) {
      if (on) next.add(one);
      else next.delete(one);
    }
    lastPicked.current = id;
    onSelect?.(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const id = focusedId();
    if (step === undefined || id === null || !(event.target as HTMLElement).matches('[data-open], [data-pick]')) return;
    event.preventDefault();
    const next = ids[ids.indexOf(id) + step];
    if (event.shiftKey && onSelect && next !== undefined) onSelect(new Set([...selected, id, next]));
    move(step);
  }

  function toggleFocused(): void {
    const id = focusedId();
    if (id !== null) pick(id, !selected.has(id), false);
  }

  useShortcuts([
    { keys: ['j'], label: t('keys.next'), group: label, run: () => move(1) },
    { keys: ['k'], label: t('keys.previous'), group: label, run: () => move(-1) },
    ...(onSelect ? [{ keys: ['x'], label: t('keys.select'), group: label, run: toggleFocused }] : []),
  ]);

  return { pick, onKeyDown };
}
