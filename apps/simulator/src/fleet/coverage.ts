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
/** How long ago a `lost` vehicle was heard last, at least: it was on the road. */
const LOST_FOR_S = 26 * 3600;
const LOOK_BACK_S = 14 * 86_400;
const LOOK_EVERY_S = 300;

/** Up to which moment a vehicle's reports have reached the network by `now`. All times in epoch seconds. */
export type Reach = (now: number) => number;

/** `startedAt` is when the fleet was first seen: a lost vehicle is lost for good. */
export function reachOf(
  { quirk, zoneDelay }: Character,
  startedAt: number,
  { activityAt }: Pick<Reporter, 'activityAt'>,
): Reach {
  const drives = (time: number): boolean => activityAt(time)?.kind === 'driving';
  if (quirk === 'lost') {
    const latest = startedAt - LOST_FOR_S;
    let lostAt = latest;
    while (!drives(lostAt) && lostAt > latest - LOOK_BACK_S) lostAt -= LOOK_EVERY_S;
    return () => lostAt;
  }
  if (quirk !== 'dead-zone') return now => now;
  return now => {
    const intoHour = (now - zoneDelay) % ZONE.everyS;
    return intoHour < ZONE.forS && drives(now - intoHour) ? now - intoHour : now;
  };
}
