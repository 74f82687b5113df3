import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { SECOND_FACTOR_POLICIES } from './second-factor.ts';

const TAG = 'Settings';

export const readSecurityPolicy = defineRoute({
  method: 'GET',
  path: '/api/v1/security_policy',
  access: 'settings.read',
  summary: 'Read who needs a second factor, and how many of those users have none yet',
  tag: TAG,
  response: z.object({ secondFactor: z.enum(SECOND_FACTOR_POLICIES), missing: z.int() }),
});

export const securityPolicyChangeSchema = z.strictObject({ secondFactor: z.enum(SECOND_FACTOR_POLICIES) });

export const updateSecurityPolicy = defineRoute({
  method: 'PATCH',
  path: '/api/v1/security_policy',
  access: 'settings.write',
  summary: 'Set who needs a second factor; users without one must set it up before anything else',
  tag: TAG,
  body: securityPolicyChangeSchema,
  response: z.object({ secondFactor: z.enum(SECOND_FACTOR_POLICIES), missing: z.int() }),
});
