/** Latencies in milliseconds, with a resolution of a tenth. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function latenciesOf(samples: readonly number[]): Latencies {
  const sorted = Float64Array.from(samples).sort();
  const at = (share: number): number =>
    tenths(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
