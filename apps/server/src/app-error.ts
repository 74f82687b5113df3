import {
  englishText,
  type FIELD_PROBLEMS,
  type FieldError,
  type FieldProblemCode,
  fieldError,
  type ParamsArgument,
  PROBLEMS,
  type ProblemCode,
  type ProblemParams,
  type TitleOf,
} from '@milepost/contract';

interface Extra {
  /** What is wrong with single fields. */
  readonly errors?: readonly FieldError[];
  /** When to try again, for `Retry-After`. */
  readonly retryAfterS?: number | null;
}

type More<C extends ProblemCode> =
  ParamsArgument<TitleOf<C>> extends [infer P] ? [params: P, extra?: Extra] : [params?: ProblemParams, extra?: Extra];

/** A failure the API answers with on purpose: a code of the contract and the params its text needs. */
export class AppError<C extends ProblemCode = ProblemCode> extends Error {
  override name = 'AppError';
  readonly code: ProblemCode;
  readonly params: ProblemParams;
  readonly errors: readonly FieldError[];
  readonly retryAfterS: number | null;

  constructor(code: C, ...more: More<C>) {
    const [params = {}, { errors = [], retryAfterS = null } = {}] = more as [ProblemParams?, Extra?];
    super(englishText(PROBLEMS[code].title, params));
    this.code = code;
    this.params = params;
    this.errors = errors;
    this.retryAfterS = retryAfterS;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** A problem that belongs to one field of a form. */
export function fieldProblem<C extends ProblemCode>(
  field: string,
  code: C,
  ...args: ParamsArgument<TitleOf<C>>
): AppError<C> {
  const [params = {}] = args as [ProblemParams?];
  const errors = [fieldError(field, code, ...args)];
  return new AppError(code, ...([params, { errors }] as unknown as More<C>));
}

/** One field that is wrong; `field` is empty for the request as a whole. */
export const invalidField = <C extends FieldProblemCode>(
  field: string,
  code: C,
  ...args: ParamsArgument<(typeof FIELD_PROBLEMS)[C]>
): AppError => new AppError('invalid-input', {}, { errors: [fieldError(field, code, ...args)] });

export function tooMany(code: 'too-many-tries' | 'too-many-requests' | 'controls-locked', waitMs: number): AppError {
  const waitS = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError(code, { waitS }, { retryAfterS: waitS });
}
