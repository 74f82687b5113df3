import type { Line } from './lines.ts';

/** Ramer–Douglas–Peucker: leaves out what lies nearer than `tolerance` to the straight line between what is kept. */
export function simplify(line: Line, tolerance: number): Line {
  const keep = new Uint8Array(line.length);
  keep[0] = 1;
  keep[line.length - 1] = 1;
  const open: [number, number][] = [[0, line.length - 1]];
  for (let piece = open.pop(); piece; piece = open.pop()) {
    const [first, last] = piece;
    let [farthest, most] = [-1, tolerance];
    for (let i = first + 1; i < last; i++) {
      const off = distanceTo(line, i, first, last);
      if (off > most) [farthest, most] = [i, off];
    }
    if (farthest === -1) continue;
    keep[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  return line.filter((_, i) => keep[i] === 1);
}

function distanceTo(line: Line, at: number, first: number, last: number): number {
  const [x, y] = line[at] as Line[number];
  const [ax, ay] = line[first] as Line[number];
  const [bx, by] = line[last] as Line[number];
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay));
}
