import type { FenceEvent } from '../fences/follower-state.ts';

/** When stops were entered and left, in the order of time. */
export function momentsOf(stops: readonly number[], crossed: readonly FenceEvent[]) {
  const moments = crossed.flatMap(({ entry, exit, fenceId, kind }) => {
    const nth = stops.indexOf(fenceId);
    if (nth < 0) return [];
    return [
      ...(kind === 'exit' ? [] : [{ nth, fenceId, entry, at: entry.at, isExit: false }]),
      ...(exit === null ? [] : [{ nth, fenceId, entry, at: exit.at, isExit: true }]),
    ];
  });
  return moments.sort((a, b) => a.at - b.at || a.nth - b.nth || Number(a.isExit) - Number(b.isExit));
}
