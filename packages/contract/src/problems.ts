import { z } from 'zod';

/**
 * Everything that can go wrong on purpose, with its HTTP status and its sentence. RFC 9457 problem details carry the
 * code as `type` (`/problems/{code}`); `{name}` in a sentence is filled from the problem's `params`.
 */
export const PROBLEMS = {
  'not-signed-in': { status: 401, title: 'Sign in to go on.' },
  'session-ended': { status: 401, title: 'This session has ended. Sign in again.' },
  'wrong-credentials': {
    status: 401,
    title: 'User name or password is not right. Check both, or reset your password.',
  },
  'too-many-tries': { status: 429, title: 'Too many tries. Try again in {wait}.' },
  'too-many-requests': { status: 429, title: 'Too many requests. Try again in {wait}.' },
  'not-allowed': { status: 403, title: 'Your role does not allow this.' },
  'read-only': { status: 403, title: 'This is a read-only demo. Nothing was changed.' },
  'not-found': { status: 404, title: 'There is nothing here, or it belongs to someone else.' },
  'invalid-input': { status: 400, title: 'Something in the request is not right.' },
  'unsupported-media-type': { status: 415, title: 'Send this request as {expected}.' },
  'payload-too-large': { status: 413, title: 'The request is larger than {limit}.' },
  'imei-taken': { status: 409, title: 'A vehicle with this IMEI exists already.' },
  'name-taken': { status: 409, title: "Another vehicle is already called '{name}'." },
  'import-has-errors': { status: 422, title: '{count} rows are not right. Nothing was imported.' },
  'range-too-long': { status: 400, title: 'Ask for at most {days} days at a time.' },
  'not-ready': { status: 503, title: 'Not available at the moment: {reason}' },
  internal: { status: 500, title: 'Something went wrong on our side. Try again; if it stays, quote the request id.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

export const fieldErrorSchema = z.object({
  /** Path of the field in the request, joined by dots; empty for the request as a whole. */
  field: z.string(),
  code: z.string(),
  message: z.string(),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** RFC 9457, with the members that our forms need. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    /** The id to quote; the same id stands in the server's log. */
    instance: z.string().optional(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    errors: z.array(fieldErrorSchema).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;

export function problemTitle(code: ProblemCode, params: Readonly<Record<string, string | number>> = {}): string {
  return PROBLEMS[code].title.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
