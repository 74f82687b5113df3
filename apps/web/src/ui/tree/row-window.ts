/** Rows drawn beyond the edges, so that a quick scroll shows no holes. */
const BEYOND = 8;

/** Where each row begins, and at the end where the last one ends, in pixels from the top. */
export function rowTops(heights: readonly number[]): Float64Array {
  const tops = new Float64Array(heights.length + 1);
  for (const [i, height] of heights.entries()) tops[i + 1] = (tops[i] ?? 0) + height;
  return tops;
}

/** The row at a distance from the top; the last one below the end. */
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
  /** Rows to draw: from `first` up to, but without, `last`. */
  readonly first: number;
  readonly last: number;
}

/** The rows in view, and a few more. */
export function windowOf(tops: Float64Array, scrollTop: number, height: number): RowWindow {
  const count = tops.length - 1;
  if (count === 0) return { first: 0, last: 0 };
  return {
    first: Math.max(0, rowAt(tops, scrollTop) - BEYOND),
    last: Math.min(count, rowAt(tops, scrollTop + height) + 1 + BEYOND),
  };
}

/** How far to scroll so that a row is seen as a whole; null when it is. */
export function scrollFor(tops: Float64Array, index: number, scrollTop: number, height: number): number | null {
  const top = tops[index] ?? 0;
  const bottom = tops[index + 1] ?? top;
  if (top < scrollTop) return top;
  return bottom > scrollTop + height ? bottom - height : null;
}
