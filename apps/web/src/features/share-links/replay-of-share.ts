import type { Share } from '@milepost/contract';
import { paths } from '../../paths.ts';

const REPLAY_MAX_MS = 7 * 86_400_000;

/** URL of the replay of a link's vehicles in its time until now, its first seven days; null before it begins. */
export function replayOfShare(
  { expiresAt, revokedAt, startsAt, vehicles }: Pick<Share, 'expiresAt' | 'revokedAt' | 'startsAt' | 'vehicles'>,
  nowMs: number,
): string | null {
  const fromMs = Date.parse(startsAt);
  const toMs = Math.min(nowMs, Date.parse(revokedAt ?? expiresAt), fromMs + REPLAY_MAX_MS);
  if (vehicles.length === 0 || toMs <= fromMs) return null;
  return paths.replay({ vehicles: vehicles.map(({ id }) => id), fromMs, toMs });
}
