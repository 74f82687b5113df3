/** Servers that differ by more put what happened in another order than it did. */
const MOST_AHEAD_MS = 2000;

/** What is wrong with this machine's clock, as a sentence; null if it agrees with that of the database. */
export function clockTrouble(aheadMs: number): string | null {
  if (Math.abs(aheadMs) <= MOST_AHEAD_MS) return null;
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return `This server's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database. Several servers must agree on the time: let a time service set it on every machine.`;
}
