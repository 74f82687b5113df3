import { z } from 'zod';
import { lineSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { signInAnswerSchema } from './accounts.ts';
import { passwordProofSchema } from './profile.ts';
import {
  passkeyAnswerSchema,
  passkeyAnswerToSignInSchema,
  passkeyCreationSchema,
  passkeyRequestSchema,
} from './web-authn.ts';

const TAG = 'Second factor';

/** Which users must have a second factor: nobody, those who manage other users, everybody. */
export const SECOND_FACTOR_POLICIES = ['optional', 'managers', 'everybody'] as const;
export type SecondFactorPolicy = (typeof SECOND_FACTOR_POLICIES)[number];

const totpCodeSchema = z
  .string({ error: issue('code') })
  .transform(code => code.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, issue('code')));

export const passkeySchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});

/** Shown only this once; each works once. Null if the user already has recovery codes. */
const newRecoveryCodesSchema = z.array(z.string()).nullable();

export const readSecondFactor = defineRoute({
  method: 'GET',
  path: '/api/v1/second_factor',
  access: 'profile.read',
  summary: 'Read which second factors you have',
  tag: TAG,
  response: z.object({
    totp: z.object({ createdAt: z.iso.datetime() }).nullable(),
    passkeys: z.array(passkeySchema),
    recoveryCodesLeft: z.int(),
    required: z.boolean().describe('Your organization requires one'),
  }),
});

export const startTotp = defineRoute({
  method: 'POST',
  path: '/api/v1/second_factor/totp',
  access: 'profile.write',
  summary: 'Start adding an authenticator app: returns its secret',
  tag: TAG,
  body: passwordProofSchema,
  response: z.object({ secret: z.string(), uri: z.string().describe('otpauth: address for a QR code') }),
  problems: ['already-there', 'wrong-password', 'too-many-tries', 'sign-in-needed'],
});

export const totpConfirmationSchema = z.strictObject({ code: totpCodeSchema });

export const confirmTotp = defineRoute({
  method: 'POST',
  path: '/api/v1/second_factor/totp/confirm',
  access: 'profile.write',
  summary: 'Finish adding the app with a code from it; from now on sign-in asks for one',
  tag: TAG,
  body: totpConfirmationSchema,
  response: z.object({ recoveryCodes: newRecoveryCodesSchema }),
  problems: ['wrong-code', 'too-many-tries', 'sign-in-needed'],
});

export const removeTotp = defineRoute({
  method: 'POST',
  path: '/api/v1/second_factor/totp/remove',
  access: 'profile.write',
  summary: 'Remove the authenticator app',
  tag: TAG,
  body: passwordProofSchema,
  response: z.object({ ok: z.literal(true) }),
  problems: ['wrong-password', 'too-many-tries', 'sign-in-needed'],
});

export const renewRecoveryCodes = defineRoute({
  method: 'POST',
  path: '/api/v1/second_factor/recovery_codes',
  access: 'profile.write',
  summary: 'Create ten new recovery codes; the old ones end',
  tag: TAG,
  body: passwordProofSchema,
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  problems: ['wrong-password', 'too-many-tries', 'sign-in-needed'],
});

export const startPasskey = defineRoute({
  method: 'POST',
  path: '/api/v1/second_factor/passkey/options',
  access: 'profile.write',
  summary: 'Start adding a passkey: returns what the browser needs to create one',
  tag: TAG,
  body: passwordProofSchema,
  response: z.object({ challengeId: z.string(), options: passkeyCreationSchema }),
  problems: ['wrong-password', 'too-many-tries', 'sign-in-needed'],
});

export const passkeyNameSchema = lineSchema(60).min(1, issue('name-length', { max: 60 }));

export const finishPasskey = defineRoute({
  method: 'POST',
  path: '/api/v1/second_factor/passkey',
  access: 'profile.write',
  summary: 'Finish adding a passkey with the browser’s answer',
  tag: TAG,
  body: z.strictObject({ challengeId: uuidSchema, name: passkeyNameSchema, response: passkeyAnswerSchema }),
  status: 201,
  response: z.object({ passkey: passkeySchema, recoveryCodes: newRecoveryCodesSchema }),
  problems: ['passkey-refused', 'sign-in-needed'],
});

export const passkeyChangeSchema = z.strictObject({ name: passkeyNameSchema });

export const renamePasskey = defineRoute({
  method: 'PATCH',
  path: '/api/v1/second_factor/passkey/{id}',
  access: 'profile.write',
  summary: 'Rename a passkey',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: passkeyChangeSchema,
  response: passkeySchema,
  problems: ['not-found'],
});

export const removePasskey = defineRoute({
  method: 'POST',
  path: '/api/v1/second_factor/passkey/{id}/remove',
  access: 'profile.write',
  summary: 'Remove a passkey',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: passwordProofSchema,
  response: z.object({ ok: z.literal(true) }),
  problems: ['not-found', 'wrong-password', 'too-many-tries', 'sign-in-needed'],
});

export const startPasskeySignIn = defineRoute({
  method: 'POST',
  path: '/api/v1/signin/passkey/options',
  access: 'public',
  summary: 'Start signing in with a passkey, which is password and second factor in one',
  tag: TAG,
  body: z.strictObject({}),
  response: z.object({ challengeId: z.string(), options: passkeyRequestSchema }),
  problems: ['too-many-tries'],
});

export const signInWithPasskey = defineRoute({
  method: 'POST',
  path: '/api/v1/signin/passkey',
  access: 'public',
  summary: 'Sign in with the browser’s passkey answer',
  tag: TAG,
  body: z.strictObject({
    challengeId: uuidSchema,
    response: passkeyAnswerToSignInSchema,
    keepSignedIn: z.boolean().optional(),
  }),
  response: signInAnswerSchema,
  problems: ['passkey-refused', 'sign-on-only', 'too-many-tries'],
});
