import { CHANGE_HEADER, type Route, type RouteAnswer, type RouteParsed } from '@milepost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { AppError } from '../app-error.ts';
import type { ChangeFeed } from '../feed/change-feed.ts';
import type { RequestLimits } from '../limits/rate-limit.ts';
import { oneByOne } from '../workers/one-by-one.ts';
import { mapInTurns, turn } from '../workers/turns.ts';
import { authorise } from './authorise.ts';
import { isLong } from './bodies.ts';
import { isKnown, weakTag } from './etag.ts';
import { FileAnswer } from './file-answer.ts';
import { readForm } from './multipart.ts';
import type { Session, SessionFinder } from './session.ts';
import { StreamedList } from './streamed-list.ts';
import { parseRequest } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Session | null;
  }
  interface FastifyContextConfig {
    /** The contract's route; under `/api` nothing is served without one. */
    contract?: Route;
  }
}

/** A handler's input: the request parsed by its route's schemas, and the caller. */
export type Call<R extends Route> = RouteParsed<R> & {
  readonly session: R['access'] extends 'public' ? null : Session;
  readonly request: FastifyRequest;
  /** For headers that the answer has besides. */
  readonly reply: FastifyReply;
};

type Item<Answer> = Answer extends readonly (infer T)[] ? T : never;

/** The response defined by the contract. A list can be streamed, and a response can be a file. */
export type Answer<R extends Route> = R extends { readonly responseType: string }
  ? FileAnswer
  : RouteAnswer<R> | StreamedList<Item<RouteAnswer<R>>>;

export type Handler<R extends Route> = (call: Call<R>) => Answer<R> | Promise<Answer<R>>;

/** Lists of vehicles and positions shrink to a tenth; fast compression leaves processor time for ingest. */
const ANSWERS = { encodings: ['zstd', 'gzip'], zlibOptions: { level: 3 } } satisfies RouteOptions['compress'];

/** The largest JSON body; imports of vehicles may be larger. */
const JSON_LIMIT = 256 * 1024;
const CSV_LIMIT = 2 * 1024 * 1024;

/** Refuses routes under `/api` that are not in the contract with their access rule and schemas. */
export function refuseOtherRoutes(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', ({ method, url, config }) => {
    if (url.startsWith('/api') && !config?.contract) throw new Error(`The contract has no route ${method} ${url}.`);
  });
}

/** Told what a call to a signed-in route is answered with, before it is sent; the answer waits, and fails if this fails. */
export type OnAnswer = (route: Route, call: AnsweredCall, answer: unknown) => void | Promise<void>;
export interface AnsweredCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly session: Session;
}

export interface HandlerOptions {
  /**
   * The response has thousands of rows: an account's large responses are built one at a time. Building them in
   * parallel would fill memory, and garbage collection would then block acknowledgements longer than the work itself.
   */
  readonly isLarge?: boolean;
}

const largeAnswers = oneByOne<number | undefined>();

export function addRoute<R extends Route>(
  fastify: FastifyInstance,
  sessions: SessionFinder,
  limits: RequestLimits,
  { feed, onAnswer }: { readonly feed: Pick<ChangeFeed, 'number'>; readonly onAnswer: OnAnswer },
  route: R,
  handler: Handler<R>,
  { isLarge = false }: HandlerOptions = {},
): void {
  const url = route.path.replace(/\{(\w+)\}/g, ':$1');
  // A standard may end its paths with a slash; most programs leave it out.
  for (const path of url.endsWith('/') ? [url, url.slice(0, -1)] : [url]) addPath(path);

  function addPath(path: string): void {
    fastify.route({
      method: route.method,
      url: path,
      config: { contract: route },
      compress: ANSWERS,
      bodyLimit: route.bodyType === 'text/csv' ? CSV_LIMIT : JSON_LIMIT,
      onRequest: async (request, reply) => {
        request.caller = await authorise(route, request, sessions, limits);
        // Set before anything is read, so the response is at least as new as this change number.
        if (request.caller) reply.header(CHANGE_HEADER, feed.number);
      },
      handler: async (request, reply) => {
        refuseOtherMediaType(route, request);
        if (route.bodyType === 'multipart/form-data') request.body = await readForm(request);
        if (isLong(request)) await turn();
        // The route's access decides whether there is a session: `authorise` has thrown if the type requires one and
        // there is none.
        const call = { ...parseRequest(route, request), session: request.caller, request, reply } as Call<R>;
        const make = async () => {
          const answer = await handler(call);
          if (request.caller) await onAnswer(route, call as AnsweredCall, answer);
          return sender(route, request, reply, answer);
        };
        // A slow client doesn't hold up other requests.
        const send = await (isLarge ? largeAnswers(request.caller?.accountId, make) : make());
        return send();
      },
    });
  }
}

function refuseOtherMediaType(route: Route, request: FastifyRequest): void {
  const expected = route.bodyType ?? 'application/json';
  const sent = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  // Forms on other routes are not read, and no body is read yet.
  const isForm = sent === 'multipart/form-data';
  if (expected === 'multipart/form-data' ? isForm : !isForm && (!route.body || request.body === undefined)) return;
  if (sent !== expected) throw new AppError('unsupported-media-type', { expected });
}

/** Builds the response, and returns a function that sends it. */
async function sender<R extends Route>(
  route: R,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer<R>,
): Promise<() => FastifyReply | Promise<FastifyReply>> {
  reply.code(route.status ?? 200).header('cache-control', 'no-store');
  if (answer instanceof FileAnswer) return () => answer.send(reply);
  reply.type('application/json; charset=utf-8');
  if (answer instanceof StreamedList) return () => reply.send(answer.toStream());
  const body = await toJson(route.response, answer);
  return () => (route.conditional ? sendConditionally(request, reply, body) : reply.send(body));
}

/** Keeps only the contract's fields, whatever a query has selected. Long lists are serialized a piece at a time. */
async function toJson(schema: z.ZodType, answer: unknown): Promise<string> {
  if (!Array.isArray(answer) || !(schema instanceof z.ZodArray)) return JSON.stringify(schema.parse(answer));
  const item = schema.element as z.ZodType;
  const texts = await mapInTurns(answer, each => JSON.stringify(item.parse(each)));
  return `[${texts.join(',')}]`;
}

/**
 * RFC 9110 section 13.1.2. A weak tag, for the answer may be compressed in more than one way. `no-store` stays: anyone who
 * asks keeps the answer themselves, not the browser, in which it would outlive the session.
 */
function sendConditionally(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const tag = weakTag(body);
  reply.header('etag', tag);
  return isKnown(tag, request.headers['if-none-match']) ? reply.code(304).send() : reply.send(body);
}
