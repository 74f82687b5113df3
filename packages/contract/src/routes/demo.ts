import { z } from 'zod';
import { defineRoute } from '../route.ts';
import { signInAnswerSchema } from './accounts.ts';

/** Which role a visitor gets: an admin, or a dispatcher of one part of the fleet. */
export const DEMO_VIEWS = ['everything', 'dispatcher'] as const;
export type DemoView = (typeof DEMO_VIEWS)[number];

export const enterDemo = defineRoute({
  method: 'POST',
  path: '/api/v1/demo',
  access: 'public',
  summary: 'Enter the demo as a read-only visitor, for two hours, without signing in',
  tag: 'Accounts',
  query: z.object({ as: z.enum(DEMO_VIEWS).default('everything') }),
  response: signInAnswerSchema,
  status: 201,
  problems: ['no-demo', 'too-many-requests'],
});
