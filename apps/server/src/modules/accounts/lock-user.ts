import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';

/**
 * Serializes changes to how a user signs in. Take this lock before any other row of the user, so that two
 * transactions can't deadlock, and before reading anything that must still be true when it is written.
 */
export async function lockUser(trx: AccountTransaction, userId: string): Promise<void> {
  await sql`select from app_user where id = ${userId} for update`.execute(trx);
}
