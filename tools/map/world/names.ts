import type { Position } from '../layers.ts';

/** Names by position, to recognize a town that another source spells or places slightly differently. */
export function createNames() {
  const namesIn = new Map<string, string[]>();
  /** In quarters of a degree; a name is looked up in its own cell and the eight around it. */
  const cellOf = ([lon, lat]: Position): [number, number] => [Math.round(lon * 4), Math.round(lat * 4)];
  const plain = (name: string) =>
    name
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase();
  return {
    add(name: string, at: Position) {
      const [column, row] = cellOf(at);
      for (let x = column - 1; x <= column + 1; x++) {
        for (let y = row - 1; y <= row + 1; y++) {
          const names = namesIn.get(`${x},${y}`) ?? [];
          namesIn.set(`${x},${y}`, names);
          if (name) names.push(plain(name));
        }
      }
    },
    has(name: string, at: Position): boolean {
      const wanted = plain(name);
      const names = namesIn.get(cellOf(at).join(',')) ?? [];
      return names.some(known => known.startsWith(wanted) || wanted.startsWith(known));
    },
  };
}
