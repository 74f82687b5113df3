/**
 * Reads what this browser kept from an earlier visit, which another version of the app may have written. For what the
 * first page needs: zod comes with the first form, and would be a seventh of that page's code.
 */
export type Reader<T> = (value: unknown) => T;

/** A reader of what passes a test. Every reader throws at anything else. */
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

/** These fields and no others. */
export const fields =
  <T extends object>(readers: { readonly [K in keyof T]-?: Reader<T[K]> }): Reader<T> =>
  value => {
    const given = that((object): object is Record<string, unknown> => typeof object === 'object' && object !== null)(
      value,
    );
    const names = Object.keys(readers) as (keyof T & string)[];
    return Object.fromEntries(names.map(name => [name, readers[name](given[name])])) as T;
  };

/** Null where nothing was kept, or by another version: the server is asked anyway. */
export function readKept<T>(key: string, read: Reader<T>): T | null {
  try {
    return read(JSON.parse(localStorage.getItem(key) ?? ''));
  } catch {
    return null;
  }
}
