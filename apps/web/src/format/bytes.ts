import { numberFormat } from './locale.ts';

const STEP = 1024;
const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** A file size in the usual units: `830 B`, `12 KB`, `4.2 MB`. */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < STEP ? 0 : Math.floor(Math.log(bytes) / Math.log(STEP)));
  const value = bytes / STEP ** step;
  const digits = step >= 2 && value < 10 ? 1 : 0;
  return `${numberFormat({ maximumFractionDigits: digits }).format(value)}\u202f${UNITS[step]}`;
}
