/** 1/10,000 degree is 11 m, about the width of a street and the scatter of a GPS receiver. */
const PER_DEGREE = 10_000;
const CELLS_AROUND = 360 * PER_DEGREE;

/** What is known of places, remembered for cells of 11 m: everywhere in a cell it is what its center gives. */
export class PlaceCells<T> {
  readonly #look: (lat: number, lon: number) => T;
  readonly #cells: Float64Array;
  readonly #known: (T | undefined)[];
  #last = Number.NaN;
  #lastKnown: T | undefined;

  /** @param slots how many are remembered at most, a power of two */
  constructor(slots: number, look: (lat: number, lon: number) => T) {
    this.#look = look;
    this.#cells = new Float64Array(slots).fill(Number.NaN);
    this.#known = new Array(slots).fill(undefined);
  }

  at(lat: number, lon: number): T {
    const [y, x] = [Math.round(lat * PER_DEGREE), Math.round(lon * PER_DEGREE)];
    const cell = y * CELLS_AROUND + x;
    // A parked vehicle reports the same place again and again.
    if (cell === this.#last) return this.#lastKnown as T;
    const mixed = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b);
    // Cells that share a slot drive each other out: that costs less than tracking what was used last.
    const slot = (mixed ^ (mixed >>> 15)) & (this.#cells.length - 1);
    if (this.#cells[slot] !== cell) {
      this.#cells[slot] = cell;
      this.#known[slot] = this.#look(y / PER_DEGREE, x / PER_DEGREE);
    }
    this.#last = cell;
    this.#lastKnown = this.#known[slot];
    return this.#lastKnown as T;
  }
}
