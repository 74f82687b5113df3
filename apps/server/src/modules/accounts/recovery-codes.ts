import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';

const CODES = 10;
/** The RFC 4648 base32 alphabet: it has no 0, 1, 8 or 9, which are easily misread. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** 120 bits, so that a plain hash protects them (ASVS 5.0 6.5.2). */
const CHARACTERS = 24;

/**
 * Replaces a user's codes with ten new ones of 120 random bits. Only hashes are stored: this is the only time to read
 * the codes.
 */
export async function renewCodes(trx: AccountTransaction, accountId: number, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  const rows = codes.map(code => ({ account_id: accountId, user_id: userId, code_hash: hashOf(code) }));
  await trx.insertInto('recovery_code').values(rows).execute();
  return codes;
}

/** Creates codes with a user's first second factor; null if the user already has codes. */
export async function codesForFirstFactor(
  trx: AccountTransaction,
  accountId: number,
  userId: string,
): Promise<string[] | null> {
  return (await codesLeft(trx, userId)) > 0 ? null : renewCodes(trx, accountId, userId);
}

export async function codesLeft(trx: AccountTransaction, userId: string): Promise<number> {
  const { left } = await trx
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<string>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Uses up a code; false if it is unknown or already used. */
export async function useCode(system: Kysely<Database>, userId: string, code: string): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable('recovery_code')
    .set({ used_at: new Date() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(code))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function newCode(): string {
  const letters = Array.from(randomBytes(CHARACTERS), byte => ALPHABET[byte % ALPHABET.length]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

const hashOf = (code: string): Buffer => createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest();
