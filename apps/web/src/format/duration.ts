import { formatLocale, numberFormat } from './locale.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, '0');
/** Clocks of trackers, server and devices differ slightly, so a time in the future counts as now. */
const atLeastZero = (ms: number): number => Math.max(0, ms);

/** Whether to say "for 5 m or longer": of what was first seen within the last minute, it would say nothing. */
export const isWorthSaying = (isAtLeast: boolean, ms: number): boolean => !isAtLeast || ms >= MINUTE;

/** The symbol for days: `j` for `jour` in French, otherwise `d`. */
const daySign = (): string => (formatLocale().startsWith('fr') ? 'j' : 'd');

/** The age of a value in one unit: `2 s`, `23 m`, `5 h`, `2 d`. */
export function formatAge(ms: number): string {
  const age = atLeastZero(ms);
  if (age < MINUTE) return `${Math.floor(age / SECOND)} s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} m`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h`;
  return `${Math.floor(age / DAY)} ${daySign()}`;
}

/** How long something lasts: `45 s`, `18 m`, `2 h 01 m`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  const length = atLeastZero(ms);
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} m`;
  if (length < 2 * DAY) return `${Math.floor(length / HOUR)} h ${two(Math.floor((length % HOUR) / MINUTE))} m`;
  return `${Math.floor(length / DAY)} ${daySign()} ${Math.floor((length % DAY) / HOUR)} h`;
}

/** A total duration, without seconds: `0 m`, `18 m`, `2 h 01 m`. */
export const formatTotal = (ms: number): string => (ms < MINUTE ? '0 m' : formatDuration(ms));

/** A driver's hours: as `formatTotal`, with `min`, because `25 m` beside miles reads as meters: `25 min`, `2 h 01 min`. */
export const formatHours = (ms: number): string => formatTotal(ms).replace(/ m$/, ' min');

/** Seconds as hours and minutes, rounded down to whole minutes, as usual for legal clocks: `4:10`. */
export function clockFigure(seconds: number): string {
  const minutes = Math.floor(Math.max(0, seconds) / 60);
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
}

/** An age in full words, for screen readers: "2 seconds", "23 minutes". */
export function spokenAge(ms: number): string {
  const age = atLeastZero(ms);
  const [count, unit] =
    age < MINUTE
      ? ([Math.floor(age / SECOND), 'second'] as const)
      : age < HOUR
        ? ([Math.floor(age / MINUTE), 'minute'] as const)
        : age < 2 * DAY
          ? ([Math.floor(age / HOUR), 'hour'] as const)
          : ([Math.floor(age / DAY), 'day'] as const);
  return numberFormat({ style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
