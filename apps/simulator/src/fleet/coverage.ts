import type { Character } from './character.ts';
import type { Reporter } from './reports.ts';

/** An `asleep` tracker is connected for one minute in every ten. */
const WAKES = { everyS: 600, forS: 60 };

/** Whether the tracker is on the network. Trackers that sleep wake up at different times. */
export function isAwake({ behaviour, imei }: Character, now: number): boolean {
  return behaviour !== 'asleep' || (now + Number(imei.slice(-4))) % WAKES.everyS < WAKES.forS;
}

/** For this part of every hour a `dead-zone` vehicle is out of coverage if it drives; two such vehicles take turns. */
const ZONE = { everyS: 3600, forS: 2100 };
/** A `lost` vehicle last reported at least this long ago, while on the road. */
const LOST_FOR_S = 26 * 3600;
const LOOK_BACK_S = 14 * 86_400;
const LOOK_EVERY_S = 300;

/** The time up to which a vehicle's reports have reached the network by `now`. All times in epoch seconds. */
export type Reach = (now: number) => number;

/** `startedAt` is when the fleet was first started; a lost vehicle stays lost. */
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
