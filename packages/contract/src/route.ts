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
  | 'application/vnd.pmtiles'
  | 'application/octet-stream';
export type FileType =
  | 'text/csv'
  | 'application/x-ndjson'
  | 'application/octet-stream'
  | 'application/vnd.mapbox-vector-tile'
  | 'application/geo+json'
  | 'text/calendar'
  | 'text/event-stream'
  | 'image/*';

/** A file: a Blob for the client, a stream or bytes for the server; not validated here. */
export const fileAnswerSchema = z.custom<Blob>();

/**
 * One HTTP call, used by the server to register it, by the client for its types, and for the OpenAPI document. Paths
 * use `{name}` for parameters.
 */
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
  /** Media type of the body; JSON if absent. A form carries files and texts; lines are read as a stream. */
  readonly bodyType?: BodyType;
  readonly response: z.ZodType;
  /** Media type of a successful response that is a file; `response` is then `fileAnswerSchema`. */
  readonly responseType?: FileType;
  /** The response has an ETag; a client that sends it back gets 304 if nothing has changed [R4.09]. */
  readonly conditional?: true;
  /**
   * Programs may also sign in with HTTP Basic (RFC 7617): the user name of a user and one of their API tokens as the
   * password. For standards and programs that know nothing else.
   */
  readonly basic?: true;
  /** Status of a successful response; 200 if absent. */
  readonly status?: number;
  /** Problems this route can answer with, in addition to those of every route. */
  readonly problems?: readonly ProblemCode[];
}

/**
 * The web app is built without the schemas of its routes (`apps/web/build/contract-in-parts.ts`), so schemas that a form
 * validates with are exported separately.
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
/** What a handler receives, after validation. */
export type RouteParsed<R extends Route> = {
  params: Output<Field<R, 'params'>>;
  query: Output<Field<R, 'query'>>;
  body: Output<Field<R, 'body'>>;
};
export type RouteAnswer<R extends Route> = z.output<R['response']>;
