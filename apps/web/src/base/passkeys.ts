import {
  finishPasskey,
  passkeyAnswerSchema,
  passkeyAnswerToSignInSchema,
  type RouteAnswer,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '@milepost/contract';

import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { call } from './api.ts';
import { PasskeyCancelled } from './passkey-support.ts';

/** Signs in with a passkey, which replaces both password and second factor (WebAuthn Level 3, section 7.2). */
export async function signInByPasskey(keepSignedIn: boolean): Promise<RouteAnswer<typeof signInWithPasskey>> {
  const { challengeId, options } = await call(startPasskeySignIn, { body: {} });
  const response = await asked(() => startAuthentication({ optionsJSON: options }));
  return call(signInWithPasskey, {
    body: { challengeId, response: passkeyAnswerToSignInSchema.parse(response), keepSignedIn },
  });
}

/** Creates a passkey and registers it with the server (WebAuthn Level 3, section 7.1). */
export async function makePasskey(password: string, name: string): Promise<RouteAnswer<typeof finishPasskey>> {
  const { challengeId, options } = await call(startPasskey, { body: { password } });
  const response = await asked(() => startRegistration({ optionsJSON: options }));
  return call(finishPasskey, { body: { challengeId, name, response: passkeyAnswerSchema.parse(response) } });
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)) throw new PasskeyCancelled();
    throw error;
  }
}
