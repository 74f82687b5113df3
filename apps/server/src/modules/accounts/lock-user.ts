import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';

/**
 * Whoever changes how somebody gets in goes one after another. Taken before any other row of theirs, so that no two wait
 * for each other, and before anything is read that is to hold when it is written.
 */
export async function lockUser(trx: AccountTransaction, userId: string): Promise<void> {
  await sql`select from app_user where id = ${userId} for update`.execute(trx);
}
