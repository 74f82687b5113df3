import { type DemoView, enterDemo as enterDemoRoute } from '@milepost/contract';
import { call } from './api.ts';
import { replaceSession } from './session/sign-out.ts';

/** Signs in a demo visitor. The previous user is signed out. */
export async function enterDemo(view: DemoView): Promise<void> {
  const { token } = await call(enterDemoRoute, { query: { as: view } });
  replaceSession(token);
}
