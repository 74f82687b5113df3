/** Vehicles by IMEI. The rules of R4.17 as plain functions. */
export interface Selection {
  /** In the order in which they were chosen, each once. */
  readonly selected: readonly string[];
  readonly current: string | null;
  /** What the map shows: all, or the one chosen vehicle. */
  readonly only: string | null;
}

export const NOTHING_SELECTED: Selection = { selected: [], current: null, only: null };

export function select(selection: Selection, imei: string): Selection {
  if (selection.selected.includes(imei)) return selection;
  return { ...selection, selected: [...selection.selected, imei] };
}

export function unselect(selection: Selection, imei: string): Selection {
  const selected = selection.selected.filter(one => one !== imei);
  return { ...selection, selected };
}

/** The current vehicle is always one of the selected. Null: there is none, and the selection stays. */
export function setCurrent(selection: Selection, imei: string | null): Selection {
  if (imei === null) return { ...selection, current: null, only: null };
  const only = selection.only === null ? null : imei;
  return { ...select(selection, imei), current: imei, only };
}

/** The map shows this vehicle instead of all others. */
export function showOnly(selection: Selection, imei: string | null): Selection {
  return imei === null ? { ...selection, only: null } : { ...setCurrent(selection, imei), only: imei };
}

/** Removing the current vehicle from the selection closes it, too. */
export function remove(selection: Selection, imei: string): Selection {
  const rest = unselect(selection, imei);
  return selection.current === imei ? { ...rest, current: null, only: null } : rest;
}

export const clear = (): Selection => NOTHING_SELECTED;
