import type { Character } from './character.ts';
import type { Reporter } from './reports.ts';

/** Of every ten minutes, the one in which an `asleep` tracker is there. */
const WAKES = { everyS: 600, forS: 60 };

/** Whether the tracker is on the network. Those that sleep wake at moments of their own. */
export function isAwake({ behaviour, imei }: Character, now: number): boolean {
  return behaviour !== 'asleep' || (now + Number(imei.slice(-4))) % WAKES.everyS < WAKES.forS;
}

/** Of every hour, the minutes that a `dead-zone` vehicle is out of reach if it drives; two such vehicles take turns. */
const ZONE = { everyS: 3600, forS: 2100 };
/** How long ago a `lost` vehicle was heard last. */
const LOST_FOR_S = 26 * 3600;

/**
 * Up to which moment a vehicle's reports have reached the network by `now` (epoch seconds). `startedAt` is when the
 * fleet was first seen: a lost vehicle is lost for good.
 */
export function reachedUntil(
  character: Character,
  now: number,
  startedAt: number,
  { activityAt }: Pick<Reporter, 'activityAt'>,
): number {
  if (character.quirk === 'lost') return startedAt - LOST_FOR_S;
  if (character.quirk !== 'dead-zone') return now;
  const intoHour = (now - character.zoneDelay) % ZONE.everyS;
  const entered = now - intoHour;
  return intoHour < ZONE.forS && activityAt(entered)?.kind === 'driving' ? entered : now;
}
