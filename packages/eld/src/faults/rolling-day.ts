/** Stretches of time within the last 24 hours. Plain JSON. */
export type RollingDay = readonly (readonly [from: number, to: number])[];

const DAY_MS = 24 * 3_600_000;
/**
 * Beyond one piece for each minute of a day, the two closest together are joined, so the sum can only come out too
 * high.
 */
const MOST_PIECES = 1440;

/** Adds a stretch that is not earlier than the last one, and drops what is older than a day before its end. */
export function withStretch(day: RollingDay, from: number, to: number): RollingDay {
  if (!(to > from)) return day;
  const last = day.at(-1);
  const isJoined = last !== undefined && from <= last[1];
  const added: RollingDay = isJoined
    ? [...day.slice(0, -1), [Math.min(last[0], from), Math.max(last[1], to)]]
    : [...day, [from, to]];
  const kept = since(added, to);
  return kept.length > MOST_PIECES ? joinNearest(kept) : kept;
}

const since = (day: RollingDay, at: number): RollingDay => day.filter(([, to]) => to > at - DAY_MS);

/** Milliseconds within the 24 hours before `at`. */
export const totalOf = (day: RollingDay, at: number): number =>
  day.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, at) - Math.max(from, at - DAY_MS)), 0);

function joinNearest(day: RollingDay): RollingDay {
  let nearest = 1;
  const gap = (i: number): number => (day[i]?.[0] ?? 0) - (day[i - 1]?.[1] ?? 0);
  for (let i = 2; i < day.length; i++) if (gap(i) < gap(nearest)) nearest = i;
  const [before, behind] = [day[nearest - 1], day[nearest]];
  return before && behind ? day.toSpliced(nearest - 1, 2, [before[0], behind[1]]) : day;
}
