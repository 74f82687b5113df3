import type { Problem, Route, RouteAnswer, RouteInput } from '@milepost/contract';
import { NetworkError, ProblemError } from './errors.ts';

export interface HttpClientOptions {
  /** Origin of the server without a slash at its end; empty in the app that the server itself delivers. */
  readonly baseUrl: string;
  /** Bearer token of the session, asked for at every call; null when nobody is signed in [R4.01]. */
  readonly getToken: () => string | null;
  /** The server no longer accepts this token. Not called for a refused sign-in, which carries none. */
  readonly onTokenRefused?: (token: string) => void;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

type Presence<T> = undefined extends T ? 'absent' : object extends T ? 'optional' : 'required';
type PartsThatAre<P extends string, R extends Route> = {
  [K in keyof RouteInput<R>]: Presence<RouteInput<R>[K]> extends P ? K : never;
}[keyof RouteInput<R>];

/** What a call of this route takes: its params, query and body, as far as it has any. */
export type CallInput<R extends Route> = Pick<RouteInput<R>, PartsThatAre<'required', R>> &
  Partial<Pick<RouteInput<R>, PartsThatAre<'optional', R>>> & { [K in PartsThatAre<'absent', R>]?: undefined };

type CallArguments<R extends Route> = [PartsThatAre<'required', R>] extends [never]
  ? [input?: CallInput<R>, options?: CallOptions]
  : [input: CallInput<R>, options?: CallOptions];

export interface HttpClient {
  /**
   * Calls a route of the contract. Input and answer are typed by it and validated by the server, not again here.
   * Fails with `ProblemError`, `NetworkError`, or the signal's reason when it was aborted.
   */
  call<R extends Route>(route: R, ...args: CallArguments<R>): Promise<RouteAnswer<R>>;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, getToken, onTokenRefused } = options;
  // Read at every call, so that a page may wrap it later; called without a receiver, as browsers demand.
  const send: typeof globalThis.fetch = (...args) => (options.fetch ?? globalThis.fetch)(...args);

  async function call<R extends Route>(route: R, ...args: CallArguments<R>): Promise<RouteAnswer<R>> {
    const [input, { signal } = {}] = args;
    const { params, query, body } = (input ?? {}) as Untyped;
    const token = getToken();
    const request = {
      method: route.method,
      headers: headersOf(route, token, body),
      ...(body === undefined ? {} : { body: route.bodyType === 'text/csv' ? String(body) : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    };
    try {
      const response = await send(baseUrl + pathOf(route.path, params) + queryOf(query), request);
      const answer = await read(response);
      if (response.ok) return answer as RouteAnswer<R>;
      if (!isProblem(answer)) throw new NetworkError('foreign', response.status);
      if (response.status === 401 && token !== null) onTokenRefused?.(token);
      throw new ProblemError(answer);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof ProblemError || error instanceof NetworkError) throw error;
      throw new NetworkError('unreachable', null, error);
    }
  }

  return { call };
}

interface Untyped {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

function headersOf(route: Route, token: string | null, body: unknown): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json, application/problem+json' };
  if (body !== undefined) headers['content-type'] = route.bodyType ?? 'application/json';
  if (token !== null) headers.authorization = `Bearer ${token}`;
  return headers;
}

const pathOf = (path: string, params: Untyped['params']): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(params?.[name])));

function queryOf(query: Untyped['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

/** The body as JSON; a page of HTML, whatever its status, is not from our server. */
async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new NetworkError('foreign', response.status);
  }
}

function isProblem(answer: unknown): answer is Problem {
  if (typeof answer !== 'object' || answer === null) return false;
  const { code, title, status } = answer as Partial<Record<keyof Problem, unknown>>;
  return typeof code === 'string' && typeof title === 'string' && typeof status === 'number';
}
