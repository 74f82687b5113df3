import { argon2Sync, randomBytes } from 'node:crypto';
import type { Context } from '../src/context.ts';

export const TEST_CONTROL_PASSWORD = 'open the gate';

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** A cheap hash, because it is checked hundreds of times and its cost is not under test. */
function cheapHash(): string {
  const nonce = randomBytes(16);
  const cost = { memory: 8, passes: 1, parallelism: 1 } as const;
  const tag = argon2Sync('argon2id', { message: TEST_CONTROL_PASSWORD, nonce, ...cost, tagLength: 32 });
  return `$argon2id$v=19$m=8,t=1,p=1$${unpadded(nonce)}$${unpadded(tag)}`;
}

/** Sets an account's control password on behalf of this user. */
export async function setTestControlPassword(
  { context }: { readonly context: Pick<Context, 'db'> },
  { accountId, userId }: { readonly accountId: number; readonly userId: string },
): Promise<void> {
  const row = { hash: cheapHash(), set_at: new Date(), set_by: userId };
  await context.db.system
    .insertInto('control_password')
    .values({ ...row, account_id: accountId })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
    .execute();
}
