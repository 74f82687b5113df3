import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';
import type { Permission } from './roles.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/**
 * Who may call a route: `public` without a session, `signed-in` with any session, or one permission of the table.
 */
export type Access = 'public' | 'signed-in' | Permission;

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
  /** Media type of the body; JSON when absent. */
  readonly bodyType?: 'application/json' | 'text/csv';
  readonly response: z.ZodType;
  /** Status of the good answer; 200 when absent. */
  readonly status?: number;
  /** Problems that this route answers besides those that any route may answer. */
  readonly problems?: readonly ProblemCode[];
}

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
