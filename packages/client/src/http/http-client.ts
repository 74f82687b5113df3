import { CHANGE_HEADER, type Problem, type Route, type RouteAnswer, type RouteInput } from '@milepost/contract';
import { NetworkError, ProblemError } from './errors.ts';

export interface HttpClientOptions {
  /** Origin of the server without a trailing slash; empty in the app that the server itself delivers. */
  readonly baseUrl: string;
  /** Bearer token of the session, read for every call; null when nobody is signed in [R4.01]. */
  readonly getToken: () => string | null;
  /** The server no longer accepts this token. Not called for a refused sign-in, which carries none. */
  readonly onTokenRefused?: (token: string) => void;
  /** Called for every answer that is at least as new as this change. */
  readonly onChangeNumber?: (number: number, token: string) => void;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

type Presence<T> = undefined extends T ? 'absent' : object extends T ? 'optional' : 'required';
type PartsThatAre<P extends string, R extends Route> = {
  [K in keyof RouteInput<R>]: Presence<RouteInput<R>[K]> extends P ? K : never;
}[keyof RouteInput<R>];

/** The input of a route: its params, query and body, where it has them. */
export type CallInput<R extends Route> = Pick<RouteInput<R>, PartsThatAre<'required', R>> &
  Partial<Pick<RouteInput<R>, PartsThatAre<'optional', R>>> & { [K in PartsThatAre<'absent', R>]?: undefined };

type CallArguments<R extends Route> = [PartsThatAre<'required', R>] extends [never]
  ? [input?: CallInput<R>, options?: CallOptions]
  : [input: CallInput<R>, options?: CallOptions];

export interface HttpClient {
  /**
   * Calls a route of the contract. Input and answer are typed by the route; the server validates them, so the client
   * does not. Fails with `ProblemError`, `NetworkError`, or the signal's reason if aborted.
   */
  call<R extends Route>(route: R, ...args: CallArguments<R>): Promise<RouteAnswer<R>>;

  /**
   * Calls a conditional route with the ETag of the caller's current answer (null: none). Returns null if that answer is
   * still current: the server sent 304 [R4.09].
   */
  callIfChanged<R extends Route & { readonly conditional: true }>(
    route: R,
    etag: string | null,
    ...args: CallArguments<R>
  ): Promise<{ readonly answer: RouteAnswer<R>; readonly etag: string | null } | null>;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { baseUrl, getToken, onTokenRefused } = options;
  // Looked up at every call, so that a page may wrap fetch later; called without a receiver, as browsers require.
  const send: typeof globalThis.fetch = (...args) => (options.fetch ?? globalThis.fetch)(...args);

  function noteNumber({ headers }: Response, token: string | null): void {
    const number = headers.get(CHANGE_HEADER);
    if (number !== null && token !== null) options.onChangeNumber?.(Number(number), token);
  }

  /** Sends the request; returns null for a 304, and throws for every other unsuccessful answer. */
  async function request(
    route: Route,
    input: Untyped,
    { signal }: CallOptions,
    etag: string | null,
  ): Promise<{ readonly answer: unknown; readonly etag: string | null } | null> {
    const token = getToken();
    const body = bodyOf(route, input.body);
    try {
      const response = await send(baseUrl + pathOf(route.path, input.params) + queryOf(input.query), {
        method: route.method,
        headers: headersOf(route, token, body, etag),
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
      noteNumber(response, token);
      if (response.status === 304 && etag !== null) return null;
      if (response.ok && route.responseType) return { answer: await readFile(response), etag: null };
      const answer = await readJson(response);
      if (response.ok) return { answer, etag: response.headers.get('etag') };
      if (!isProblem(answer)) throw new NetworkError('foreign', response.status);
      if (response.status === 401 && token !== null) onTokenRefused?.(token);
      throw new ProblemError(answer);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof ProblemError || error instanceof NetworkError) throw error;
      throw new NetworkError('unreachable', null, error);
    }
  }

  return {
    async call(route, ...[input, callOptions]) {
      const answered = await request(route, (input ?? {}) as Untyped, callOptions ?? {}, null);
      return answered?.answer as RouteAnswer<typeof route>;
    },
    async callIfChanged(route, etag, ...[input, callOptions]) {
      const answered = await request(route, (input ?? {}) as Untyped, callOptions ?? {}, etag);
      return answered && { answer: answered.answer as RouteAnswer<typeof route>, etag: answered.etag };
    },
  };
}

interface Untyped {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** JSON, unless the route takes text, lines or a form with files. */
function bodyOf(route: Route, body: unknown): string | Blob | FormData | undefined {
  if (body === undefined) return undefined;
  if (route.bodyType === undefined || route.bodyType === 'application/json') return JSON.stringify(body);
  if (route.bodyType === 'multipart/form-data') return formOf(body as Readonly<Record<string, unknown>>);
  return body instanceof Blob ? body : String(body);
}

/**
 * Texts first, so that a server reading the form as a stream has them before the file. Null is sent as an empty text.
 */
function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  const files: [string, Blob][] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) files.push([name, value]);
    else if (value !== undefined) form.append(name, value === null ? '' : String(value));
  }
  for (const [name, file] of files) form.append(name, file);
  return form;
}

function headersOf(
  route: Route,
  token: string | null,
  body: string | Blob | FormData | undefined,
  etag: string | null,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: route.responseType
      ? `${route.responseType}, application/problem+json`
      : 'application/json, application/problem+json',
  };
  // A form's content type includes its boundary, which only the browser knows.
  if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = route.bodyType ?? 'application/json';
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (etag !== null) headers['if-none-match'] = etag;
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

/** A `File` where the server names it. An HTML page in place of a file is not from our server. */
async function readFile(response: Response): Promise<Blob> {
  if (response.headers.get('content-type')?.startsWith('text/html')) throw new NetworkError('foreign', response.status);
  const file = await response.blob();
  const name = fileName(response.headers.get('content-disposition'));
  return name === null ? file : new File([file], name, { type: file.type });
}

/** The name that a server gives a file: the encoded one (RFC 6266) before the plain one; null for none. */
function fileName(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  return encoded === undefined
    ? (/filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null)
    : decodeURIComponent(encoded);
}

/** The body as JSON; an HTML page, whatever its status, is not from our server. */
async function readJson(response: Response): Promise<unknown> {
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
