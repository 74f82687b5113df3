import { turn } from '../../workers/turns.ts';
import type { Group } from './groups.ts';
import type { ReportItem } from './report.ts';
import type { Totals } from './totals.ts';

const ROWS_A_TURN = 200;

/** Who follows a report that takes long. */
export interface Watched {
  /** Called with the vehicles that are read. */
  readonly progress?: (vehicles: number) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Items of one group, in their order. */
export interface Part {
  readonly group: Group;
  readonly items: readonly ReportItem[];
}

/** What a report has found. */
export interface Found {
  readonly groups: readonly { readonly group: Group; readonly totals: Totals }[];
  readonly totals: Totals;
  /** The vehicles that have rows, where only these have data; null if other vehicles may have data, too. */
  readonly vehicles: ReadonlySet<number> | null;
  /** So many items from the one at the offset. */
  readonly pages: (offset: number, limit: number) => AsyncIterable<Part>;
}

/** So many items from the one at the offset, a few at a time, so that others get their turn between. */
export async function* partsOf(
  parts: Iterable<Part> | AsyncIterable<Part>,
  offset: number,
  limit: number,
): AsyncGenerator<Part> {
  let [skipped, left] = [offset, limit];
  for await (const { group, items } of parts) {
    let at = Math.min(skipped, items.length);
    skipped -= at;
    while (at < items.length && left > 0) {
      const part = items.slice(at, at + Math.min(ROWS_A_TURN, left));
      yield { group, items: part };
      await turn();
      at += part.length;
      left -= part.length;
    }
    if (left <= 0) return;
  }
}
