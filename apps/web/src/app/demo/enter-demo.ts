import { enterDemo as enterDemoRoute } from '@milepost/contract';
import { call } from '../api.ts';
import { replaceSession } from '../session/sign-out.ts';

/** Begins a session of the demo's visitor; whoever was signed in here is not any more. */
export async function enterDemo(): Promise<void> {
  const { token } = await call(enterDemoRoute);
  replaceSession(token);
}
