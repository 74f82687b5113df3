import { createHash, randomBytes } from 'node:crypto';
import {
  CONTROL_LOCK_MINUTES,
  CONTROL_TRIES,
  type CommandAction,
  type CommandMode,
  GRANT_LIFETIME_S,
} from '@milepost/contract';
import { sql } from 'kysely';
import { AppError, fieldProblem, tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Session } from '../../http/session.ts';
import { verifyPassword } from '../accounts/password.ts';
import { createTryLimits } from '../accounts/try-limits.ts';
import { type AuditRecord, audit, type Change } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import type { ControlPasswords } from './control-password.ts';

/** What the grant allows: one command to one vehicle. */
export interface Wanted {
  readonly vehicle: DirectoryEntry;
  readonly action: CommandAction;
  readonly mode: CommandMode | null;
  /** Another user's command to confirm; null for one's own command. */
  readonly commandId: string | null;
}

/** What the control password is for, as in the audit log. */
export interface Purpose {
  readonly target: NonNullable<AuditRecord['target']>;
  readonly changes: readonly Change[];
}

/** Grants of the control password [R7.15]. Each is valid once, for one user, session and command. */
export interface Grants {
  /** Throws `control-password-wrong` with the remaining tries, `controls-locked` or `control-password-missing`. */
  confirm(by: By, purpose: Purpose, password: string): Promise<void>;
  /** After `confirm`: a secret that is returned only once. */
  give(by: By, wanted: Wanted): Promise<string>;
  /** Uses up a grant in its command's transaction. Returns its hash, or throws `grant-refused`. */
  use(trx: AccountTransaction, session: Session, wanted: Wanted, grant: string): Promise<Buffer>;
  /** Until when controls are locked for a user; null if they aren't. */
  lockedUntil(accountId: number, userId: string): Promise<Date | null>;
}

export const purposeOf = ({ vehicle, action, commandId }: Wanted): Purpose => ({
  target: { id: vehicle.id, name: vehicle.name },
  changes: [
    { field: 'command', from: null, to: action },
    ...(commandId === null ? [] : [{ field: 'secondPerson', from: null, to: true }]),
  ],
});

const PREFIX = 'cg_';
const LOCK_MS = CONTROL_LOCK_MINUTES * 60_000;
/** People in one office share an address, and an account shares its password: this is their limit together. */
const TRIES = { pair: 20, address: 50, name: 50 } as const;

