import { z } from 'zod';
import { lineSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { PERMISSIONS, PERSONAL_PERMISSIONS, type Permission } from '../roles.ts';
import { defineRoute } from '../route.ts';
import { passwordProofSchema } from './profile.ts';

const TAG = 'API tokens';

/** A driver signs in themselves (49 CFR 395 Subpart B, Appendix A, 4.1.3). */
const personal: readonly Permission[] = [...PERSONAL_PERMISSIONS, 'logbook.own'];
/** Permissions that an API token can have: all but those for its owner's own profile, security and log. */
export const TOKEN_SCOPES = PERMISSIONS.filter(permission => !personal.includes(permission));

export const TOKEN_MAX_DAYS = 730;

export const apiTokenSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(PERMISSIONS)),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'ApiToken' });

export const listApiTokens = defineRoute({
  method: 'GET',
  path: '/api/v1/api_token',
  access: 'profile.read',
  summary: 'List your API tokens',
  tag: TAG,
  response: z.array(apiTokenSchema),
});

export const newApiTokenSchema = passwordProofSchema.extend({
  name: lineSchema(60).min(1, issue('name-length', { max: 60 })),
  scopes: z.array(z.enum(TOKEN_SCOPES)).min(1, issue('token-scopes')).max(PERMISSIONS.length),
  expiresInDays: z
    .int(issue('days-between', { min: 1, max: TOKEN_MAX_DAYS }))
    .min(1, issue('days-between', { min: 1, max: TOKEN_MAX_DAYS }))
    .max(TOKEN_MAX_DAYS, issue('days-between', { min: 1, max: TOKEN_MAX_DAYS })),
});

export const createApiToken = defineRoute({
  method: 'POST',
  path: '/api/v1/api_token',
  access: 'profile.write',
  summary: 'Create a token for a program; it can do what its scopes allow, as long as you can too',
  tag: TAG,
  body: newApiTokenSchema,
  status: 201,
  response: apiTokenSchema.extend({ token: z.string().describe('Shown this once') }),
  problems: ['wrong-password', 'too-many-tries', 'more-than-you-hold', 'sign-in-needed'],
});

export const deleteApiToken = defineRoute({
  method: 'DELETE',
  path: '/api/v1/api_token/{id}',
  access: 'profile.write',
  summary: 'Delete one of your API tokens; it stops working at once',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});
