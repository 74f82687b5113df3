import { ascii } from '../bytes.ts';
import { type FramePart, Walk } from './walk.ts';

const utf8 = new TextDecoder();
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
/** Deeper values are named by the start of their path. */
const DEEPEST = 8;

/** A JSON document: each value with its path and the text before it. Damaged documents are accepted. */
export function explainJson(bytes: Uint8Array): readonly FramePart[] {
  const walk = new Walk(bytes);
  const path: (string | number)[] = [];
  let key = '';
  let at = 0;
  const open: ('{' | '[')[] = [];
  const value = (from: number, to: number): void => {
    const name = [...path.slice(0, DEEPEST), ...(open.at(-1) === '{' ? [key] : [])].join('.') || 'value';
    walk.take(name, to - walk.at, () => utf8.decode(bytes.subarray(from, to)).replace(/^"(.*)"$/s, '$1'));
    if (open.at(-1) === '[') count();
  };
  const count = (): void => {
    const last = path.at(-1);
    if (typeof last === 'number') path[path.length - 1] = last + 1;
  };
  while (at < bytes.length) {
    const sign = String.fromCharCode(bytes[at] ?? 0);
    if (sign === '{' || sign === '[') {
      if (open.at(-1) === '{') path.push(key);
      if (sign === '[') path.push(0);
      open.push(sign);
      at++;
    } else if (sign === '}' || sign === ']') {
      open.pop();
      if (sign === ']') path.pop();
      if (open.at(-1) === '{') path.pop();
      else count();
      at++;
    } else if (sign === '"') {
      const end = stringEnd(bytes, at);
      if (open.at(-1) === '{' && isKey(bytes, end)) key = ascii(bytes.subarray(at + 1, end - 1));
      else value(at, end);
      at = end;
    } else if (/[-\w.]/.test(sign)) {
      const from = at;
      while (at < bytes.length && /[-+\w.]/.test(String.fromCharCode(bytes[at] ?? 0))) at++;
      value(from, at);
    } else at++;
  }
  walk.rest('end', () => '');
  return walk.parts;
}

function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

function isKey(bytes: Uint8Array, end: number): boolean {
  let at = end;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return bytes[at] === 0x3a;
}
