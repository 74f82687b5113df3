import { NetworkError, ProblemError } from '@milepost/client';
import type { FieldError } from '@milepost/contract';
import { i18n } from './i18n.ts';
import { problemWords } from './problem-words.ts';

/** An error of any kind, described for the user [R8.05]. */
export interface ErrorDescription {
  readonly message: string;
  /** Messages for single fields of a form. */
  readonly fields: readonly FieldError[];
  /** The ID that the user can quote to support. The server's log has the same one. */
  readonly reference: string | null;
}

/** Turns any error into a message. No other code does this. */
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
