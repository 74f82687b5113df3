/**
 * How a row of Ruptela's "FM IO list" is written here: id, bytes, attribute, unit, and how to read the value if it is
 * not a plain number. An element counts only in the size of its row.
 */
export type ElementRow = readonly [id: number, bytes: 1 | 2 | 4 | 8, name: string, unit: string, reading?: Reading];

export interface Reading {
  /** Steps of the unit, "Multiplier". */
  readonly scale?: number;
  /** In the unit, "offset". */
  readonly offset?: number;
  readonly signed?: boolean;
  /** Raw values below and above are the list's "error values". */
  readonly lowest?: number;
  readonly highest?: number;
  /**
   * `flag`: 1 is yes, 0 is no, others mean unknown; `off flag`: 0 is yes; `drivers`: two numbers, of the first and of
   * the second driver; anything else a number or, of eight bytes, hexadecimal.
   */
  readonly form?: 'flag' | 'off flag' | 'drivers';
  /** What each bit means, from the lowest; each becomes an attribute. */
  readonly bits?: readonly (string | null)[];
}

export const MILLI = 1 / 1000;
export const KMH = 1 / 3.6;
export const HOUR = 3600;
export const MINUTE = 60;
/** Parameters of SAE J1939 and FMS: above these they are errors or not available. */
export const FMS1 = { highest: 250 } as const;
export const FMS2 = { highest: 64_255 } as const;
export const FMS4 = { highest: 4_211_081_215 } as const;
/** All bits set mean no value. */
export const SET1 = { highest: 254 } as const;
export const SET2 = { highest: 65_534 } as const;
export const SET4 = { highest: 0xffff_fffe } as const;
export const FLAG = { form: 'flag' } as const;

export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The same element several times: `#` in the name is its number, from 1. */
export const numbered = (
  ids: readonly number[],
  bytes: 1 | 2 | 4 | 8,
  name: string,
  unit: string,
  reading?: Reading,
): ElementRow[] => ids.map((id, i) => [id, bytes, name.replace('#', String(i + 1)), unit, reading]);
