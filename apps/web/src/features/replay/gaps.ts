import type { Track } from '../../tracks/unpack.ts';
import { indexAt } from './past.ts';

/**
 * Why there is no data for a time: the tracker reported without GPS (or with doubtful positions), went silent with the
 * engine off, as many do to save the battery, or went silent while the engine was on or unknown.
 */
export type GapReason = 'noGps' | 'engineOff' | 'silent';

export function gapReason({ doubtedMs, ignition, timeMs }: Track, fromMs: number, toMs: number): GapReason {
  const doubted = doubtedMs[indexAt(doubtedMs, toMs)];
  if (doubted !== undefined && doubted > fromMs) return 'noGps';
  const last = indexAt(timeMs, fromMs);
  return last >= 0 && ignition[last] === 0 ? 'engineOff' : 'silent';
}
