import type { FieldError, Problem } from '@milepost/contract';

/** The server refused the request (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }
  /** One of the contract's codes, or a code that only a newer server knows. */
  get code(): string {
    return this.problem.code;
  }
  get params(): Readonly<Record<string, string | number>> {
    return this.problem.params ?? {};
  }
  get fieldErrors(): readonly FieldError[] {
    return this.problem.errors ?? [];
  }
}

/**
 * No answer from our server. `unreachable`: nothing came back, or the answer broke off. `foreign`: something in between
 * answered instead of the server, such as a captive portal, or a proxy whose server is down.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly reason: 'unreachable' | 'foreign';
  /** HTTP status of a foreign answer; null if `unreachable`. */
  readonly status: number | null;

  constructor(reason: NetworkError['reason'], status: number | null, cause?: unknown) {
    super(
      reason === 'unreachable' ? 'The server did not answer.' : 'Something else answered in place of the server.',
      cause === undefined ? undefined : { cause },
    );
    this.reason = reason;
    this.status = status;
  }
}
