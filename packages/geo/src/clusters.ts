import { degrees, type Metres, metres } from '@milepost/units';
import type { LatLon } from './fix.ts';
import { distanceMetres } from './sphere.ts';

export interface Cluster<Item> {
  readonly center: LatLon;
  /** From the center to the farthest item, with room for the receiver's error. */
  readonly radius: Metres;
  readonly items: readonly Item[];
}

/** Items this near to each other belong together. */
const NEAR = 150;
/** A degree of latitude. */
const DEGREE = 111_200;
const ROOM = 30;

/**
 * Places where many items are, the busiest first: each item is in one cluster, at most 150 m from its center. Those with
 * fewer than `least` items are left out.
 */
export function clustersOf<Item extends LatLon>(items: readonly Item[], least: number, most: number): Cluster<Item>[] {
  const cells = new Map<string, Set<Item>>();
  for (const item of items) {
    const key = keyOf(...cellOf(item));
    const known = cells.get(key);
    if (known) known.add(item);
    else cells.set(key, new Set([item]));
  }
  const found: Cluster<Item>[] = [];
  // The busiest cells first; what a cluster takes is gone from its neighbors.
  const busiest = [...cells.values()].toSorted((a, b) => b.size - a.size);
  for (const cell of busiest) {
    if (cell.size === 0) continue;
    let center = meanOf([...cell]);
    let members = around(cells, center);
    center = meanOf(members);
    members = around(cells, center);
    if (members.length < least) continue;
    for (const member of members) cells.get(keyOf(...cellOf(member)))?.delete(member);
    const far = Math.max(...members.map(member => distanceMetres(center, member)));
    found.push({ center, radius: metres(Math.ceil((far + ROOM) / 10) * 10), items: members });
  }
  return found.toSorted((a, b) => b.items.length - a.items.length).slice(0, most);
}

function around<Item extends LatLon>(cells: ReadonlyMap<string, ReadonlySet<Item>>, center: LatLon): Item[] {
  const [row, column] = cellOf(center);
  const members: Item[] = [];
  for (const north of [-1, 0, 1]) {
    for (const east of [-1, 0, 1]) {
      // Cells of another row are a little wider or narrower, so its columns are counted again.
      const [, nearby] = cellOf({ ...center, lat: degrees(center.lat + (north * NEAR) / DEGREE) });
      const at = north === 0 ? column : nearby;
      for (const item of cells.get(keyOf(row + north, at + east)) ?? []) {
        if (distanceMetres(center, item) <= NEAR) members.push(item);
      }
    }
  }
  return members;
}

/** Cells are squares of at least 150 m. */
function cellOf({ lat, lon }: LatLon): readonly [row: number, column: number] {
  const row = Math.floor((lat * DEGREE) / NEAR);
  const middle = ((row + 0.5) * NEAR) / DEGREE;
  const degree = Math.max(1, DEGREE * Math.cos((middle * Math.PI) / 180));
  return [row, Math.floor((lon * degree) / NEAR)];
}

const keyOf = (row: number, column: number): string => `${row} ${column}`;

function meanOf(items: readonly LatLon[]): LatLon {
  let [north, east] = [0, 0];
  for (const { lat, lon } of items) {
    north += lat;
    east += lon;
  }
  return { lat: degrees(north / items.length), lon: degrees(east / items.length) };
}
