import {
  acceptInvitation,
  createRole,
  deleteMyUser,
  deleteRole,
  inviteMyUser,
  listRoles,
  readInvitation,
  readMyUsers,
  readSecurityPolicy,
  readUserDependents,
  registerUser,
  resetSecondFactorOfMyUser,
  type SecondFactorPolicy,
  signOutMyUser,
  updateMyUser,
  updateRole,
  updateSecurityPolicy,
} from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Visibility } from '../../fleet/visibility.ts';
import type { Http } from '../../http/server.ts';
import type { EmailChanges } from '../accounts/email-changes.ts';
import { countMissing } from '../accounts/second-factor-policy.ts';
import { type Sessions, tokenAnswer } from '../accounts/sessions.ts';
import { callerOf, createSignIn } from '../accounts/sign-in.ts';
import { audit, authorOf, changesBetween } from '../audit/audit.ts';
import { createInvitations } from './invitations.ts';
import { createHolding } from './rights.ts';
import { createRoles } from './roles.ts';
import { createUsers } from './users.ts';

export interface UsersParts {
  readonly emails: EmailChanges;
  readonly sessions: Sessions;
  readonly visibility: Pick<Visibility, 'holdsUser'>;
}

export function registerUsers(http: Http, context: Context, { emails, sessions, visibility }: UsersParts): void {
  const { db, feed } = context;
  const holding = createHolding(visibility);
  const users = createUsers(context, { emails, holding, sessions });
  const roles = createRoles(context, holding);
  const desk = createInvitations(context, createSignIn(context, sessions));

  http.handle(readMyUsers, call => users.list(call, call.query));
  http.handle(registerUser, call => users.register(call, call.body));
  http.handle(updateMyUser, call => users.update(call, call.params.id, call.body));
  http.handle(readUserDependents, call => users.dependents(call, call.params.id));
  http.handle(deleteMyUser, call => users.remove(call, call.params.id));
  http.handle(signOutMyUser, call => users.signOut(call, call.params.id));
  http.handle(inviteMyUser, call => users.inviteAgain(call, call.params.id));
  http.handle(resetSecondFactorOfMyUser, call => users.resetSecondFactor(call, call.params.id));

  http.handle(readInvitation, ({ body, request }) => desk.read(body.token, callerOf(request)));
  http.handle(acceptInvitation, async ({ body, request }) => tokenAnswer(await desk.accept(body, callerOf(request))));

  http.handle(listRoles, call => roles.list(call));
  http.handle(createRole, call => roles.create(call, call.body));
  http.handle(updateRole, call => roles.update(call, Number(call.params.id), call.body));
  http.handle(deleteRole, async call => {
    await roles.remove(call, Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });

  http.handle(readSecurityPolicy, ({ session }) =>
    db.asAccount(session.accountId, async trx => {
      const { second_factor_policy: policy } = await trx
        .selectFrom('account')
        .select('second_factor_policy')
        .executeTakeFirstOrThrow();
      return { secondFactor: policy as SecondFactorPolicy, missing: await countMissing(trx) };
    }),
  );

  http.handle(updateSecurityPolicy, async call => {
    const { session, body } = call;
    const answer = await db.asAccount(session.accountId, async trx => {
      const before = await trx.selectFrom('account').select(['name', 'second_factor_policy']).executeTakeFirstOrThrow();
      await trx
        .updateTable('account')
        .set({ second_factor_policy: body.secondFactor })
        .where('id', '=', session.accountId)
        .execute();
      await audit(trx, authorOf(call), {
        action: 'security-policy.changed',
        target: { id: session.accountId, name: before.name },
        changes: changesBetween({ secondFactor: before.second_factor_policy }, { ...body }),
      });
      return { secondFactor: body.secondFactor, missing: await countMissing(trx) };
    });
    await feed.settled();
    return answer;
  });
}
