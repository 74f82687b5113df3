import { enterDemo as enterDemoRoute } from '@milepost/contract';
import { call } from '../api.ts';
import { beginSession } from '../session/session.ts';

/** Begins a session of the demo's visitor; whoever was signed in here is not any more. */
export async function enterDemo(): Promise<void> {
  const { token } = await call(enterDemoRoute);
  beginSession(token);
}
