import { z } from 'zod';
import { newPasswordSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { credentialsSchema } from './accounts.ts';

const TAG = 'Password recovery';

/** How long a code, and the proof that it was entered, is valid. */
export const RECOVERY_MINUTES = 10;
export const RECOVERY_TRIES = 5;

export const recoveryCodeSchema = z
  .string({ error: issue('code') })
  .transform(code => code.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, issue('code')));

/** Identifies a request for a code, but not the account; does not contain the code. */
export const verifyDataSchema = z.object({
  id: z.string(),
  token: z.string(),
  expiresAt: z.iso.datetime(),
});
export type VerifyData = z.infer<typeof verifyDataSchema>;

export const recoveryQuestionSchema = z.strictObject({ userName: credentialsSchema.shape.userName });

export const forgotPassword = defineRoute({
  method: 'POST',
  path: '/api/v1/user-forgot-password',
  access: 'public',
  summary: 'Request a code by email. The answer is the same whether or not the user exists',
  tag: TAG,
  body: recoveryQuestionSchema,
  response: z.object({ data: z.object({ verifyData: verifyDataSchema }) }),
  problems: ['too-many-tries'],
});

export const recoveryAnswerSchema = z.strictObject({ code: recoveryCodeSchema });

export const verifyCode = defineRoute({
  method: 'POST',
  path: '/api/v1/verify-code/{id}/{token}',
  access: 'public',
  summary: 'Enter the code: returns a single-use proof for setting a new password',
  tag: TAG,
  params: z.object({ id: uuidSchema, token: uuidSchema }),
  body: recoveryAnswerSchema,
  response: z.object({ data: z.object({ id: z.string(), proof: z.string(), expiresAt: z.iso.datetime() }) }),
  problems: ['recovery-code-wrong', 'too-many-tries'],
});

export const passwordResetSchema = z.strictObject({ proof: z.string().min(1).max(64), password: newPasswordSchema });

export const resetPassword = defineRoute({
  method: 'PATCH',
  path: '/api/v1/user-reset-password/{id}',
  access: 'public',
  summary: 'Set a new password with the proof of `verify-code`; ends every session, signs nobody in',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: passwordResetSchema,
  response: z.object({ ok: z.literal(true) }),
  problems: ['recovery-code-wrong', 'too-many-tries'],
});
