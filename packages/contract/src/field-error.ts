import type { z } from 'zod';
import { FIELD_PROBLEMS, type FieldProblemCode } from './field-problems.ts';
import { isCoded, problemOfIssue } from './issue.ts';
import type { FieldError } from './problem.ts';
import { englishText, type ParamsArgument, type ProblemParams } from './problem-text.ts';
import { PROBLEMS, type ProblemCode, type TitleOf } from './problems.ts';

/** One error in a field, as part of a problem. */
export function fieldError<C extends FieldProblemCode>(
  field: string,
  code: C,
  ...args: ParamsArgument<(typeof FIELD_PROBLEMS)[C]>
): FieldError;
export function fieldError<C extends ProblemCode>(
  field: string,
  code: C,
  ...args: ParamsArgument<TitleOf<C>>
): FieldError;
export function fieldError(
  field: string,
  code: FieldProblemCode | ProblemCode,
  params: ProblemParams = {},
): FieldError {
  const text = code in FIELD_PROBLEMS ? FIELD_PROBLEMS[code as FieldProblemCode] : PROBLEMS[code as ProblemCode].title;
  return withParams(field, code, params, englishText(text, params));
}

/** Converts a schema's issue to a field error. Issues with their own message keep it, for users of the API. */
export function fieldErrorOf(issue: z.core.$ZodIssue): FieldError {
  const { code, params } = problemOfIssue(issue);
  const texts: Readonly<Record<string, string>> = FIELD_PROBLEMS;
  const message = isCoded(issue) ? englishText(texts[code] ?? code, params) : issue.message;
  return withParams(issue.path.join('.'), code, params, message);
}

const withParams = (field: string, code: string, params: ProblemParams, message: string): FieldError => ({
  field,
  code,
  ...(Object.keys(params).length > 0 && { params }),
  message,
});
