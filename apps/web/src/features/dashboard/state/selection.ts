/** Vehicles by IMEI. The rules of R4.17 as plain functions. */
export interface Selection {
  /** In the order in which they were chosen, each once. */
  readonly selected: readonly string[];
  readonly current: string | null;
  /** The map shows the current vehicle instead of all. */
  readonly only: boolean;
}

export const NOTHING_SELECTED: Selection = { selected: [], current: null, only: false };

export function select(selection: Selection, imei: string): Selection {
  if (selection.selected.includes(imei)) return selection;
  return { ...selection, selected: [...selection.selected, imei] };
}

/** A whole folder at once; what is selected already stays where it is. */
export function selectAll(selection: Selection, imeis: readonly string[]): Selection {
  return { ...selection, selected: [...new Set([...selection.selected, ...imeis])] };
}

/** The current vehicle is always one of the selected. Null: there is none, and the selection stays. */
export function setCurrent(selection: Selection, imei: string | null): Selection {
  if (imei === null) return { ...selection, current: null, only: false };
  return { ...select(selection, imei), current: imei };
}

/** The map shows this vehicle instead of all others, or with null all again. */
export function showOnly(selection: Selection, imei: string | null): Selection {
  return imei === null ? { ...selection, only: false } : { ...setCurrent(selection, imei), only: true };
}

/** Removing the current vehicle from the selection closes it, too. */
export function removeAll(selection: Selection, imeis: readonly string[]): Selection {
  const gone = new Set(imeis);
  const selected = selection.selected.filter(imei => !gone.has(imei));
  const closes = selection.current !== null && gone.has(selection.current);
  return closes ? { selected, current: null, only: false } : { ...selection, selected };
}

export const remove = (selection: Selection, imei: string): Selection => removeAll(selection, [imei]);

export const clear = (): Selection => NOTHING_SELECTED;

/** Whether the tray of selected vehicles stands there: the current vehicle alone is in its card already. */
export const hasTray = ({ selected, current }: Pick<Selection, 'selected' | 'current'>): boolean =>
  selected.length > 1 || (selected.length === 1 && selected[0] !== current);
