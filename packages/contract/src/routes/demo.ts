import { defineRoute } from '../route.ts';
import { signInAnswerSchema } from './accounts.ts';

export const enterDemo = defineRoute({
  method: 'POST',
  path: '/api/v1/demo',
  access: 'public',
  summary: 'Enter the demo as a read-only visitor, for two hours, without signing in',
  tag: 'Accounts',
  response: signInAnswerSchema,
  status: 201,
  problems: ['no-demo', 'too-many-requests'],
});
