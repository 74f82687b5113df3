import { indexAt, type Past } from './past.ts';

/**
 * Why there is no data for a time: private time hides it, the tracker reported without GPS (or with doubtful positions), went silent with the
 * engine off, as many do to save the battery, or went silent while the engine was on or unknown.
 */
export type GapReason = 'private' | 'noGps' | 'engineOff' | 'silent';

export function gapReason(
  { segments, track }: Pick<Past, 'segments' | 'track'>,
  fromMs: number,
  toMs: number,
): GapReason {
  if (segments.some(({ kind, ...times }) => kind === 'private' && times.fromMs < toMs && times.toMs > fromMs))
    return 'private';
  const { doubtedMs, ignition, timeMs } = track;
  const doubted = doubtedMs[indexAt(doubtedMs, toMs)];
  if (doubted !== undefined && doubted > fromMs) return 'noGps';
  const last = indexAt(timeMs, fromMs);
  return last >= 0 && ignition[last] === 0 ? 'engineOff' : 'silent';
}
