import type { Socket } from 'node:net';
import type { Problem } from '@milepost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../app-error.ts';

/** No room for rows, or for files. */
const FULL = /^(53100|ENOSPC|EDQUOT)$/;
/** Errors that mean PostgreSQL is unavailable: connection lost, refused or exhausted, shutting down. */
const DATABASE_AWAY = /^(08\w{3}|53\w{3}|57P0[1-5]|58030|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** PostgreSQL's text and JSON can't contain NUL. Requests are checked beforehand, but streamed files are not. */
const NOT_IN_CHARACTER_SET = '22021';
const NOT_IN_JSON_TEXT = '22P05';

/** Installs the one error handler that turns an error into a response (RFC 9457) and logs unknown errors. */
export function answerProblems(fastify: FastifyInstance): void {
  fastify.setErrorHandler(async (error, request, reply) => {
    const problem = toAppError(error, request);
    // A client that disconnected during its request is not our error.
    if (problem.status >= 500 && !request.socket.destroyed) request.log.error({ err: error }, 'A request failed');
    return sendProblem(reply, problem);
  });
}

const OF_ANOTHER_ANSWER = ['content-encoding', 'content-length', 'content-disposition', 'content-range', 'etag'];

export function sendProblem(reply: FastifyReply, error: AppError): FastifyReply {
  // Headers of the failed answer describe its body, not the problem's.
  for (const name of OF_ANOTHER_ANSWER) reply.removeHeader(name);
  if (error.retryAfterS !== null) reply.header('retry-after', error.retryAfterS);
  // RFC 6750 section 3: how to authenticate, on every 401.
  if (error.status === 401) {
    const isBasic = reply.request.routeOptions.config?.contract?.basic;
    reply.header('www-authenticate', isBasic ? ['Basic realm="protected", charset="UTF-8"', 'Bearer'] : 'Bearer');
  }
  reply.header('cache-control', 'no-store');
  return reply
    .code(error.status)
    .type('application/problem+json')
    .send(JSON.stringify(problemBody(error, reply.request.id)));
}

function problemBody(error: AppError, requestId: string): Problem {
  return {
    type: `/problems/${error.code}`,
    title: error.message,
    status: error.status,
    code: error.code,
    instance: requestId,
    ...(Object.keys(error.params).length > 0 && { params: { ...error.params } }),
    ...(error.errors.length > 0 && { errors: [...error.errors] }),
  };
}

/** Without a request there is no ID to quote. */
export function problemOf(error: AppError): Problem {
  const { instance: _, ...problem } = problemBody(error, '');
  return problem;
}

/** The cause of an unknown error is only logged: the caller gets `internal` and a request ID to quote. */
export function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = failureOf(error);
  // An unreadable file: the plugin that serves files gives no code.
  if (code === null && statusCode === 403) return new AppError('not-found');
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('payload-too-large', { limitBytes: request.routeOptions.bodyLimit });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported-media-type', {
        expected: request.routeOptions.config.contract?.bodyType ?? 'JSON',
      });
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return invalidField('', 'not-json');
    case NOT_IN_CHARACTER_SET:
    case NOT_IN_JSON_TEXT:
      return invalidField('', 'control-character');
  }
  // The framework's other refusals mean an unknown path or an unreadable body.
  if (code?.startsWith('FST_') && statusCode !== null && statusCode < 500) {
    return request.is404 || statusCode === 403 || statusCode === 404 || code === 'FST_ERR_BAD_URL'
      ? new AppError('not-found')
      : invalidField('', 'request-unreadable');
  }
  if (code !== null && FULL.test(code)) return new AppError('server-full', {}, { retryAfterS: 30 });
  if (code !== null && DATABASE_AWAY.test(code)) {
    return new AppError('database-unreachable', {}, { retryAfterS: 5 });
  }
  if (isPoolTimeout(error)) return new AppError('database-busy', {}, { retryAfterS: 5 });
  return new AppError('internal');
}

function failureOf(error: unknown): { code: string | null; statusCode: number | null } {
  if (typeof error !== 'object' || error === null) return { code: null, statusCode: null };
  return {
    code: 'code' in error && typeof error.code === 'string' ? error.code : null,
    statusCode: 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null,
  };
}

/** pg and pg-pool raise these without a code. */
function isPoolTimeout(error: unknown): boolean {
  return (
    error instanceof Error &&
    /timeout (expired|exceeded when trying to connect)|Connection terminated/.test(error.message)
  );
}

/** Answers invalid HTTP directly on the socket. */
export function answerBadRequests(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_BAD_REQUEST[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const STATUS_OF_BAD_REQUEST: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};
