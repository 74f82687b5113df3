import { createHash } from 'node:crypto';
import { CHANGE_HEADER, type Route, type RouteAnswer, type RouteParsed } from '@milepost/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { ChangeFeed } from '../feed/change-feed.ts';
import { oneByOne } from '../workers/one-by-one.ts';
import { mapInTurns, turn } from '../workers/turns.ts';
import { AppError } from './app-error.ts';
import { authorise } from './authorise.ts';
import { isLong } from './bodies.ts';
import { FileAnswer } from './file-answer.ts';
import { readForm } from './multipart.ts';
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

/** The answer of the contract; a list may be streamed, and a file is one. */
export type Answer<R extends Route> = R extends { readonly responseType: string }
  ? FileAnswer
  : RouteAnswer<R> | StreamedList<Item<RouteAnswer<R>>>;

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

export interface HandlerOptions {
  /**
   * The answer holds thousands of rows: those of one account are made one after the other. Made side by side they would
   * fill memory, and collecting them keeps the thread from acknowledging for longer than making them does.
   */
  readonly isLarge?: boolean;
}

const largeAnswers = oneByOne<number | undefined>();

export function addRoute<R extends Route>(
  fastify: FastifyInstance,
  sessions: SessionFinder,
  limits: RequestLimits,
  feed: Pick<ChangeFeed, 'number'>,
  route: R,
  handler: Handler<R>,
  { isLarge = false }: HandlerOptions = {},
): void {
  fastify.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { contract: route },
    compress: ANSWERS,
    bodyLimit: route.bodyType === 'text/csv' ? CSV_LIMIT : JSON_LIMIT,
    onRequest: async (request, reply) => {
      request.caller = await authorise(route, request, sessions, limits);
      // Before anything is read: the answer is at least as new.
      if (request.caller) reply.header(CHANGE_HEADER, feed.number);
    },
    handler: async (request, reply) => {
      refuseOtherMediaType(route, request);
      if (route.bodyType === 'multipart/form-data') request.body = await readForm(request);
      if (isLong(request)) await turn();
      // Access decides whether there is a session: `authorise` has thrown where the type says that there is one.
      const call = { ...parseRequest(route, request), session: request.caller, request } as Call<R>;
      const make = async () => sender(route, request, reply, await handler(call));
      // What is slowly read keeps nobody waiting.
      const send = await (isLarge ? largeAnswers(request.caller?.accountId, make) : make());
      return send();
    },
  });
}

function refuseOtherMediaType(route: Route, request: FastifyRequest): void {
  const expected = route.bodyType ?? 'application/json';
  const sent = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  // Forms on other routes are not read, and no body is read yet.
  const isForm = sent === 'multipart/form-data';
  if (expected === 'multipart/form-data' ? isForm : !isForm && (!route.body || request.body === undefined)) return;
  if (sent !== expected) throw new AppError('unsupported-media-type', { expected });
}

/** Makes the answer, and answers what sends it. */
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

/** Keeps what the contract names and nothing else, whatever a query has selected; a long list a piece at a time. */
async function toJson(schema: z.ZodType, answer: unknown): Promise<string> {
  if (!Array.isArray(answer) || !(schema instanceof z.ZodArray)) return JSON.stringify(schema.parse(answer));
  const item = schema.element as z.ZodType;
  const texts = await mapInTurns(answer, each => JSON.stringify(item.parse(each)));
  return `[${texts.join(',')}]`;
}

/**
 * RFC 9110 section 13.1.2. A weak tag, for the answer may be compressed in more than one way. `no-store` stays: whoever
 * asks keeps the answer themselves, not the browser, in which it would outlive the session.
 */
function sendConditionally(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', tag);
  const known = request.headers['if-none-match']?.split(',').map(each => each.trim()) ?? [];
  return known.includes(tag) ? reply.code(304).send() : reply.send(body);
}
