import {
  ALL_ROUTES,
  FIELD_PROBLEMS,
  type FieldProblemCode,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  problemSchema,
  type Route,
  type RouteAnswer,
  type RouteInput,
  type RouteParsed,
} from '@milepost/contract';

/** What a table answers to one route, checked against the contract in both directions. */
export interface Answer {
  readonly route: Route;
  readonly reply: (request: RouteParsed<Route>) => unknown;
}

class Refusal {
  readonly problem: Problem;
  constructor(problem: Problem) {
    this.problem = problem;
  }
}

type Reply<R extends Route> = RouteAnswer<R> | Refusal;

/**
 * Answers a route: with a value, with what a function makes of the parsed request, or with `refused(…)`. A promise
 * holds the answer until it resolves.
 */
export function when<R extends Route>(
  route: R,
  reply: Reply<R> | ((request: RouteParsed<R>) => Reply<R> | Promise<Reply<R>>),
): Answer {
  return {
    route,
    reply: request => (typeof reply === 'function' ? (reply as (request: unknown) => unknown)(request) : reply),
  };
}

interface FieldRefusal {
  readonly field: string;
  readonly code: FieldProblemCode;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** A problem as the server sends it. `invalid-input` lists fields. */
export function refused(
  code: ProblemCode,
  { params, fields = [] }: { readonly params?: Problem['params']; readonly fields?: readonly FieldRefusal[] } = {},
): Refusal {
  const { status, title } = PROBLEMS[code];
  return new Refusal(
    problemSchema.parse({
      type: `/problems/${code}`,
      title,
      status,
      code,
      ...(params && { params }),
      ...(fields.length > 0 && { errors: fields.map(field => ({ ...field, message: FIELD_PROBLEMS[field.code] })) }),
    }),
  );
}

/** Problems that any route can answer with, as in the OpenAPI document. */
const PROBLEMS_OF_ALL: readonly ProblemCode[] = [
  'internal',
  'invalid-input',
  'not-allowed',
  'read-only',
  'session-ended',
  'too-many-requests',
];

interface Seen {
  readonly route: Route;
  readonly input: unknown;
}

let table: readonly Answer[] = [];
let seen: Seen[] = [];
let wrong: string[] = [];

/** Forgets the answers and requests of the test before. */
export function answerWith(answers: readonly Answer[]): void {
  table = answers;
  seen = [];
}

/** What the page asked that no test answers, or asked or was answered against the contract; forgets it. */
export function takeWrong(): readonly string[] {
  const taken = wrong;
  wrong = [];
  return taken;
}

/** The requests of a route so far, oldest first. */
export const sent = <R extends Route>(route: R): readonly RouteInput<R>[] =>
  seen.filter(one => one.route === route).map(one => one.input as RouteInput<R>);

const ORIGINAL = globalThis.fetch;

/** Answers the page's calls from the table instead of the network. Later lines of a table win over earlier ones. */
export function answerCalls(): void {
  globalThis.fetch = async (resource, init) => {
    const request = new Request(resource, init);
    const url = new URL(request.url);
    if (url.pathname === '/health')
      return Response.json({ status: 'ok', version: '0.0.0', checks: { database: 'ok' } });
    if (!url.pathname.startsWith('/api/')) return ORIGINAL(resource, init);
    const asked = `${request.method} ${url.pathname}${url.search}`;
    try {
      return await answer(request, url);
    } catch (error) {
      if (request.signal.aborted) throw error;
      wrong.push(`${asked}: ${error instanceof Error ? error.message : error}`);
      throw new TypeError(`No answer to ${asked}`);
    }
  };
}

async function answer(request: Request, url: URL): Promise<Response> {
  const found = routeOf(request.method, url.pathname);
  if (!found) throw new Error('the contract has no such route');
  const { route, params } = found;
  const input = { params, query: Object.fromEntries(url.searchParams), body: await bodyOf(request, route) };
  seen.push({ route, input });
  const line = table.findLast(one => one.route === route);
  if (!line) throw new Error('the test has no answer to it');
  const parsed = {
    params: route.params?.parse(params),
    query: route.query?.parse(input.query),
    body: route.body && route.bodyType !== 'application/x-ndjson' ? route.body.parse(input.body) : input.body,
  };
  const given = await line.reply(parsed as RouteParsed<Route>);
  if (request.signal.aborted) throw request.signal.reason;
  if (given instanceof Refusal) return refusal(route, given.problem);
  const { status = 200 } = route;
  if (route.responseType)
    return new Response(given as Blob, { status, headers: { 'content-type': route.responseType } });
  const text = JSON.stringify(given);
  route.response.parse(JSON.parse(text));
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

function refusal(route: Route, problem: Problem): Response {
  const isKnown = [...PROBLEMS_OF_ALL, ...(route.problems ?? [])].some(code => code === problem.code);
  if (!isKnown) throw new Error(`the server never answers it with ${problem.code}`);
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

const PATTERNS = ALL_ROUTES.map((route: Route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

function routeOf(method: string, path: string) {
  const matching = PATTERNS.flatMap(({ route, pattern }) => {
    const match = route.method === method ? pattern.exec(path) : null;
    if (!match) return [];
    const params = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]);
    return [{ route, params: Object.fromEntries(params) as Record<string, string> }];
  });
  // A fixed path wins over one with a parameter in the same place.
  return matching.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

async function bodyOf(request: Request, { body, bodyType = 'application/json' }: Route): Promise<unknown> {
  if (!body) return undefined;
  if (bodyType === 'application/json') {
    const text = await request.text();
    return text === '' ? undefined : JSON.parse(text);
  }
  if (bodyType !== 'multipart/form-data') return request.text();
  const fields = Object.fromEntries(await request.formData());
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value]));
}
