import type { Kysely } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';

/** One-time codes of an authenticator app (RFC 6238): six digits, 30 seconds, and SHA-1, which all apps support. */
const PERIOD_S = 30;
/** RFC 4226 section 4 requires at least 128 bits and recommends 160. */
const SECRET_BYTES = 20;
/** One period either way, for clocks that differ (RFC 6238 section 5.2). */
const WINDOW = 1;

const generator = (secret: Secret, label = ''): TOTP =>
  new TOTP({ issuer: 'Milepost', label, secret, digits: 6, period: PERIOD_S });

/** Creates a secret. Sign-in asks for codes only after one has confirmed it. A confirmed secret is not replaced. */
export async function startTotp(
  trx: AccountTransaction,
  user: { readonly accountId: number; readonly userId: string; readonly userName: string },
): Promise<{ secret: string; uri: string } | null> {
  const secret = new Secret({ size: SECRET_BYTES });
  const row = { secret: Buffer.from(secret.bytes), created_at: new Date() };
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('totp')
    .values({ user_id: user.userId, account_id: user.accountId, ...row })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(row).where('totp.confirmed_at', 'is', null))
    .executeTakeFirst();
  if (!numInsertedOrUpdatedRows) return null;
  return { secret: secret.base32, uri: generator(secret, user.userName).toString() };
}

/** Whether this is the app's current code. Each code is accepted once, even if two calls send it at the same time. */
export async function takeTotpCode(
  db: AccountTransaction | Kysely<Database>,
  userId: string,
  code: string,
  purpose: 'sign-in' | 'confirm',
): Promise<boolean> {
  const confirmed = purpose === 'sign-in' ? 'is not' : 'is';
  const row = await db
    .selectFrom('totp')
    .select('secret')
    .where('user_id', '=', userId)
    .where('confirmed_at', confirmed, null)
    .executeTakeFirst();
  if (!row) return false;
  const secret = new Secret({ buffer: new Uint8Array(row.secret).buffer });
  const delta = generator(secret).validate({ token: code, window: WINDOW });
  if (delta === null) return false;
  const step = Math.floor(Date.now() / 1000 / PERIOD_S) + delta;
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ last_step: step, ...(purpose === 'confirm' && { confirmed_at: new Date() }) })
    .where('user_id', '=', userId)
    .where('last_step', '<', String(step))
    .where('confirmed_at', confirmed, null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
