/** Up to four grid lines at round figures that cover all values: `[0, 3000, 6000, 9000]`. */
export function scaleFor(most: number): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map(times => times * power).find(round => round >= rough) ?? rough;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, nth) => nth * step);
}

/** Label every n-th day, so that the dates stay readable. */
export function labelled(days: number): number {
  return days <= 10 ? 1 : days <= 35 ? 7 : 14;
}
