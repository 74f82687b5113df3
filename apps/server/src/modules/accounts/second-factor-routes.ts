import {
  confirmTotp,
  finishPasskey,
  readSecondFactor,
  removePasskey,
  removeTotp,
  renamePasskey,
  renewRecoveryCodes,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
  startTotp,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import type { OwnPassword } from './own-password.ts';
import { finishSignIn, siteOf, startCreation, startSignIn } from './passkeys.ts';
import { createSecondFactors } from './second-factors.ts';
import { tokenAnswer } from './sessions.ts';
import { callerOf, type SignIn } from './sign-in.ts';
import { createTryLimits } from './try-limits.ts';

export interface SecondFactorParts {
  readonly ownPassword: OwnPassword;
  readonly signIns: SignIn;
}

/** The user is unknown until a passkey has signed, so tries are counted by address only. */
const NOBODY = 'passkey';

export function registerSecondFactor(http: Http, context: Context, { ownPassword, signIns }: SecondFactorParts): void {
  const { counters, db, config } = context;
  const factors = createSecondFactors(context);
  const passkeyTries = createTryLimits(counters, 'passkey', { pair: 20, name: Number.MAX_SAFE_INTEGER });
  const { publicUrl } = config.http;

  http.handle(readSecondFactor, ({ session }) => factors.read(session));

  http.handle(startTotp, async call => {
    await ownPassword.confirm(call, call.body.password, 'password');
    return factors.startTotp(call);
  });

  http.handle(confirmTotp, call => factors.confirmTotp(call, call.body.code));

  http.handle(removeTotp, async call => {
    await ownPassword.confirm(call, call.body.password, 'password');
    await factors.removeTotp(call);
    return { ok: true as const };
  });

  http.handle(renewRecoveryCodes, async call => {
    await ownPassword.confirm(call, call.body.password, 'password');
    return { recoveryCodes: await factors.renewRecoveryCodes(call) };
  });

  http.handle(startPasskey, async call => {
    await ownPassword.confirm(call, call.body.password, 'password');
    return startCreation(db.system, siteOf(call.request, publicUrl), call.session);
  });

  http.handle(finishPasskey, call => factors.addPasskey(call, siteOf(call.request, publicUrl), call.body));

  http.handle(renamePasskey, call => factors.renamePasskey(call, call.params.id, call.body.name));

  http.handle(removePasskey, async call => {
    await ownPassword.confirm(call, call.body.password, 'password');
    await factors.removePasskey(call, call.params.id);
    return { ok: true as const };
  });

  http.handle(startPasskeySignIn, async ({ request }) => {
    await passkeyTries.count(NOBODY, request.ip);
    return startSignIn(db.system, siteOf(request, publicUrl));
  });

  http.handle(signInWithPasskey, async ({ body, request }) => {
    await passkeyTries.count(NOBODY, request.ip);
    const { userId } = await finishSignIn(db.system, siteOf(request, publicUrl), body.challengeId, body.response);
    const session = await signIns
      .forUser(userId, 'passkey', callerOf(request), { keepSignedIn: body.keepSignedIn ?? false })
      .catch((error: unknown) => {
        throw error instanceof AppError && error.code !== 'sign-on-only' ? new AppError('passkey-refused') : error;
      });
    await passkeyTries.forgive(NOBODY, request.ip);
    return tokenAnswer(session);
  });
}
