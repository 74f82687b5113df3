import { ProblemError } from '@milepost/client';

/** Request Timeout and Too Many Requests (RFC 9110, 15.5.9; RFC 6585, 4): the same request may succeed later. */
const PASSING = new Set([408, 429]);
const AUTOMATIC_TRIES = 3;

/**
 * Whether trying again can help: no response, a server error, or a request to slow down. What the server refused on
 * purpose (400, 401, 403, 404 …) stays refused.
 */
export const canRetry = (error: unknown): boolean =>
  !(error instanceof ProblemError) || error.status >= 500 || PASSING.has(error.status);

/** Whether to retry automatically. Not if the server asked clients to wait. */
export const retriesByItself = (failures: number, error: unknown): boolean =>
  failures < AUTOMATIC_TRIES && canRetry(error) && !(error instanceof ProblemError && PASSING.has(error.status));
