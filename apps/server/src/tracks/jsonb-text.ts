/** A time as PostgreSQL writes it into JSON, for a session in UTC: `2026-11-20T19:07:30.12+00:00`. */
export function jsonbTime(ms: number): string {
  const iso = new Date(ms).toISOString();
  const end = ms % 1000 === 0 ? -5 : ms % 100 === 0 ? -3 : ms % 10 === 0 ? -2 : -1;
  return `${iso.slice(0, end)}+00:00`;
}

/** A value as PostgreSQL writes it from `jsonb`, to the last character, for numbers that JavaScript has. */
export function jsonbText(value: unknown): string {
  if (typeof value === 'number') return numberText(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => byLength(a, b))
    .map(([key, member]) => `${JSON.stringify(key)}: ${jsonbText(member)}`);
  return `{${members.join(', ')}}`;
}

/** Shorter keys come first, then by their bytes. */
function byLength(a: string, b: string): number {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length - other.length || Buffer.compare(one, other);
}

const EXPONENT = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/;

/** Without an exponent, and a zero without a sign: `jsonb` has decimals. */
function numberText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [, sign = '', first = '', rest = '', exponent = 0] = EXPONENT.exec(text) ?? [];
  const digits = first + rest;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
