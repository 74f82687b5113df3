/**
 * Reads what this browser stored on an earlier visit, maybe with another version of the app. Only for what the first
 * page needs: zod would be a seventh of that page's code, so it loads with the first form.
 */
export type Reader<T> = (value: unknown) => T;

/** A reader for values that pass a test. Every reader throws on anything else. */
export const that =
  <T>(is: (value: unknown) => value is T): Reader<T> =>
  value => {
    if (!is(value)) throw new TypeError('This was kept by another version.');
    return value;
  };

export const text = that(value => typeof value === 'string');
export const flag = that(value => typeof value === 'boolean');
export const whole = that((value): value is number => Number.isSafeInteger(value));

export const oneOf = <const T>(choices: readonly T[]): Reader<T> =>
  that((value): value is T => choices.includes(value as T));

export const orNull =
  <T>(read: Reader<T>): Reader<T | null> =>
  value =>
    value === null ? null : read(value);

export const listOf =
  <T>(read: Reader<T>): Reader<T[]> =>
  value =>
    that((list): list is unknown[] => Array.isArray(list))(value).map(read);

/** Reads an object with these fields and drops all others. */
export const fields =
  <T extends object>(readers: { readonly [K in keyof T]-?: Reader<T[K]> }): Reader<T> =>
  value => {
    const given = that((object): object is Record<string, unknown> => typeof object === 'object' && object !== null)(
      value,
    );
    const names = Object.keys(readers) as (keyof T & string)[];
    return Object.fromEntries(names.map(name => [name, readers[name](given[name])])) as T;
  };

/** Reads a stored value. Returns null if there is none or another version wrote it; the server is asked in any case. */
export function readKept<T>(key: string, read: Reader<T>): T | null {
  try {
    return read(JSON.parse(localStorage.getItem(key) ?? ''));
  } catch {
    return null;
  }
}
