import { forgotPassword, resetPassword, verifyCode } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { createRecovery } from './recovery.ts';
import type { Sessions } from './sessions.ts';

export function registerRecovery(http: Http, context: Context, sessions: Sessions): void {
  const recovery = createRecovery(context, sessions);

  http.handle(forgotPassword, async ({ body, request }) => ({
    data: { verifyData: await recovery.ask(body.userName, request.ip) },
  }));

  http.handle(verifyCode, async ({ params, body, request }) => {
    const { proof, expiresAt } = await recovery.verify(params, body.code, request.ip);
    return { data: { id: params.id, proof, expiresAt: expiresAt.toISOString() } };
  });

  http.handle(resetPassword, async ({ params, body, request }) => {
    await recovery.reset(params.id, body.proof, body.password, request.ip);
    return { ok: true as const };
  });
}
