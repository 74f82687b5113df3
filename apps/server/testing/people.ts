import type { Role } from '@milepost/contract';
import { createAccount, createUser } from '../src/modules/accounts/accounts.ts';
import { hashPassword } from '../src/modules/accounts/password.ts';
import type { Answer, TestHttpServer } from './http-server.ts';

type Server = Pick<TestHttpServer, 'context' | 'sessions' | 'call'>;

/** Everyone's password, hashed once. */
export const PASSWORD = 'a sentence nobody guesses';
let hash: Promise<string> | null = null;
let count = 0;

export interface Person {
  readonly accountId: number;
  readonly userId: string;
  readonly userName: string;
  readonly email: string;
  readonly token: string;
  readonly sessionId: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

export interface PersonOptions {
  readonly accountId?: number;
  readonly role?: Role;
  /** Columns of the user. */
  readonly email?: string | null;
}

/** A user who can sign in with PASSWORD, has an email address, and is signed in. */
export async function person(server: Server, options: PersonOptions = {}): Promise<Person> {
  const { context, sessions } = server;
  const userName = `p${++count}.user`;
  const email = options.email === null ? '' : (options.email ?? `p${count}@example.com`);
  const accountId = options.accountId ?? (await createAccount(context.db, { name: `Fleet ${count}` }));
  const userId = await createUser(context.db, { accountId, userName, role: options.role ?? 'owner', password: null });
  hash ??= hashPassword(PASSWORD);
  await context.db.system
    .updateTable('app_user')
    .set({ password_hash: await hash, email: email || null })
    .where('id', '=', userId)
    .execute();
  const { token, sessionId } = await sessions.open({ accountId, userId });
  return {
    accountId,
    userId,
    userName,
    email,
    token,
    sessionId,
    call: (method, path, body) =>
      server.call(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) }),
  };
}

export const signIn = (server: Pick<Server, 'call'>, userName: string, more: object = {}): Promise<Answer> =>
  server.call('POST', '/api/v1/signin', { body: { userName, password: PASSWORD, ...more } });

/** The account's audit log entries, newest first. */
export async function auditOf({ context }: Pick<Server, 'context'>, accountId: number) {
  return context.db.system
    .selectFrom('audit_entry')
    .select(['action', 'user_name', 'via', 'address', 'target_name', 'changes'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute();
}
