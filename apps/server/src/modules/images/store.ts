import { randomBytes } from 'node:crypto';
import type { AccountTransaction } from '../../db/database.ts';
import type { ImageKind } from './encode.ts';

/** Stores an encoded image under a name that can't be guessed, and returns the name. */
export async function storeImage(
  trx: AccountTransaction,
  accountId: number,
  kind: ImageKind,
  content: Buffer,
): Promise<string> {
  const name = `${randomBytes(16).toString('hex')}.webp`;
  await trx.insertInto('image').values({ account_id: accountId, name, kind, content }).execute();
  return name;
}

export async function dropImage(trx: AccountTransaction, name: string | null): Promise<void> {
  if (name !== null) await trx.deleteFrom('image').where('name', '=', name).execute();
}
