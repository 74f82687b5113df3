/**
 * Exactly one text for each value (RFC 8785, JSON Canonicalization Scheme): keys sorted by their UTF-16 code units, no
 * spaces, numbers and strings as ECMAScript writes them. Hashes are always taken of this text.
 */

/** Our entries are less than half this deep; a hostile file may be deeper. */
const DEEPEST = 32;

/** Null for values that JSON can’t represent, and for values nested too deep. */
export function canonicalJson(value: unknown): string | null {
  return write(value, DEEPEST);
}

function write(value: unknown, depth: number): string | null {
  if (depth === 0) return null;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : null;
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : null;
  if (typeof value !== 'object') return null;
  const parts = Array.isArray(value)
    ? value.map(item => write(item, depth - 1))
    : Object.keys(value)
        .sort()
        .map(key => member(key, (value as Readonly<Record<string, unknown>>)[key], depth));
  if (parts.includes(null)) return null;
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

function member(key: string, value: unknown, depth: number): string | null {
  const name = write(key, 1);
  const text = write(value, depth - 1);
  return name === null || text === null ? null : `${name}:${text}`;
}
