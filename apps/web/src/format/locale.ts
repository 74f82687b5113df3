/** The locale that formats numbers, dates and lists. It follows the language of the app's texts. */
let locale = 'en-US';
let timeZone: string | undefined;
const made = new Map<string, unknown>();

export function setFormatLocale(next: string): void {
  locale = next;
  made.clear();
}

export const formatLocale = (): string => locale;

/** The time zone for times; undefined for this device's own. */
export function setFormatTimeZone(zone: string | undefined): void {
  timeZone = zone;
  made.clear();
}

/** Formatters are expensive to create, so they are cached until the language changes. */
function kept<T>(kind: string, options: object, make: () => T): T {
  const key = kind + JSON.stringify(options);
  const known = made.get(key);
  if (known !== undefined) return known as T;
  const fresh = make();
  made.set(key, fresh);
  return fresh;
}

export const numberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  kept('number', options, () => new Intl.NumberFormat(locale, options));

export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  kept('date', options, () => new Intl.DateTimeFormat(locale, { ...options, timeZone: options.timeZone ?? timeZone }));

/** `a, b and c`, or `a, b or c`. */
export const listOf = (words: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  kept('list', { type }, () => new Intl.ListFormat(locale, { type })).format(words);

/** Sorts names as people expect: `Truck 9` before `Truck 10`, `é` next to `e`. */
export const nameCollator = (): Intl.Collator =>
  kept('names', {}, () => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }));

/** A count with the language's separators: `12,480`. */
export const formatCount = (count: number): string => numberFormat().format(count);
