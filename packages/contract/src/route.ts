import { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { Permission } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/**
 * Who may call a route: `public` without a session, `signed-in` with any session, or one permission of the table.
 */
export type Access = 'public' | 'signed-in' | Permission;

export type BodyType =
  | 'application/json'
  | 'text/csv'
  | 'multipart/form-data'
  | 'application/x-ndjson'
  | 'application/vnd.pmtiles';
export type FileType =
  | 'text/csv'
  | 'application/x-ndjson'
  | 'application/octet-stream'
  | 'application/vnd.mapbox-vector-tile'
  | 'image/*';

/** A file: a Blob for the caller, a stream or bytes for the server, which checks nothing of it here. */
export const fileAnswerSchema = z.custom<Blob>();

/** One HTTP call: what the server registers, the client types and OpenAPI documents. Paths use `{name}` for parameters. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  /** One sentence in the imperative, for OpenAPI. */
  readonly summary: string;
  readonly tag: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Media type of the body; JSON when absent. A form carries files beside texts; lines are read as they come. */
  readonly bodyType?: BodyType;
  readonly response: z.ZodType;
  /** Media type of the good answer where it is a file and no JSON; `response` is `fileAnswerSchema` then. */
  readonly responseType?: FileType;
  /** The response has an ETag; a client that sends it back gets 304 while nothing has changed [R4.09]. */
  readonly conditional?: true;
  /** Status of the good answer; 200 when absent. */
  readonly status?: number;
  /** Problems this route can answer in addition to those of every route. */
  readonly problems?: readonly ProblemCode[];
}

/**
 * The web app is built without the schemas of its routes (`apps/web/build/calls-of-routes.ts`): those that a form checks
 * by are exported under names of their own.
 */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

type Input<T> = T extends z.ZodType ? z.input<T> : undefined;
type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
type Field<R, K extends string> = R extends { [P in K]: infer T } ? T : undefined;

/** What a caller sends. */
export type RouteInput<R extends Route> = {
  params: Input<Field<R, 'params'>>;
  query: Input<Field<R, 'query'>>;
  body: Input<Field<R, 'body'>>;
};
/** What a handler gets, after validation. */
export type RouteParsed<R extends Route> = {
  params: Output<Field<R, 'params'>>;
  query: Output<Field<R, 'query'>>;
  body: Output<Field<R, 'body'>>;
};
export type RouteAnswer<R extends Route> = z.output<R['response']>;
