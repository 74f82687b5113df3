import type { MeasureSystem } from '../../../../format/measure.ts';
import { ownUnit, type SizeField, type WordField } from '../../../../search-tokens/fields.ts';
import type { SearchToken } from '../../../../search-tokens/search-text.ts';

/** The limits that the form offers, each in the direction people use. */
export const LIMITS = [
  { field: 'fuel', over: false },
  { field: 'speed', over: true },
  { field: 'age', over: true },
  { field: 'days', over: false },
] as const satisfies readonly { readonly field: SizeField; readonly over: boolean }[];
export type Limit = (typeof LIMITS)[number];

/** The amount of a limit as text for a field, and its unit. */
export function limitOf(tokens: readonly SearchToken[], { field, over }: Limit, system: MeasureSystem) {
  const token = tokens.find(one => one.kind === 'size' && one.field === field && one.over === over);
  return token?.kind === 'size'
    ? { amount: String(token.amount), unit: token.unit }
    : { amount: '', unit: ownUnit(field, system) };
}

/** The tokens with this limit, or without it if the text is not a number. */
export function withLimit(
  tokens: readonly SearchToken[],
  { field, over }: Limit,
  text: string,
  unit: string,
): readonly SearchToken[] {
  const rest = tokens.filter(one => !(one.kind === 'size' && one.field === field && one.over === over));
  const amount = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(amount) ? [...rest, { kind: 'size', field, over, amount, unit }] : rest;
}

export const wordOf = (tokens: readonly SearchToken[], field: WordField): string =>
  tokens.flatMap(one => (one.kind === 'word' && one.field === field && !one.not ? one.values : []))[0] ?? '';

/** The tokens with this one value of a field, or without the field. */
export function withWord(tokens: readonly SearchToken[], field: WordField, value: string): readonly SearchToken[] {
  const rest = tokens.filter(one => !(one.kind === 'word' && one.field === field && !one.not));
  return value === '' ? rest : [...rest, { kind: 'word', field, not: false, values: [value] }];
}
