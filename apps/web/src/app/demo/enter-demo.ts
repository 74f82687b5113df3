import { type DemoView, enterDemo as enterDemoRoute } from '@milepost/contract';
import { call } from '../api.ts';
import { replaceSession } from '../session/sign-out.ts';

/** Begins a session of the demo's visitor; whoever was signed in here is not any more. */
export async function enterDemo(view: DemoView): Promise<void> {
  const { token } = await call(enterDemoRoute, { query: { as: view } });
  replaceSession(token);
}
