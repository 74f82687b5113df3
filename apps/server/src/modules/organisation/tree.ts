import type { GroupRow } from './group-store.ts';

const STEPS = 64;

/** The group and its parents, up to the top. */
export function pathOf(groups: ReadonlyMap<number, GroupRow>, id: number | null): GroupRow[] {
  const path: GroupRow[] = [];
  for (let at = groups.get(id ?? 0); at && path.length < STEPS; at = groups.get(at.parent_id ?? 0)) path.push(at);
  return path;
}

/** Levels from this group down to its deepest subgroup; 1 if it has none. */
export function heightOf(groups: ReadonlyMap<number, GroupRow>, id: number): number {
  const children = Map.groupBy(groups.values(), group => group.parent_id);
  const height = (at: number, left: number): number =>
    left === 0 ? 0 : 1 + Math.max(0, ...(children.get(at) ?? []).map(child => height(child.id, left - 1)));
  return height(id, STEPS);
}
