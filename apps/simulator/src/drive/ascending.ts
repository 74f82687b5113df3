/** Index of the last of `count` ascending values that is at most `value`; 0 if there is none. */
export function lastAtOrBefore(value: number, count: number, at: (index: number) => number): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at(middle) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
