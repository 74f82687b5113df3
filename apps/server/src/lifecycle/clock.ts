/** What doesn't go by the database's clock differs by more: logs of this machine, its certificates, its other programs. */
const MOST_AHEAD_MS = 2000;

/** What is wrong with this machine's clock, as a sentence; null if it agrees with that of the database. */
export function clockTrouble(aheadMs: number): string | null {
  if (Math.abs(aheadMs) <= MOST_AHEAD_MS) return null;
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return `This server's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database. Milepost goes by the database’s, but this machine’s logs and other programs don’t: let a time service set it.`;
}
