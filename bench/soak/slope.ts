export interface Slope {
  readonly perHour: number;
  /** One standard error. */
  readonly error: number;
}

/** The line of least squares through these, by the hour. */
export function slopeOf(samples: readonly { readonly ms: number; readonly value: number }[]): Slope {
  const hours = samples.map(({ ms }) => ms / 3_600_000);
  const count = samples.length;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count;
  const [meanHour, meanValue] = [mean(hours), mean(samples.map(({ value }) => value))];
  const spread = hours.reduce((sum, hour) => sum + (hour - meanHour) ** 2, 0);
  const perHour =
    samples.reduce((sum, { value }, n) => sum + ((hours[n] ?? 0) - meanHour) * (value - meanValue), 0) / spread;
  const left = samples.reduce(
    (sum, { value }, n) => sum + (value - meanValue - perHour * ((hours[n] ?? 0) - meanHour)) ** 2,
    0,
  );
  return { perHour, error: Math.sqrt(left / Math.max(1, count - 2) / spread) };
}
