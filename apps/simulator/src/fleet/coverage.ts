import type { Character } from './character.ts';

/** Of every hour, the minutes that a `dead-zone` vehicle is out of reach; two such vehicles take turns. */
const ZONE = { everyS: 3600, forS: 2100 };
/** How long ago a `lost` vehicle was heard last. */
const LOST_FOR_S = 26 * 3600;

/**
 * Up to which moment a vehicle's reports have reached the network by `now` (epoch seconds). `startedAt` is when the
 * fleet was first seen: a lost vehicle is lost for good.
 */
export function reachedUntil(character: Character, now: number, startedAt: number): number {
  if (character.quirk === 'lost') return startedAt - LOST_FOR_S;
  if (character.quirk !== 'dead-zone') return now;
  const intoHour = (now - character.zoneDelay) % ZONE.everyS;
  return intoHour < ZONE.forS ? now - intoHour : now;
}
