/**
 * Names of the database's journal files ("WAL segments"): timeline, number of 4 GB, number within them, eight
 * hexadecimal digits each (PostgreSQL documentation, "WAL Internals").
 */
export const SEGMENT = /^[0-9A-F]{24}$/;

/** The segment after this one, on the same timeline, with segments of 16 MB as `initdb` makes them. */
export function nextSegment(name: string): string {
  const within = Number.parseInt(name.slice(16), 16);
  const high = Number.parseInt(name.slice(8, 16), 16);
  return within === 0xff ? name.slice(0, 8) + hex(high + 1) + hex(0) : name.slice(0, 16) + hex(within + 1);
}

const hex = (number: number): string => number.toString(16).toUpperCase().padStart(8, '0');
