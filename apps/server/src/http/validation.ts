import type { FieldError, Route, RouteParsed } from '@milepost/contract';
import type { z } from 'zod';
import { AppError } from './app-error.ts';

interface Parts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Reads a request by its route's schemas. All that is wrong is said at once, with the contract's sentences. */
export function parseRequest<R extends Route>(route: R, parts: Parts): RouteParsed<R> {
  const errors: FieldError[] = [];
  const read = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    errors.push(...fieldErrors(result.error));
    return undefined;
  };
  const params = read(route.params, parts.params);
  // An id that can't be one names nothing: the answer is the same as for one that belongs to someone else.
  if (errors.length > 0) throw new AppError('not-found');
  const query = read(route.query, parts.query);
  const body = read(route.body, parts.body ?? (route.bodyType === 'text/csv' ? '' : {}));
  if (errors.length > 0) throw new AppError('invalid-input', {}, errors);
  return { params, query, body } as RouteParsed<R>;
}

function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.map(issue => ({ field: issue.path.join('.'), code: issue.code, message: issue.message }));
}
