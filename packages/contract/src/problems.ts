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
  'second-factor-needed': { status: 401, title: 'Confirm that it is you with your second factor.' },
  'wrong-code': { status: 400, title: 'That code is not right. Enter the one that is shown now.' },
  'passkey-refused': { status: 400, title: 'That passkey can’t be used here. Try again, or use another way.' },
  'recovery-code-wrong': { status: 400, title: 'That code is not right or has expired. Request a new one.' },
  'wrong-password': { status: 400, title: 'Your current password is not right.' },
  'must-change-password': { status: 403, title: 'Choose a password of your own first.' },
  'must-set-up-second-factor': { status: 403, title: 'Set up a second factor first: your organization asks for one.' },
  'sign-in-needed': { status: 403, title: 'An API token does not do this. Sign in to do it yourself.' },
  'too-many-tries': { status: 429, title: 'Too many tries. Try again in {wait}.' },
  'too-many-requests': { status: 429, title: 'Too many requests. Try again in {wait}.' },
  'not-allowed': { status: 403, title: 'Your role does not allow this.' },
  'read-only': { status: 403, title: 'This is a read-only demo. Nothing was changed.' },
  'not-found': { status: 404, title: 'There is nothing here, or it belongs to someone else.' },
  'invalid-input': { status: 400, title: 'Something in the request is not right.' },
  'unsupported-media-type': { status: 415, title: 'Send this request as {expected}.' },
  'payload-too-large': { status: 413, title: 'The request is larger than {limit}.' },
  'imei-taken': { status: 409, title: 'A vehicle with this IMEI exists already.' },
  'tracker-id-taken': { status: 409, title: 'Another vehicle has a tracker with this number.' },
  'name-taken': { status: 409, title: "Another vehicle is already called '{name}'." },
  'folder-name-taken': { status: 409, title: 'A folder with this name exists here.' },
  'department-name-taken': { status: 409, title: 'A department with this name exists here.' },
  'inside-itself': { status: 409, title: 'It can’t be moved into itself or into what is inside it.' },
  'too-deep': { status: 409, title: 'There can be {levels} levels, and no more.' },
  'card-taken': { status: 409, title: 'Another driver has this card.' },
  'licence-taken': { status: 409, title: 'Another driver has this license.' },
  'user-taken': { status: 409, title: 'This user is another driver already.' },
  'user-name-taken': { status: 409, title: 'That user name is taken.' },
  'email-taken': { status: 409, title: 'Another user has this email address.' },
  'more-than-you-hold': { status: 403, title: 'You can give only what you hold yourself.' },
  'last-owner': { status: 409, title: 'Somebody has to own the account. Make another user an owner first.' },
  'that-is-you': { status: 409, title: 'This is you. Go to your profile to change it.' },
  'already-there': { status: 409, title: 'There is one already. Remove it first.' },
  'already-joined': { status: 409, title: 'They have joined already, and can ask for a new password at sign-in.' },
  'invitation-over': { status: 400, title: 'This invitation is used up or has expired. Ask for a new one.' },
  'role-name-taken': { status: 409, title: 'A role with this name exists already.' },
  'role-in-use': { status: 409, title: '{count} users have this role. Give them another one first.' },
  'not-an-image': { status: 400, title: 'Use a PNG, JPEG or WebP image up to 2 MB and 4,000 pixels.' },
  'host-name-taken': { status: 409, title: 'Another tenant has this host name.' },
  'file-not-accepted': { status: 422, title: 'Use a PDF, PNG or JPEG file up to 10 MB.' },
  'no-space': { status: 409, title: 'The account’s documents may take {limit}. Delete some first.' },
  'account-not-empty': {
    status: 409,
    title: 'This account has vehicles, drivers or folders. Import into an empty one.',
  },
  'import-broken': { status: 422, title: 'Line {line} of the file is not right. Nothing was imported.' },
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
