import { type FieldError, PROBLEMS, type ProblemCode, problemTitle } from '@milepost/contract';

export type ProblemParams = Readonly<Record<string, string | number>>;

/** What goes wrong on purpose: a code of the contract, from which status and sentence follow. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ProblemCode;
  readonly params: ProblemParams;
  readonly errors: readonly FieldError[];
  /** When to try again, for `Retry-After`. */
  readonly retryAfterS: number | null;

  constructor(
    code: ProblemCode,
    params: ProblemParams = {},
    errors: readonly FieldError[] = [],
    retryAfterS: number | null = null,
  ) {
    super(problemTitle(code, params));
    this.code = code;
    this.params = params;
    this.errors = errors;
    this.retryAfterS = retryAfterS;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** "Try again in 4 minutes": a wait in the words of the sentence, rounded up. */
export function waitInWords(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return whole === 1 ? '1 second' : `${whole} seconds`;
  const minutes = Math.ceil(whole / 60);
  if (minutes < 60) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? '1 hour' : `${hours} hours`;
}

export function tooMany(code: 'too-many-tries' | 'too-many-requests', waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError(code, { wait: waitInWords(seconds) }, [], seconds);
}
