import type { Credentials } from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { AppError } from '../../http/app-error.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';
import type { OpenedSession, Sessions } from './sessions.ts';
import type { TryLimits } from './try-limits.ts';

export interface SignInCall {
  readonly credentials: Credentials;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/** Opens a session for a right password. Every refusal reads the same and takes the same time. */
export async function signInWithPassword(
  system: Kysely<Database>,
  sessions: Sessions,
  limits: TryLimits,
  { credentials, address, userAgent }: SignInCall,
): Promise<OpenedSession> {
  const { userName, password, keepSignedIn = false } = credentials;
  await limits.count(userName, address);
  const user = await findUser(system, userName);
  if (!(await verifyPassword(user?.password_hash ?? null, password)) || !user?.password_hash) {
    throw new AppError('wrong-credentials');
  }
  await limits.forgive(userName, address);
  if (isOutdated(user.password_hash)) {
    await system
      .updateTable('app_user')
      .set({ password_hash: await hashPassword(password) })
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .execute();
  }
  return sessions.open({ accountId: user.account_id, userId: user.id, keepSignedIn, address, userAgent });
}

/** By user name, else by e-mail address; user names have no @, so nobody can take another's. */
function findUser(system: Kysely<Database>, name: string) {
  return system
    .selectFrom('app_user')
    .select(['id', 'account_id', 'password_hash'])
    .where(({ eb, fn, val }) =>
      eb(fn('lower', [name.includes('@') ? 'email' : 'user_name']), '=', fn('lower', [val(name)])),
    )
    .executeTakeFirst();
}
