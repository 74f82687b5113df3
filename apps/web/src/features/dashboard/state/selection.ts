/** The selection rules of R4.17 as pure functions. Vehicles are given by IMEI. */
export interface Selection {
  /** In the order they were chosen, without duplicates. */
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

/** Selects a whole folder; vehicles already selected keep their place. */
export function selectAll(selection: Selection, imeis: readonly string[]): Selection {
  return { ...selection, selected: [...new Set([...selection.selected, ...imeis])] };
}

/** The current vehicle is always selected. Null: no current vehicle; the selection stays. */
export function setCurrent(selection: Selection, imei: string | null): Selection {
  if (imei === null) return { ...selection, current: null, only: false };
  return { ...select(selection, imei), current: imei };
}

/** The map shows only this vehicle; null shows all again. */
export function showOnly(selection: Selection, imei: string | null): Selection {
  return imei === null ? { ...selection, only: false } : { ...setCurrent(selection, imei), only: true };
}

/** Removing the current vehicle from the selection also closes its card. */
export function removeAll(selection: Selection, imeis: readonly string[]): Selection {
  const gone = new Set(imeis);
  const selected = selection.selected.filter(imei => !gone.has(imei));
  const closes = selection.current !== null && gone.has(selection.current);
  return closes ? { selected, current: null, only: false } : { ...selection, selected };
}

export const remove = (selection: Selection, imei: string): Selection => removeAll(selection, [imei]);

export const clear = (): Selection => NOTHING_SELECTED;

/** Whether to show the tray of selected vehicles; the current vehicle alone is already in its card. */
export const hasTray = ({ selected, current }: Pick<Selection, 'selected' | 'current'>): boolean =>
  selected.length > 1 || (selected.length === 1 && selected[0] !== current);
