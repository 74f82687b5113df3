import { type Zone, zoneNamed } from '@milepost/hos';
import { epochMs } from '@milepost/units';

/** Parts of a shift. `out` ends at the far end of a long haul, where `back` begins; `half` is half a day's work. */
export const PARTS = ['whole', 'half', 'out', 'back'] as const;
export type Part = (typeof PARTS)[number];

/** When one of a week's shifts begins. */
export interface Start {
  /** Minutes since midnight on Sunday. */
  readonly minute: number;
  readonly part: Part;
}

/** The shifts of a week, in order; at least one. */
export type Week = readonly Start[];

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const A_DAY = 1440;
const A_WEEK_MS = 7 * A_DAY * 60_000;
/** 1970 began on a Thursday. */
const FIRST_SUNDAY_MS = -4 * A_DAY * 60_000;

/** Reads `Mon-Fri 05:00, Sat 07:30 half`. */
export function weekOf(text: string): Week {
  return text
    .split(', ')
    .flatMap(shifts => {
      const [, first, last = first, hour, minute, part = 'whole'] =
        /^(\w{3})(?:-(\w{3}))? (\d\d):(\d\d)(?: (\w+))?$/.exec(shifts) ?? [];
      const [from, to] = [DAYS.indexOf(first ?? ''), DAYS.indexOf(last ?? '')];
      const known = PARTS.find(each => each === part);
      if (from < 0 || to < 0 || !known) throw new Error(`No shifts: "${shifts}"`);
      return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, nth) => ({
        minute: ((from + nth) % 7) * A_DAY + Number(hour) * 60 + Number(minute),
        part: known,
      }));
    })
    .sort((a, b) => a.minute - b.minute);
}

/** The time zone of the tours. */
const HERE = zoneNamed('America/Chicago') as Zone;

const wallMs = (time: number): number => time * 1000 + HERE.offsetAt(epochMs(time * 1000)) - FIRST_SUNDAY_MS;

/** The number of the week at a moment, by local time. Epoch seconds. */
export const weekAt = (time: number): number => Math.floor(wallMs(time) / A_WEEK_MS);

/** The minute of that week, rounded. */
export const minuteAt = (time: number): number => Math.round((wallMs(time) - weekAt(time) * A_WEEK_MS) / 60_000);

/** When the local time is this minute of this week, in epoch seconds. */
export function timeOf(week: number, minute: number): number {
  const wall = FIRST_SUNDAY_MS + week * A_WEEK_MS + minute * 60_000;
  const guess = wall - HERE.offsetAt(epochMs(wall));
  return (wall - HERE.offsetAt(epochMs(guess))) / 1000;
}
