import { type Cells, cellKey, cellX, cellY, NEIGHBOURS } from './grid.ts';

export type Line = readonly (readonly [x: number, y: number])[];

/**
 * Joins linked cells into lines between their mean positions, in cells of their level. Each link is used once; a line
 * runs from one crossing or end to the next.
 */
export function roadLines(cells: Cells): Line[] {
  const links = new Map<number, number>();
  for (const [key, cell] of cells) links.set(key, tidied(cells, key, cell.links));
  const neighbor = (key: number, direction: number): number => {
    const [dx, dy] = NEIGHBOURS[direction] as readonly [number, number];
    return cellKey(cellX(key) + dx, cellY(key) + dy);
  };
  const place = (key: number): readonly [number, number] => {
    const cell = cells.get(key);
    return [cellX(key) + (cell?.x ?? 0.5), cellY(key) + (cell?.y ?? 0.5)];
  };
  const take = (key: number, direction: number): void => {
    const to = neighbor(key, direction);
    links.set(key, (links.get(key) ?? 0) & ~(1 << direction));
    links.set(to, (links.get(to) ?? 0) & ~(1 << ((direction + 4) % 8)));
  };

  const lines: Line[] = [];
  const follow = (start: number, first: number, ends: (key: number) => boolean): void => {
    const line = [place(start)];
    let [at, direction] = [start, first];
    for (;;) {
      const next = neighbor(at, direction);
      take(at, direction);
      line.push(place(next));
      at = next;
      const left = links.get(at) ?? 0;
      if (left === 0 || ends(at)) break;
      direction = 31 - Math.clz32(left & -left);
    }
    lines.push(line);
  };
  const crossings = new Set([...links].filter(([, mask]) => count(mask) !== 2).map(([key]) => key));
  const isCrossing = (key: number): boolean => crossings.has(key);
  // Roads between crossings first; the rest are rings.
  for (const starts of [crossings, links.keys()]) {
    for (const key of starts) {
      for (let mask = links.get(key) ?? 0; mask !== 0; mask = links.get(key) ?? 0) {
        follow(key, 31 - Math.clz32(mask & -mask), isCrossing);
      }
    }
  }
  return lines;
}

/** Links to existing cells, without diagonal shortcuts where the way around the corner also exists. */
function tidied(cells: Cells, key: number, links: number): number {
  let kept = 0;
  for (const [direction, [dx, dy]] of NEIGHBOURS.entries()) {
    if ((links & (1 << direction)) === 0 || !cells.has(cellKey(cellX(key) + dx, cellY(key) + dy))) continue;
    const isDiagonal = dx !== 0 && dy !== 0;
    if (isDiagonal && (goesAround(cells, key, links, direction, 1) || goesAround(cells, key, links, direction, -1))) {
      continue;
    }
    kept |= 1 << direction;
  }
  return kept;
}

/**
 * Whether there is a way from a cell to its diagonal neighbor through the cell beside it, `turn` eighths to the side.
 */
function goesAround(cells: Cells, key: number, links: number, diagonal: number, turn: 1 | -1): boolean {
  const first = (diagonal + turn + 8) % 8;
  const second = (diagonal - turn + 8) % 8;
  if ((links & (1 << first)) === 0) return false;
  const [dx, dy] = NEIGHBOURS[first] as readonly [number, number];
  const between = cells.get(cellKey(cellX(key) + dx, cellY(key) + dy));
  return between !== undefined && (between.links & (1 << second)) !== 0;
}

function count(mask: number): number {
  let bits = 0;
  for (let left = mask; left !== 0; left &= left - 1) bits++;
  return bits;
}
