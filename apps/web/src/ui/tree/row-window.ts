/** Rows rendered beyond each edge, so that quick scrolling shows no gaps. */
const BEYOND = 8;

/** The top of each row, and last the bottom of the last row, in pixels. */
export function rowTops(heights: readonly number[]): Float64Array {
  const tops = new Float64Array(heights.length + 1);
  for (const [i, height] of heights.entries()) tops[i + 1] = (tops[i] ?? 0) + height;
  return tops;
}

/** Index of the row at a distance from the top. Below the end, the last row. */
export function rowAt(tops: Float64Array, y: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low;
}

export interface RowWindow {
  /** Rows to render, from `first` up to but not including `last`. */
  readonly first: number;
  readonly last: number;
}

/** The rows in view and a few more. */
export function windowOf(tops: Float64Array, scrollTop: number, height: number): RowWindow {
  const count = tops.length - 1;
  if (count === 0) return { first: 0, last: 0 };
  return {
    first: Math.max(0, rowAt(tops, scrollTop) - BEYOND),
    last: Math.min(count, rowAt(tops, scrollTop + height) + 1 + BEYOND),
  };
}

/** Where to scroll so that the whole row is in view; null if it is. */
export function scrollFor(tops: Float64Array, index: number, scrollTop: number, height: number): number | null {
  const top = tops[index] ?? 0;
  const bottom = tops[index + 1] ?? top;
  if (top < scrollTop) return top;
  return bottom > scrollTop + height ? bottom - height : null;
}
