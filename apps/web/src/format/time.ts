import { dateFormat } from './locale.ts';

const hourMinute = () => dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayParts = () => dateFormat({ weekday: 'short', day: 'numeric', month: 'short' });
const zoneName = () => dateFormat({ timeZoneName: 'short' });

/** `14:02`, in this device's zone. */
export const formatTime = (ms: number): string => hourMinute().format(ms);

/** `Thu 19 Nov`. */
export function formatDay(ms: number): string {
  const parts = new Map(
    dayParts()
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.get('weekday')} ${parts.get('day')} ${parts.get('month')}`;
}

/** The time alone today, with the day before it otherwise: `14:02`, `Thu 19 Nov 14:02`. */
export function formatMoment(ms: number, nowMs: number): string {
  return startOfDay(ms) === startOfDay(nowMs) ? formatTime(ms) : `${formatDay(ms)} ${formatTime(ms)}`;
}

/** The zone that the times are in: `EST`, `GMT+1`. */
export const formatZone = (ms: number): string =>
  zoneName()
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Midnight of this device's zone; a day may have 23 or 25 hours. */
export function startOfDay(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

export function endOfDay(ms: number): number {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}
