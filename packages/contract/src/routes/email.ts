import { z } from 'zod';
import { defineRoute } from '../route.ts';

const TAG = 'Profile';

/** How long a confirmation link is valid, in hours. */
export const EMAIL_LINK_HOURS = 24;

export const emailStateSchema = z
  .object({
    email: z.string().nullable().describe('Used for email and sign-in'),
    confirmed: z.boolean().describe('Whether a link sent there was opened'),
    pending: z
      .object({ email: z.string(), sentAt: z.iso.datetime(), expiresAt: z.iso.datetime() })
      .nullable()
      .describe('A new address whose link has not been opened yet'),
    canSend: z.boolean().describe('Whether this server can send a link; if not, a change takes effect at once'),
  })
  .meta({ id: 'EmailState' });
export type EmailState = z.infer<typeof emailStateSchema>;

export const readEmail = defineRoute({
  method: 'GET',
  path: '/api/v1/email_change',
  access: 'profile.read',
  summary: 'Read your email address, whether it is confirmed, and which new one is pending',
  tag: TAG,
  response: emailStateSchema,
});

export const sendEmailLink = defineRoute({
  method: 'POST',
  path: '/api/v1/email_change',
  access: 'profile.write',
  summary: 'Send a new link to the pending address, or to yours if it is not confirmed; the old link ends',
  tag: TAG,
  response: emailStateSchema,
  problems: ['nothing-to-confirm', 'too-many-tries', 'sign-in-needed'],
});

export const cancelEmailChange = defineRoute({
  method: 'DELETE',
  path: '/api/v1/email_change',
  access: 'profile.write',
  summary: 'Cancel a pending change of email address; the link that was sent ends',
  tag: TAG,
  response: emailStateSchema,
  problems: ['nothing-to-confirm', 'sign-in-needed'],
});

export const confirmEmail = defineRoute({
  method: 'POST',
  path: '/api/v1/confirm_email',
  access: 'public',
  summary: 'Confirm an email address with the token of the link that was sent to it; signs nobody in',
  tag: TAG,
  // An invalid token gets the same answer as a used one.
  body: z.strictObject({ token: z.string().max(100) }),
  response: z.object({ email: z.string().describe('The address now in use') }),
  problems: ['email-link-over', 'too-many-tries'],
});