const sha256 = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export function createGrants(
  { counters, db }: Pick<Context, 'counters' | 'db'>,
  passwords: ControlPasswords,
  now: () => number,
): Grants {
  const limits = createTryLimits(counters, 'control password', TRIES);

  const locked = (until: Date): AppError => tooMany('controls-locked', until.getTime() - now());

  /** Counts a try before checking the password, so parallel tries gain nothing. */
  const countTry = (accountId: number, userId: string): Promise<{ tries: number; locked_until: Date | null }> => {
    const at = new Date(now());
    const windowBegan = new Date(now() - LOCK_MS);
    // Tries while controls are locked aren't counted, so they don't extend the lock.
    const isLocked = sql<boolean>`coalesce(control_try.locked_until > ${at}, false)`;
    // Expired locks and old tries no longer count.
    const isAnew = sql<boolean>`(not ${isLocked} and (control_try.locked_until is not null or control_try.since < ${windowBegan}))`;
    return db.asAccount(accountId, trx =>
      trx
        .insertInto('control_try')
        .values({ user_id: userId, account_id: accountId, tries: 1, since: at, locked_until: null })
        .onConflict(conflict =>
          conflict.column('user_id').doUpdateSet({
            tries: sql<number>`case when ${isLocked} then control_try.tries when ${isAnew} then 1 else control_try.tries + 1 end`,
            since: sql<Date>`case when ${isAnew} then ${at} else control_try.since end`,
            locked_until: sql<Date | null>`case
              when ${isLocked} then control_try.locked_until
              when not ${isAnew} and control_try.tries >= ${CONTROL_TRIES} then ${new Date(now() + LOCK_MS)}
              else null end`,
          }),
        )
        .returning(['tries', 'locked_until'])
        .executeTakeFirstOrThrow(),
    );
  };
  const lock = async (accountId: number, userId: string): Promise<Date> => {
    const until = new Date(now() + LOCK_MS);
    await db.asAccount(accountId, trx =>
      trx.updateTable('control_try').set({ locked_until: until }).where('user_id', '=', userId).execute(),
    );
    return until;
  };
  const forgive = (accountId: number, userId: string) =>
    db.asAccount(accountId, trx => trx.deleteFrom('control_try').where('user_id', '=', userId).execute());

  const refuse = async ({ author }: By, { target, changes }: Purpose, why: string): Promise<void> => {
    const reason: Change = { field: 'reason', from: null, to: why };
    await db.asAccount(author.accountId, trx =>
      audit(trx, author, { action: 'control.refused', target, changes: [...changes, reason] }),
    );
  };

  return {
    confirm: async (by, purpose, password) => {
      const { accountId, userId } = by.session;
      const account = `account ${accountId}`;
      const address = by.author.address ?? '';
      const hash = await passwords.hash(accountId);
      if (hash === null) throw new AppError('control-password-missing');
      const { tries, locked_until: until } = await countTry(accountId, userId);
      if (until) {
        await refuse(by, purpose, 'controls-locked');
        throw locked(until);
      }
      // Only what is looked at: anyone who is locked locks nobody else by going on.
      await limits.count(account, address);
      if (await verifyPassword(hash, password)) {
        await forgive(accountId, userId);
        await limits.forgive(account, address);
        return;
      }
      await refuse(by, purpose, 'control-password-wrong');
      const left = CONTROL_TRIES - tries;
      if (left <= 0) throw locked(await lock(accountId, userId));
      throw fieldProblem('controlPassword', 'control-password-wrong', { left });
    },

    give: async ({ session, author }, wanted) => {
      const { vehicle, action, commandId, mode } = wanted;
      const secret = PREFIX + randomBytes(32).toString('base64url');
      await db.asAccount(session.accountId, async trx => {
        await trx.deleteFrom('control_grant').where('expires_at', '<', new Date(now())).execute();
        await trx
          .insertInto('control_grant')
          .values({
            hash: sha256(secret),
            account_id: session.accountId,
            user_id: session.userId,
            session_id: session.sessionId,
            vehicle_id: vehicle.id,
            action,
            mode,
            command_id: commandId,
            created_at: new Date(now()),
            expires_at: new Date(now() + GRANT_LIFETIME_S * 1000),
            used_at: null,
          })
          .execute();
        await audit(trx, author, { action: 'control.confirmed', ...purposeOf(wanted) });
      });
      return secret;
    },

    use: async (trx, { sessionId, userId }, { vehicle, action, commandId, mode }, grant) => {
      const hash = sha256(grant);
      // One statement: of many at once the row's lock lets the first through, and the others find it used.
      const { numUpdatedRows } = await trx
        .updateTable('control_grant')
        .set({ used_at: new Date(now()) })
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', new Date(now()))
        .where('user_id', '=', userId)
        .where('session_id', '=', sessionId)
        .where('vehicle_id', '=', vehicle.id)
        .where('action', '=', action)
        .where('mode', mode === null ? 'is' : '=', mode)
        .where('command_id', commandId === null ? 'is' : '=', commandId)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) throw new AppError('grant-refused');
      return hash;
    },

    lockedUntil: async (accountId, userId) => {
      const row = await db.asAccount(accountId, trx =>
        trx.selectFrom('control_try').select('locked_until').where('user_id', '=', userId).executeTakeFirst(),
      );
      return row?.locked_until && row.locked_until.getTime() > now() ? row.locked_until : null;
    },
  };
}
