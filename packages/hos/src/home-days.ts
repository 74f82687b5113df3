import type { EpochMs } from '@milepost/units';
import type { HomeTerminal } from './duty-log.ts';
import { firstInstantAt, type Zone, zoneNamed } from './zone.ts';

/**
 * The days of a home terminal: 24 hours on its clock from the hour that the carrier set, so two days a year have 23 or
 * 25 hours (395.2 "day", 395.8(d); SOR/2005-313 s. 1). A day is a number: whole days from 1970-01-01 to the date on
 * which it begins. It begins at the first instant of that date at which the clock shows the start hour or later.
 */
export interface HomeDays {
  readonly startOf: (day: number) => EpochMs;
  readonly dayOf: (instant: EpochMs) => number;
}

/** Days of a terminal with a known time zone, as every `DutyLog` has. */
export function homeDays(terminal: HomeTerminal): HomeDays {
  const key = `${terminal.timeZone} ${terminal.startOfDay}`;
  const known = terminals.get(key);
  if (known) return known;
  const zone = zoneNamed(terminal.timeZone) ?? UTC;
  const days = makeDays(zone, terminal.startOfDay * 60_000);
  if (terminals.size >= REMEMBERED) terminals.clear();
  terminals.set(key, days);
  return days;
}

/** `YYYY-MM-DD` */
export function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = new Date(day * DAY).toISOString().slice(0, 10);
  dates.set(day, date);
  return date;
}

const DAY = 86_400_000;
const UTC: Zone = { offsetAt: () => 0 };
/** Starts of days are cached: the time zone lookup costs more than the rest of an evaluation. */
const REMEMBERED = 200;
const terminals = new Map<string, HomeDays>();
const dates = new Map<number, string>();

function makeDays(zone: Zone, hour: number): HomeDays {
  const starts = new Map<number, EpochMs>();
  let offset = 0;
  const startOf = (day: number): EpochMs => {
    const known = starts.get(day);
    if (known !== undefined) return known;
    const start = firstInstantAt(day * DAY + hour, zone);
    starts.set(day, start);
    offset = day * DAY + hour - start;
    return start;
  };
  const dayOf = (instant: EpochMs): number => {
    let day = Math.floor((instant + offset - hour) / DAY);
    while (startOf(day) > instant) day--;
    while (startOf(day + 1) <= instant) day++;
    return day;
  };
  return { startOf, dayOf };
}
