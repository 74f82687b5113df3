import { cancelEmailChange, confirmEmail, readEmail, sendEmailLink } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { audit, authorOf, changesBetween } from '../audit/audit.ts';
import { createEmailConfirmation } from './confirm-email.ts';
import { dropEmailChange, type EmailChanges } from './email-changes.ts';
import { lockUser } from './lock-user.ts';

export function registerEmail(http: Http, context: Context, emails: EmailChanges): void {
  const { db } = context;
  const confirm = createEmailConfirmation(context);

  http.handle(readEmail, ({ session }) => db.asAccount(session.accountId, trx => emails.state(trx, session.userId)));

  http.handle(sendEmailLink, async call => {
    const { accountId, userId, userName } = call.session;
    const { state, proposal } = await db.asAccount(accountId, async trx => {
      await lockUser(trx, userId);
      const { email, confirmed, pending, canSend } = await emails.state(trx, userId);
      const waiting = pending?.email ?? (confirmed ? null : email);
      if (waiting === null || !canSend) throw new AppError('nothing-to-confirm');
      const proposal = await emails.propose(trx, userId, waiting, call.request.ip);
      await audit(trx, authorOf(call), {
        action: 'email.change-asked',
        target: { id: userId, name: userName },
        changes: changesBetween({ email }, { email: waiting }),
      });
      return { state: await emails.state(trx, userId), proposal };
    });
    await emails.send(proposal);
    return state;
  });

  http.handle(cancelEmailChange, call => {
    const { accountId, userId, userName } = call.session;
    return db.asAccount(accountId, async trx => {
      await lockUser(trx, userId);
      if ((await dropEmailChange(trx, userId)) === null) throw new AppError('nothing-to-confirm');
      await audit(trx, authorOf(call), {
        action: 'email.change-cancelled',
        target: { id: userId, name: userName },
      });
      return emails.state(trx, userId);
    });
  });

  http.handle(confirmEmail, ({ body, request }) => confirm(body.token, request.ip));
}
