/** Bytes in the record; `x` is of variable length, which only Codec 8 Extended has. */
export type ElementBytes = 1 | 2 | 4 | 8 | 'x';

/**
 * id, name, bytes, unit, scale to that unit (default 1), signed (default no). `flag` is a boolean; `hex`, `text`,
 * `digits` are strings.
 */
export type ElementRow = readonly [
  id: number,
  name: string,
  bytes: ElementBytes,
  unit: string,
  scale?: number,
  signed?: 'signed',
];
