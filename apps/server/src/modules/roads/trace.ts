import { type Cells, cellKey, cellX, cellY, type Level, mergeCell, NEIGHBOURS } from './grid.ts';

/** A line that passes less than this share of a cell's width only cuts its corner and does not count. */
const LEAST = 0.25;

/** Traces drives through one level of the grid, and collects the cells they pass. */
export class Tracer {
  readonly cells: Cells = new Map();
  readonly #size: number;
  #at: { readonly key: number; length: number; sumX: number; sumY: number; day: number } | null = null;
  #last: number | null = null;

  constructor({ zoom }: Level) {
    this.#size = 2 ** zoom;
  }

  /** Traces a straight line between two points, in world coordinates. */
  go(fromX: number, fromY: number, toX: number, toY: number, day: number): void {
    const [ax, ay, bx, by] = [fromX * this.#size, fromY * this.#size, toX * this.#size, toY * this.#size];
    const length = Math.hypot(bx - ax, by - ay);
    let share = 0;
    for (const next of crossings(ax, ay, bx, by)) {
      const middle = (share + next) / 2;
      this.#pass(ax + (bx - ax) * middle, ay + (by - ay) * middle, (next - share) * length, day);
      share = next;
    }
  }

  /** The next line starts somewhere else. */
  end(): void {
    this.#leave();
    this.#at = null;
    this.#last = null;
  }

  #pass(x: number, y: number, length: number, day: number): void {
    const key = cellKey(Math.floor(x), Math.floor(y));
    if (this.#at?.key !== key) {
      this.#leave();
      this.#at = { key, length: 0, sumX: 0, sumY: 0, day };
    }
    const at = this.#at;
    at.length += length;
    at.sumX += (x - Math.floor(x)) * length;
    at.sumY += (y - Math.floor(y)) * length;
    at.day = Math.max(at.day, day);
  }

  #leave(): void {
    const at = this.#at;
    if (!at || at.length < LEAST) return;
    const cell = { x: at.sumX / at.length, y: at.sumY / at.length, weight: 1, day: at.day, links: 0 };
    this.cells.set(at.key, mergeCell(this.cells.get(at.key), cell));
    if (this.#last !== null) this.#link(this.#last, at.key);
    this.#last = at.key;
  }

  #link(from: number, to: number): void {
    const [dx, dy] = [cellX(to) - cellX(from), cellY(to) - cellY(from)];
    const direction = NEIGHBOURS.findIndex(([x, y]) => x === dx && y === dy);
    if (direction === -1) return;
    this.#addLink(from, direction);
    this.#addLink(to, (direction + 4) % 8);
  }

  #addLink(key: number, direction: number): void {
    const cell = this.cells.get(key);
    if (cell) this.cells.set(key, { ...cell, links: cell.links | (1 << direction) });
  }
}

/** Where a straight line crosses from one cell to another, as fractions of its length, and 1 for its end. */
function crossings(ax: number, ay: number, bx: number, by: number): number[] {
  const shares = [1];
  for (const [a, b] of [
    [ax, bx],
    [ay, by],
  ] as const) {
    const [low, high] = a < b ? [a, b] : [b, a];
    for (let border = Math.floor(low) + 1; border < high; border++) shares.push((border - a) / (b - a));
  }
  return shares.sort((one, other) => one - other);
}
