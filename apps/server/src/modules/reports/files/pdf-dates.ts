import type { Language } from '@milepost/contract';

/** Dates and times on paper, as the reader's language writes them. A printed report is about days of one season. */
export class PaperDates {
  readonly #language: Language;
  readonly #zone: string;
  readonly #formats = new Map<string, Intl.DateTimeFormat>();
  /** Of other years, the year is said. */
  readonly #year: string;

  constructor(language: Language, zone: string, lastDay: string) {
    this.#language = language;
    this.#zone = zone;
    this.#year = lastDay.slice(0, 4);
  }

  /** `Nov 23, 14:02`. */
  moment(iso: string): string {
    const year = this.#inZone('year', { year: 'numeric' }, iso);
    const day = this.#inZone('day', { day: 'numeric', month: 'short' }, iso);
    const time = this.#time(iso);
    return year === this.#year ? `${day}, ${time}` : `${day}, ${year}, ${time}`;
  }

  /** A later moment of a row: its time alone if it is on the day of the first one. */
  laterMoment(first: string, iso: string): string {
    return this.moment(first).slice(0, -5) === this.moment(iso).slice(0, -5) ? this.#time(iso) : this.moment(iso);
  }

  /** `Nov 23, 2026`. */
  day(date: string): string {
    return this.#format('date', { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`));
  }

  month(date: string): string {
    const month = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    return this.#format('month', month).format(Date.parse(`${date}T00:00:00Z`));
  }

  /** `Nov 21 – 28, 2026`. */
  period(from: string, to: string): string {
    return this.#format('date', { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(
      Date.parse(`${from}T00:00:00Z`),
      Date.parse(`${to}T00:00:00Z`),
    );
  }

  #time(iso: string): string {
    return this.#inZone('time', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, iso);
  }

  #inZone(name: string, options: Intl.DateTimeFormatOptions, iso: string): string {
    return this.#format(name, { ...options, timeZone: this.#zone }).format(Date.parse(iso));
  }

  #format(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const format = this.#formats.get(name) ?? new Intl.DateTimeFormat(this.#language, options);
    this.#formats.set(name, format);
    return format;
  }
}
