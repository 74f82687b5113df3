/** How a row of the protocol's tables is written here: tag, bytes, attribute, unit, and how to read the value. */
export type TagRow = readonly [tag: number, bytes: number, name: string, unit: string, reading?: Reading];

export interface Reading {
  /** Steps of the unit. */
  readonly scale?: number;
  readonly signed?: boolean;
  /**
   * `hex`: an identification, highest byte first; `bytes`: as sent; `text`; `flag`: 1 is yes. Anything else is a number
   * or, under the name of a special reading, in `special.ts`.
   */
  readonly form?: 'hex' | 'bytes' | 'text' | 'flag' | 'special';
}

export const MILLI = 1 / 1000;
/** A thermometer that has been taken off sends this identifier, with -128 °C. */
export const NO_PROBE = 127;
export const SIGNED = { signed: true } as const;
export const SPECIAL = { form: 'special' } as const;
export const BYTES = { form: 'bytes' } as const;
export const TEXT = { form: 'text' } as const;

/** The same tag several times; `#` in the name is its number. */
export const numbered = (
  from: number,
  to: number,
  bytes: number,
  name: string,
  unit: string,
  { first = 1, ...reading }: Reading & { readonly first?: number } = {},
): TagRow[] =>
  Array.from({ length: to - from + 1 }, (_, i) => [
    from + i,
    bytes,
    name.replace('#', String(first + i)),
    unit,
    reading,
  ]);
