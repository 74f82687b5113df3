import { z } from 'zod';
import { newPasswordSchema, personNameSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { signInAnswerSchema } from './accounts.ts';

const TAG = 'Users';

/** A link for a new user to choose a password. It works once, and for seven days. */
export const invitationSchema = z.object({
  url: z.string(),
  expiresAt: z.iso.datetime(),
  sent: z.boolean().describe('An email was handed to the mail server; if false, pass the link on yourself'),
});

const invitationTokenSchema = z.string().regex(/^[\w-]{43}$/, issue('invitation'));

export const readInvitation = defineRoute({
  method: 'POST',
  path: '/api/v1/read_invitation',
  access: 'public',
  summary: 'Read who an invitation is for',
  tag: TAG,
  body: z.strictObject({ token: invitationTokenSchema }),
  response: z.object({
    userName: z.string(),
    displayName: z.string(),
    organisation: z.string(),
    expiresAt: z.iso.datetime(),
  }),
  problems: ['invitation-over', 'too-many-tries'],
});

export const invitationAcceptanceSchema = z.strictObject({
  token: invitationTokenSchema,
  password: newPasswordSchema,
  displayName: personNameSchema.optional(),
});

export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/api/v1/accept_invitation',
  access: 'public',
  summary: 'Accept an invitation: choose a password and sign in',
  tag: TAG,
  body: invitationAcceptanceSchema,
  response: signInAnswerSchema,
  problems: ['invitation-over', 'too-many-tries'],
});
