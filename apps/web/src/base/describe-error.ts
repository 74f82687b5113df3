import { NetworkError, ProblemError } from '@milepost/client';
import type { FieldError } from '@milepost/contract';
import { i18n } from './i18n.ts';
import { problemWords } from './problem-words.ts';

/** A failure in words for the user, whatever it was [R8.05]. */
export interface ErrorDescription {
  readonly message: string;
  /** What to say beside single fields of a form. */
  readonly fields: readonly FieldError[];
  /** Id to quote; the server's log has the same one. */
  readonly reference: string | null;
}

/** The one place that turns a failure into a message. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ProblemError) {
    const { title, errors = [], instance } = error.problem;
    return {
      message: problemWords(error, title),
      fields: errors.map(wrong => ({ ...wrong, message: problemWords(wrong, wrong.message) })),
      reference: instance ?? null,
    };
  }
  const message = error instanceof NetworkError ? i18n.t('errors:unreachable') : i18n.t('errors:unexpected');
  return { message, fields: [], reference: null };
}
