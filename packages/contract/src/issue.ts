import type { z } from 'zod';
import type { FIELD_PROBLEMS, FieldProblemCode } from './field-problems.ts';
import type { ParamsArgument, ProblemParams } from './problem-text.ts';

/** The message is all that Zod carries from a check to its issue, so the code and params are encoded in it. */
const MARK = 'problem:';

/** The error for a failed check, by code. */
export function issue<C extends FieldProblemCode>(
  code: C,
  ...args: ParamsArgument<(typeof FIELD_PROBLEMS)[C]>
): string {
  const [params = {}] = args as [ProblemParams?];
  const query = new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${MARK}${code}${query.size > 0 ? `?${query}` : ''}`;
}

export interface CodedProblem {
  readonly code: string;
  readonly params: ProblemParams;
}

export const isCoded = ({ message }: { readonly message: string }): boolean => message.startsWith(MARK);

/** The code and params of an issue; a check without our message gets a general code. */
export function problemOfIssue(found: z.core.$ZodIssue): CodedProblem {
  if (!isCoded(found)) return generalProblem(found);
  const [code = '', query] = found.message.slice(MARK.length).split('?', 2);
  const params = [...new URLSearchParams(query)].map(([name, value]) => [
    name,
    NUMBER.test(value) ? Number(value) : value,
  ]);
  return { code, params: Object.fromEntries(params) as ProblemParams };
}
const NUMBER = /^-?\d+(\.\d+)?$/;

function generalProblem(found: z.core.$ZodIssue): CodedProblem {
  const of = (code: FieldProblemCode, params: ProblemParams = {}): CodedProblem => ({ code, params });
  switch (found.code) {
    case 'invalid_type':
      return of(found.input === undefined && found.message.includes('undefined') ? 'required' : 'invalid');
    case 'too_small': {
      const min = Number(found.minimum);
      if (found.origin === 'string') return min <= 1 ? of('required') : of('min-length', { min });
      return of(COUNTED.has(found.origin) ? 'too-few' : 'at-least', { min });
    }
    case 'too_big': {
      const max = Number(found.maximum);
      if (found.origin === 'string') return of('max-length', { max });
      return of(COUNTED.has(found.origin) ? 'too-many' : 'at-most', { max });
    }
    case 'invalid_value':
      return of('invalid-choice');
    case 'unrecognized_keys':
      return of('unknown-field', { name: found.keys.join(', ') });
    default:
      return of('invalid');
  }
}
const COUNTED: ReadonlySet<string> = new Set(['array', 'set', 'map']);
