import type { Behaviour } from '../tracker/behaviour.ts';
import { type Week, weekOf } from './week.ts';

/**
 * A vehicle's type of work. `haul`: along an interstate and back; `local`: containers and trailers within the city;
 * `delivery` and `parcel`: door to door; `cooled`: groceries at night; `anytime`: rounds by day and night.
 */
export type Work = 'haul' | 'local' | 'delivery' | 'parcel' | 'cooled' | 'anytime';

/** A tracker's peculiarity, so that the demo shows every status and every kind of problem. */
export type Quirk =
  | 'none'
  /** Has been silent for more than a day. */
  | 'lost'
  /** Is parked under a roof that blocks the satellites. */
  | 'no-fix'
  /** Drives through a dead zone for half an hour at a time and then sends its stored reports. */
  | 'dead-zone';

export interface Job {
  readonly work: Work;
  readonly week: Week;
  readonly quirk?: Quirk;
  /** Its driver needs a break 25 minutes after the demo began (`due-break.ts`). */
  readonly hasDueBreak?: boolean;
  /** Its engine is warmed up at its depot when the demo starts, unless it is at work. */
  readonly isSpare?: boolean;
  /** How its tracker responds to commands, if unusual. */
  readonly behaviour?: Behaviour;
}

const job = (work: Work, week: string, odd: Omit<Job, 'work' | 'week'> = {}): Job => ({
  work,
  week: weekOf(week),
  ...odd,
});

/**
 * The demo fleet's week by unit number. Each vehicle has one driver, so its work stays within the hours-of-service
 * rules; spares are out for half a day now and then. Most are parked at night and on weekends, but there is always one
 * on the road.
 */
const JOBS: Readonly<Record<string, Job>> = {
  4101: job('haul', 'Mon-Fri 05:00', { hasDueBreak: true }),
  4102: job('haul', 'Tue-Sat 20:00'),
  4103: job('haul', 'Mon 10:00 out, Tue 04:00 back, Tue 20:00 out, Wed 12:00 back, Thu 06:00 out, Fri 00:30 back'),
  4104: job('haul', 'Wed-Sun 04:00'),
  4105: job('haul', 'Sun-Thu 18:30'),
  4106: job(
    'haul',
    'Sun 08:00 out, Mon 01:00 back, Mon 18:00 out, Tue 10:00 back, Wed 04:00 out, Wed 22:00 back, Thu 14:00 out, Fri 06:00 back',
  ),
  4107: job('haul', 'Mon-Fri 13:00'),
  4108: job('haul', 'Thu-Mon 16:00'),
  4109: job('haul', 'Mon-Fri 03:00', { quirk: 'dead-zone' }),
  4110: job('local', 'Tue 09:00 half, Thu 08:30 half'),
  4111: job('haul', 'Mon-Fri 05:30'),
  4112: job('haul', 'Sat-Wed 17:30', { quirk: 'dead-zone' }),
  4113: job('haul', 'Fri 12:00 out, Sat 05:00 back, Sat 21:00 out, Sun 13:00 back, Mon 08:00 out, Tue 02:00 back'),
  4114: job('local', 'Mon-Fri 06:00', { behaviour: 'silent' }),
  4115: job('local', 'Mon 10:00 half, Wed 09:00 half', { quirk: 'no-fix' }),
  4116: job('haul', 'Thu-Mon 08:00'),
  4117: job('haul', 'Tue-Sat 15:00', { behaviour: 'asleep' }),
  4118: job('local', 'Mon-Fri 06:45', { quirk: 'lost' }),
  4119: job('haul', 'Wed-Sun 12:00'),
  4120: job('local', 'Mon 13:00 half, Fri 09:00 half', { behaviour: 'refusing' }),
  3301: job('delivery', 'Mon-Fri 07:00'),
  3302: job('delivery', 'Mon-Fri 06:30'),
  3303: job('delivery', 'Mon-Fri 07:30, Sat 07:30 half'),
  3304: job('delivery', 'Mon-Fri 08:00'),
  3305: job('delivery', 'Tue-Fri 06:00, Sat 07:00 half'),
  3306: job('delivery', 'Mon-Fri 13:30'),
  3307: job('delivery', 'Mon-Fri 07:15'),
  3308: job('delivery', 'Wed 09:00 half', { isSpare: true }),
  5501: job('parcel', 'Mon-Fri 08:30'),
  5502: job('parcel', 'Mon-Sat 09:00'),
  5503: job('parcel', 'Tue-Sat 08:00, Sun 11:00 half'),
  5504: job('parcel', 'Mon-Fri 14:00'),
  5505: job('parcel', 'Wed-Sun 10:00'),
  5506: job('parcel', 'Mon 11:00 half', { isSpare: true }),
  'R-701': job('cooled', 'Tue-Sat 19:30'),
  'R-702': job('cooled', 'Sun-Thu 22:00'),
  'R-703': job('cooled', 'Fri-Tue 23:00'),
  'R-704': job('cooled', 'Fri-Tue 16:00'),
  'R-705': job('cooled', 'Sat-Wed 03:30'),
  'R-706': job('cooled', 'Sat-Wed 10:00'),
};

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Vehicles of other fleets drive around the clock and rest in turns, so that there is always something to see. */
export function jobOf(name: string, index: number): Job {
  const known = JOBS[name];
  if (known) return known;
  const minute = Math.round(((index * GOLDEN) % 1) * 1439);
  const clock = [Math.floor(minute / 60), minute % 60].map(part => String(part).padStart(2, '0')).join(':');
  return job('anytime', `Sun-Sat ${clock}`);
}
