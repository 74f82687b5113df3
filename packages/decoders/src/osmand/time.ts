import { type EpochMs, epochMs } from '@milepost/units';

/** Above this a number of seconds would lie in the year 5138; it counts milliseconds. */
const MILLISECONDS_FROM = 1e11;

/** A `+` of an offset arrives as a space where the sender did not escape it. */
const WRITTEN =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(?:Z|UTC|([+\- ])(\d{2}):?(\d{2})?)?$/;

/** Seconds or milliseconds since 1970, ISO 8601, or `yyyy-MM-dd HH:mm:ss`, the seconds optional; UTC without an offset. Null: no time. */
export function readTimestamp(text: string): EpochMs | null {
  if (/^\d{1,16}(\.\d{1,9})?$/.test(text)) {
    const number = Number(text);
    return epochMs(Math.round(number >= MILLISECONDS_FROM ? number : number * 1000));
  }
  const match = WRITTEN.exec(text);
  if (!match) return null;
  const [, date, time, sign, hours, minutes] = match;
  const zone = sign === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes ?? '00'}`;
  const parsed = Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(parsed) ? null : epochMs(parsed);
}
