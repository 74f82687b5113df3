import { z } from 'zod';
import {
  emailSchema,
  emptyAsNull,
  genderSchema,
  newPasswordSchema,
  personNameSchema,
  phoneSchema,
  uuidSchema,
} from '../fields.ts';
import { issue } from '../issue.ts';
import { preferencesSchema } from '../preferences.ts';
import { defineRoute } from '../route.ts';
import { signInAnswerSchema } from './accounts.ts';

const TAG = 'Profile';

const currentPasswordSchema = z
  .string({ error: issue('current-password') })
  .min(1, issue('current-password'))
  .max(128, issue('current-password'));

/** Proves that it is the user, not someone else at an unlocked screen. */
export const passwordProofSchema = z.strictObject({ password: currentPasswordSchema });

export const profileChangeSchema = z.strictObject({
  displayName: personNameSchema.optional(),
  gender: genderSchema.optional(),
  email: emptyAsNull(emailSchema).optional(),
  phone: emptyAsNull(phoneSchema).optional(),
  /** Required when the email address or the phone number changes. */
  password: currentPasswordSchema.optional(),
  preferences: preferencesSchema.partial().optional(),
});
export type ProfileChange = z.input<typeof profileChangeSchema>;

export const updateMe = defineRoute({
  method: 'PATCH',
  path: '/api/v1/update_me',
  access: 'profile.write',
  summary: 'Change your profile and preferences; a new email address or phone number needs the password',
  tag: TAG,
  body: profileChangeSchema,
  response: z.object({
    ok: z.literal(true),
    pendingEmail: z.string().nullable().describe('A new address that is not confirmed yet'),
  }),
  problems: ['wrong-password', 'too-many-tries', 'email-taken', 'sign-in-needed'],
});

export const isOldPassword = defineRoute({
  method: 'POST',
  path: '/api/v1/is_old',
  access: 'profile.write',
  summary: 'Confirm your current password',
  tag: TAG,
  body: z.strictObject({ oldPassword: currentPasswordSchema }),
  response: z.object({ ok: z.literal(true) }),
  problems: ['wrong-password', 'too-many-tries', 'sign-in-needed'],
});

export const passwordChangeSchema = z.strictObject({
  oldPassword: currentPasswordSchema,
  newPassword: newPasswordSchema,
  endOtherSessions: z.boolean().optional(),
});

export const changePassword = defineRoute({
  method: 'PATCH',
  path: '/api/v1/new_pass',
  access: 'profile.write',
  summary: 'Change your password; the session continues with the returned token, the old token ends',
  tag: TAG,
  body: passwordChangeSchema,
  response: signInAnswerSchema,
  problems: ['wrong-password', 'too-many-tries', 'sign-in-needed'],
});

export const sessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean(),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    /** The provider it was opened with, as its button is called; null for a password or a passkey. */
    signedOnWith: z.string().nullable(),
  })
  .meta({ id: 'Session' });

export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/v1/session',
  access: 'profile.read',
  summary: 'List where you are signed in',
  tag: TAG,
  response: z.array(sessionSchema),
});

export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/v1/session/{id}',
  access: 'profile.write',
  summary: 'End one of your sessions and every connection that it opened',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

export const endOtherSessions = defineRoute({
  method: 'DELETE',
  path: '/api/v1/session',
  access: 'profile.write',
  summary: 'End all your sessions except this one',
  tag: TAG,
  response: z.object({ ended: z.int() }),
});
