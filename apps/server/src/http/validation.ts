import { type FieldError, fieldError, fieldErrorOf, type Route, type RouteParsed } from '@milepost/contract';
import type { z } from 'zod';
import { AppError } from '../app-error.ts';

interface Parts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Parses a request with its route's schemas. Reports all errors at once, with the contract's codes. */
export function parseRequest<R extends Route>(route: R, parts: Parts): RouteParsed<R> {
  if (unstorableIn(parts.params) !== null) throw new AppError('not-found');
  const unstorable: FieldError[] = [parts.query, parts.body].flatMap(part => {
    const field = unstorableIn(part);
    return field === null ? [] : [fieldError(field, 'control-character')];
  });
  const errors: FieldError[] = [];
  const read = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    errors.push(...result.error.issues.map(fieldErrorOf));
    return undefined;
  };
  const params = read(route.params, parts.params);
  // An invalid ID gets the same response as one that does not exist or belongs to another account.
  if (errors.length > 0) throw new AppError('not-found');
  const query = read(route.query, parts.query);
  const body = read(route.body, parts.body ?? (route.bodyType === 'text/csv' ? '' : {}));
  errors.push(...unstorable.filter(({ field }) => !errors.some(error => error.field === field)));
  if (errors.length > 0) throw new AppError('invalid-input', {}, { errors });
  return { params, query, body } as RouteParsed<R>;
}

/**
 * The path of a text in the request that the database can't store: with a NUL or a lone UTF-16 surrogate, which JSON
 * allows. Null if there is none.
 */
function unstorableIn(part: unknown): string | null {
  // No recursion: JSON may be nested deeper than the stack.
  const open: [value: unknown, path: string][] = [[part, '']];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, path] = next;
    const text = value instanceof File ? value.name : value;
    if (typeof text === 'string' && !isStorable(text)) return path;
    if (typeof value !== 'object' || value === null || value instanceof File || isBytes(value)) continue;
    for (const [key, item] of Object.entries(value)) {
      if (!isStorable(key)) return path;
      open.push([item, path === '' ? key : `${path}.${key}`]);
    }
  }
  return null;
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
const isBytes = (value: object): boolean => ArrayBuffer.isView(value) || 'pipe' in value;
