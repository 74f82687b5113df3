import type { MeasureSystem } from '../format/measure.ts';
import { keptValue, SIZE_FIELDS, type SizeField, unitOf, WORD_FIELDS, type WordField } from './fields.ts';

/** `status:moving,idling` matches one of the values; with `not`, none of them. */
export interface WordToken {
  readonly kind: 'word';
  readonly field: WordField;
  readonly not: boolean;
  readonly values: readonly string[];
}

/** `speed>60mph`. The unit is always included, so that a link means the same for every user. */
export interface SizeToken {
  readonly kind: 'size';
  readonly field: SizeField;
  readonly over: boolean;
  readonly amount: number;
  readonly unit: string;
}

export type SearchToken = WordToken | SizeToken;

/** A vehicle matches if it matches every token and every word is in one of its names. */
export interface Search {
  readonly tokens: readonly SearchToken[];
  readonly words: readonly string[];
}

export const NO_SEARCH: Search = { tokens: [], words: [] };

/** A quoted text. The closing quote may be missing at the end. */
const QUOTED = String.raw`"(?:[^"\\]|\\[\s\S]?)*(?:"|$)`;
const VALUE = String.raw`(?:${QUOTED}|[^\s,"][^\s,]*)`;
const WORDS = new RegExp(String.raw`(-?)(${WORD_FIELDS.join('|')}):(${VALUE}(?:,${VALUE})*),?(?=\s|$)`, 'iy');
const SIZE = new RegExp(String.raw`(${SIZE_FIELDS.join('|')})([<>])(-?\d{1,9}(?:\.\d{1,3})?)([a-z%°/]*)(?=\s|$)`, 'iy');
const ANY = new RegExp(String.raw`${QUOTED}|\S+`, 'y');
const VALUES = new RegExp(VALUE, 'g');

/**
 * Parses what the user typed: tokens where they are valid, everything else as plain words. Never fails. Numbers without
 * a unit are in the user's own.
 */
export function parseSearch(text: string, system: MeasureSystem): Search {
  const tokens: SearchToken[] = [];
  const words: string[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  while (at < text.length) {
    const asWords = match(WORDS);
    const asSize = asWords ? null : match(SIZE);
    const token = asWords ? wordToken(asWords, system) : asSize ? sizeToken(asSize, system) : null;
    const piece = token ? (asWords ?? asSize) : match(ANY);
    if (token) addToken(tokens, token);
    else if (piece) {
      const word = unquoted(piece[0]).trim();
      if (word !== '' && !words.includes(word)) words.push(word);
    }
    at += piece?.[0].length ?? 1;
  }
  return { tokens, words };
}

/** Formats a search so that `parseSearch` returns the same search. */
export function formatSearch({ tokens, words }: Search): string {
  return [...tokens.map(formatToken), ...words.map(word => quotedWhere(word, !isPlainWord(word)))].join(' ');
}

export function formatToken(token: SearchToken): string {
  if (token.kind === 'size') return `${token.field}${token.over ? '>' : '<'}${token.amount}${token.unit}`;
  const values = token.values.map(value => quotedWhere(value, !/^[^\s,"]+$/.test(value)));
  return `${token.not ? '-' : ''}${token.field}:${values.join(',')}`;
}

/** Adds a token. If the field already has one, the values are combined, so that each field appears once. */
export function withToken(search: Search, token: SearchToken): Search {
  const tokens = [...search.tokens];
  addToken(tokens, token);
  return { ...search, tokens };
}

/** The search without this token. */
export const withoutToken = (search: Search, token: SearchToken): Search => ({
  ...search,
  tokens: search.tokens.filter(one => formatToken(one) !== formatToken(token)),
});

/** The values chosen for a field, not including excluded ones. */
export const valuesOf = ({ tokens }: Search, field: WordField): readonly string[] =>
  tokens.flatMap(token => (token.kind === 'word' && token.field === field && !token.not ? token.values : []));

/** Adds a value to its field's token, or removes it. */
export function toggleValue(search: Search, field: WordField, value: string): Search {
  const before = valuesOf(search, field);
  const values = before.includes(value) ? before.filter(one => one !== value) : [...before, value];
  const of = (token: SearchToken) => token.kind === 'word' && token.field === field && !token.not;
  const token: WordToken = { kind: 'word', field, not: false, values };
  if (!search.tokens.some(of)) return { ...search, tokens: [...search.tokens, token] };
  const tokens = search.tokens.flatMap(one => (of(one) ? (values.length > 0 ? [token] : []) : [one]));
  return { ...search, tokens };
}

function wordToken([, minus, name = '', list = '']: RegExpExecArray, system: MeasureSystem): WordToken | null {
  const field = name.toLowerCase() as WordField;
  const values = (list.match(VALUES) ?? []).map(value => keptValue(field, unquoted(value), system));
  if (values.length === 0 || values.includes(null)) return null;
  return { kind: 'word', field, not: minus === '-', values: unique(values as string[]) };
}

function sizeToken([, name = '', sign, amount, unit = '']: RegExpExecArray, system: MeasureSystem): SizeToken | null {
  const field = name.toLowerCase() as SizeField;
  const known = unitOf(field, unit, system);
  // Adding 0 turns -0 into 0.
  return known === null ? null : { kind: 'size', field, over: sign === '>', amount: Number(amount) + 0, unit: known };
}

function addToken(tokens: SearchToken[], token: SearchToken): void {
  const at = tokens.findIndex(one =>
    token.kind === 'word'
      ? one.kind === 'word' && one.field === token.field && one.not === token.not
      : one.kind === 'size' && one.field === token.field && one.over === token.over,
  );
  const before = tokens[at];
  if (!before) tokens.push(token);
  else if (token.kind === 'word' && before.kind === 'word')
    tokens[at] = { ...before, values: unique([...before.values, ...token.values]) };
  // Of two limits, the later one replaces the earlier one.
  else tokens[at] = token;
}

/** Without duplicates, ignoring case. The first spelling wins. */
const unique = (values: readonly string[]): string[] =>
  [...new Map(values.toReversed().map(value => [value.toLowerCase(), value])).values()].toReversed();

/** Whether a word can be written without quotes: it wouldn't be read as a token or as several words. */
function isPlainWord(word: string): boolean {
  if (!/^[^\s"]\S*$/.test(word)) return false;
  const { tokens, words } = parseSearch(word, { distance: 'km', volume: 'l', temperature: 'c' });
  return tokens.length === 0 && words.length === 1 && words[0] === word;
}

const quotedWhere = (text: string, needed: boolean): string => (needed ? `"${text.replace(/["\\]/g, '\\$&')}"` : text);

function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  // An unescaped quote at the end is the closing quote.
  return text.replace(/^"((?:[^"\\]|\\[\s\S]?)*)"?$/, '$1').replace(/\\([\s\S])/g, '$1');
}
