import type { Route, RouteAnswer, RouteParsed } from '@milepost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { AppError } from './app-error.ts';
import { authorise } from './authorise.ts';
import type { RequestLimits } from './rate-limit.ts';
import type { Session, SessionFinder } from './session.ts';
import { StreamedList } from './streamed-list.ts';
import { parseRequest } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Session | null;
  }
  interface FastifyContextConfig {
    /** The contract's route; nothing is answered under `/api` without one. */
    contract?: Route;
  }
}

/** What a handler gets: the request as its route's schemas read it, and who is calling. */
export type Call<R extends Route> = RouteParsed<R> & {
  readonly session: R['access'] extends 'public' ? null : Session;
  readonly request: FastifyRequest;
};

type Item<Answer> = Answer extends readonly (infer T)[] ? T : never;

/** The answer of the contract; a list may be streamed. */
export type Answer<R extends Route> = RouteAnswer<R> | StreamedList<Item<RouteAnswer<R>>>;

export type Handler<R extends Route> = (call: Call<R>) => Answer<R> | Promise<Answer<R>>;

/** Lists of vehicles and positions shrink to a tenth; the quick settings keep the processor for positions. */
const ANSWERS = { encodings: ['zstd', 'gzip'], zlibOptions: { level: 3 } } satisfies RouteOptions['compress'];

/** The largest JSON body; a file of vehicles may be larger. */
const JSON_LIMIT = 256 * 1024;
const CSV_LIMIT = 2 * 1024 * 1024;

/** Keeps out of `/api` what the contract does not know, with its rule of access and its schemas. */
export function refuseOtherRoutes(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (url.startsWith('/api') && !config?.contract) throw new Error(`The contract has no route ${method} ${url}.`);
  });
}

export function addRoute<R extends Route>(
  fastify: FastifyInstance,
  sessions: SessionFinder,
  limits: RequestLimits,
  route: R,
  handler: Handler<R>,
): void {
  fastify.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { contract: route },
    compress: ANSWERS,
    bodyLimit: route.bodyType === 'text/csv' ? CSV_LIMIT : JSON_LIMIT,
    onRequest: async request => {
      request.caller = await authorise(route, request, sessions, limits);
    },
    handler: async (request, reply) => {
      refuseOtherMediaType(route, request);
      // Access decides whether there is a session: `authorise` has thrown where the type says that there is one.
      const call = { ...parseRequest(route, request), session: request.caller, request } as Call<R>;
      return send(route, reply, await handler(call));
    },
  });
}

function refuseOtherMediaType(route: Route, request: FastifyRequest): void {
  if (!route.body || request.body === undefined) return;
  const expected = route.bodyType ?? 'application/json';
  const sent = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== expected) throw new AppError('unsupported-media-type', { expected });
}

function send<R extends Route>(route: R, reply: FastifyReply, answer: Answer<R>): FastifyReply {
  reply.code(route.status ?? 200).header('cache-control', 'no-store');
  reply.type('application/json; charset=utf-8');
  if (answer instanceof StreamedList) return reply.send(answer.toStream());
  // Keeps what the contract names and nothing else, whatever a query has selected.
  return reply.send(JSON.stringify(route.response.parse(answer)));
}
