import type { Link, OpenLink } from '../tracker/link.ts';

/** How long the server takes to acknowledge, in milliseconds. */
export interface Tally {
  add(milliseconds: number): void;
  /** The time within which this share of the messages was acknowledged; 0 if there were none. */
  within(share: number): number;
}

export function createTally(): Tally {
  const times: number[] = [];
  return {
    add: milliseconds => void times.push(milliseconds),
    within: share => {
      const sorted = Float64Array.from(times).sort();
      const time = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return Math.round(time * 10) / 10;
    },
  };
}

/** The same link, with the times recorded. */
export const timed =
  (open: OpenLink, tally: Tally): OpenLink =>
  async (): Promise<Link> => {
    const link = await open();
    return {
      send: async positions => {
        const begun = performance.now();
        await link.send(positions);
        tally.add(performance.now() - begun);
      },
      close: () => link.close(),
    };
  };
