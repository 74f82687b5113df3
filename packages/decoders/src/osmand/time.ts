import { type EpochMs, epochMs } from '@milepost/units';

/** As seconds, larger numbers would be after the year 5138, so they are milliseconds. */
const MILLISECONDS_FROM = 1e11;

/** What a clock can have, as for any report: other numbers, such as a time of day, are not seconds since 1970. */
const EARLIEST = Date.UTC(2001, 0);
const LATEST = Date.UTC(2070, 0);

/** The moment in a parameter whose name does not say that it is one; null if it can't be. */
export function momentIn(text: string | null): EpochMs | null {
  const time = text === null ? null : readTimestamp(text);
  return time !== null && time >= EARLIEST && time < LATEST ? time : null;
}

/** An unescaped `+` of an offset arrives as a space. */
const WRITTEN =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s?(?:Z|UTC|GMT|([+\- ])(\d{2}):?(\d{2})?)?$/i;

/** `yyyyMMddHHmmss`, which as milliseconds would be after the year 2600. */
const COMPACT = /^(20\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;

/**
 * Seconds or milliseconds since 1970, digits starting with the year, ISO 8601, or `yyyy-MM-dd HH:mm:ss` with optional
 * seconds; UTC if there is no offset. Null: not a time.
 */
export function readTimestamp(text: string): EpochMs | null {
  if (COMPACT.test(text)) return readTimestamp(text.replace(COMPACT, '$1-$2-$3 $4:$5:$6'));
  // Some languages write large decimal numbers as `1.7726E9`.
  if (/^\d{1,16}(\.\d{1,16}(E\+?\d{1,2})?)?$/i.test(text)) {
    const number = Number(text);
    return epochMs(Math.round(number >= MILLISECONDS_FROM ? number : number * 1000));
  }
  const match = WRITTEN.exec(text);
  if (!match) return null;
  const [, date, time, sign, hours, minutes] = match;
  const zone = sign === undefined ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes ?? '00'}`;
  const parsed = Date.parse(`${date}T${time?.replace(',', '.')}${zone}`);
  return Number.isNaN(parsed) ? null : epochMs(parsed);
}
