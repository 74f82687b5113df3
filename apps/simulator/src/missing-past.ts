import type { HttpClient } from '@milepost/client';
import { listPositions, type Vehicle } from '@milepost/contract';

const LOOK_BACK_MS = 3 * 3_600_000;
/** No tracker of the fleet leaves a longer gap in its history. */
const HOLE_MS = 25 * 60_000;

/** Epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/**
 * The part of a vehicle's history that the server lacks, in the order of delivery: the newest week first, so that this
 * week's figures are complete soon, and each week from start to end.
 */
export async function missingPast(vehicle: Vehicle, http: HttpClient, { from, to }: Span): Promise<Span[]> {
  const weeks = weeksOf({ from, to });
  if (vehicle.live.fixAt === null) return weeks;
  const newest = Date.parse(vehicle.live.fixAt);
  const since = newest - LOOK_BACK_MS;
  const times = await reportedBetween(vehicle, http, { from: since, to: newest + 1000 });
  const beginning = Math.max(from, Math.floor(newest / WEEK_MS) * WEEK_MS);
  const missing = weeksOf({ from: Math.max(from, completeUntil(times, since, beginning) ?? newest), to });
  // Weeks are delivered in turn: if one is complete, so are the later ones.
  for (const week of weeks.filter(each => each.to <= beginning).toReversed()) {
    const end = { from: week.to - HOLE_MS, to: week.to };
    if ((await reportedBetween(vehicle, http, end)).length > 0) return missing;
    missing.splice(missing.findLastIndex(each => each.from > week.from) + 1, 0, week);
  }
  return missing;
}

/** Split at local week boundaries, newest first; the same at each start. */
export function weeksOf({ from, to }: Span): Span[] {
  const weeks: Span[] = [];
  for (let end = to; end > from; ) {
    const begins = Math.max(from, (Math.ceil(end / WEEK_MS) - 1) * WEEK_MS);
    weeks.push({ from: begins, to: end });
    end = begins;
  }
  return weeks;
}

async function reportedBetween({ id }: Vehicle, http: HttpClient, { from, to }: Span): Promise<number[]> {
  const query = { deviceId: id, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const known = await http.call(listPositions, { query });
  return known.map(report => Date.parse(`${report.reportDate}T${report.reportTime}Z`));
}

/** Where the first gap in a list of times begins; `beginning` if it is at the start; null if there is none. */
export function completeUntil(times: readonly number[], since: number, beginning: number): number | null {
  let before = since;
  for (const time of times) {
    if (time - before > HOLE_MS) return before === since ? beginning : before;
    before = time;
  }
  return null;
}
