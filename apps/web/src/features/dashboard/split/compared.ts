/** More maps side by side would be too small to be useful. */
const MAPS_AT_ONCE = 4;

/** The vehicles to compare: the current one first, then the others in the order in which they were selected. */
export function compared(selected: readonly string[], current: string | null): readonly string[] {
  const others = selected.filter(imei => imei !== current);
  const first = current !== null && others.length < selected.length ? [current] : [];
  return [...first, ...others].slice(0, MAPS_AT_ONCE);
}
