import type { HttpClient } from '@milepost/client';
import { listPositions, type Vehicle } from '@milepost/contract';

const LOOK_BACK_MS = 3 * 3_600_000;
/** No tracker of the fleet keeps quiet for longer in what it remembers. */
const HOLE_MS = 25 * 60_000;

/**
 * From when on the server lacks what a vehicle's tracker remembers: from its newest report on, if the hours before are
 * complete; from the hole in them, where the server stopped while it was catching up; from the beginning, if it has
 * nothing. Epoch milliseconds.
 */
export async function missingSince(vehicle: Vehicle, http: HttpClient, beginning: number): Promise<number> {
  if (vehicle.live.fixAt === null) return beginning;
  const newest = Date.parse(vehicle.live.fixAt);
  const since = newest - LOOK_BACK_MS;
  const query = {
    deviceId: vehicle.id,
    from: new Date(since).toISOString(),
    to: new Date(newest + 1000).toISOString(),
  };
  const known = await http.call(listPositions, { query });
  const times = known.map(report => Date.parse(`${report.reportDate}T${report.reportTime}Z`));
  return Math.max(beginning, completeUntil(times, since, beginning) ?? newest);
}

/** Where the first hole in a row of times begins; `beginning` when it is at its start; null when there is none. */
export function completeUntil(times: readonly number[], since: number, beginning: number): number | null {
  let before = since;
  for (const time of times) {
    if (time - before > HOLE_MS) return before === since ? beginning : before;
    before = time;
  }
  return null;
}
