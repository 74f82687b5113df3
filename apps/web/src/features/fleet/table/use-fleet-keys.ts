import { type KeyboardEvent, type MouseEvent, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useShortcuts } from '../../../base/shortcuts/use-shortcuts.ts';
import { paths } from '../../../paths.ts';
import { opensRow } from '../../../ui/opens-row.ts';
import type { TableItem } from './table-items.ts';

interface Options {
  readonly table: RefObject<HTMLElement | null>;
  readonly items: readonly TableItem[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (imeis: ReadonlySet<string>) => void;
  /** Sends commands to these vehicles; null if the user may not. */
  readonly onCommand: ((imeis: readonly string[]) => void) | null;
  readonly scrollTo: (index: number) => void;
}

/** Key of the focused row. A vehicle with two tags has two rows. */
const focusedKey = () => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row ?? null;

/** Moves between rows with `j`, `k` and the arrow keys; selects with `x`, Shift and an arrow, or Shift and a click. */
export function useFleetKeys({ table, items, selected, onSelect, onCommand, scrollTo }: Options) {
  const { t } = useTranslation('fleet');
  const navigate = useNavigate();
  const lastPicked = useRef<string | null>(null);
  const indexOf = (key: string | null): number => (key === null ? -1 : items.findIndex(item => item.key === key));
  const rowAt = (index: number) => {
    const item = items[index];
    return item?.kind === 'row' ? item : null;
  };

  /** The next row in a direction, skipping group headers. */
  function nextRow(from: number, step: 1 | -1): number {
    for (let at = from + step; at >= 0 && at < items.length; at += step) if (rowAt(at)) return at;
    return from;
  }

  function focus(index: number): void {
    const row = rowAt(index);
    if (!row) return;
    scrollTo(index);
    const find = () =>
      table.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.key)}"] [data-open]`)?.focus();
    find();
    // Too far away to be rendered yet: try again after scrolling to it.
    if (focusedKey() !== row.key) requestAnimationFrame(find);
  }

  function move(step: 1 | -1): void {
    const at = indexOf(focusedKey());
    focus(at < 0 ? nextRow(-1, 1) : nextRow(at, step));
  }

  /** With `range`, everything between the last ticked box and this one, as lists usually do. */
  function pick(key: string, on: boolean, range: boolean): void {
    const [from, to] = [range ? indexOf(lastPicked.current) : -1, indexOf(key)];
    const next = new Set(selected);
    for (const item of from < 0 ? items.slice(to, to + 1) : items.slice(Math.min(from, to), Math.max(from, to) + 1)) {
      if (item.kind !== 'row') continue;
      if (on) next.add(item.imei);
      else next.delete(item.imei);
    }
    lastPicked.current = key;
    onSelect(next);
  }

  const openRow = (imei: string): void => void navigate(paths.vehicleOnMap(imei));

  function onKeyDown(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const row = rowAt(indexOf(focusedKey()));
    // The name is a link and handles Enter itself.
    if (event.key === 'Enter' && row && target.matches('[data-pick]')) openRow(row.imei);
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
    const at = indexOf(focusedKey());
    if (step === undefined || at < 0 || !target.matches('[data-open], [data-pick]')) return;
    event.preventDefault();
    const next = nextRow(at, step);
    const both = [rowAt(at), rowAt(next)].flatMap(row => (row ? [row.imei] : []));
    if (event.shiftKey) onSelect(new Set([...selected, ...both]));
    focus(next);
  }

  /** One listener for all rows and checkboxes, so that they need none of their own and don't render again for it. */
  function onClick(event: MouseEvent): void {
    const target = event.target as HTMLElement;
    const row = rowAt(indexOf(target.closest<HTMLElement>('[data-row]')?.dataset.row ?? null));
    if (!row) return;
    if (target.matches('[data-pick]')) pick(row.key, (target as HTMLInputElement).checked, event.shiftKey);
    else if (opensRow(event)) openRow(row.imei);
  }

  const focused = () => rowAt(indexOf(focusedKey()));
  const label = t('title');
  useShortcuts([
    { keys: ['j'], label: t('keys.next'), group: label, run: () => move(1) },
    { keys: ['k'], label: t('keys.previous'), group: label, run: () => move(-1) },
    {
      keys: ['x'],
      label: t('keys.select'),
      group: label,
      run: () => {
        const row = focused();
        if (row) pick(row.key, !selected.has(row.imei), false);
      },
    },
    {
      keys: ['m'],
      label: t('keys.map'),
      group: label,
      run: () => {
        const row = focused();
        if (row) openRow(row.imei);
        else if (selected.size > 0) void navigate(paths.vehiclesOnMap([...selected]));
      },
    },
    ...(onCommand
      ? [
          {
            keys: ['c'],
            label: t('keys.command'),
            group: label,
            run: () => {
              const row = focused();
              // If vehicles are selected, the command is for those.
              if (selected.size > 0) onCommand([...selected]);
              else if (row) onCommand([row.imei]);
            },
          },
        ]
      : []),
  ]);

  return { onKeyDown, onClick };
}
