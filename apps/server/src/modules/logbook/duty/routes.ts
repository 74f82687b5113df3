import { certifyDays, type DutyInput, dutyInputSchema, type MyDuty, readMyDuty, recordDuty } from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Http } from '../../../http/server.ts';
import type { Session } from '../../../http/session.ts';
import { ownDriver, ownTerms } from '../desk/log-access.ts';
import type { Recorder } from '../recorder/recorder.ts';
import { sentenceOf } from './answers.ts';
import { certify } from './by-hand.ts';
import { type MyDutyParts, readMyDutyOf } from './my-duty.ts';
import { mayDriveBy } from './own-vehicles.ts';
import { noteSignature } from './signatures.ts';
import { takeInputs, vehiclesOf } from './take-input.ts';
import { endWaiting, noteWaiting } from './waiting.ts';

export interface DutyParts extends MyDutyParts {
  readonly recorder: Recorder;
}

type Outcome = { readonly id: string; readonly result: 'taken' | 'known' | 'refused'; readonly refusal: string | null };

/**
 * What a driver does and reads of their own log. Only the user who is linked to the driver: nobody enters duty for
 * someone else (Appendix A, 4.1.2). A user is linked to one driver, and a license belongs to one driver.
 */
export function registerDuty(
  http: Http,
  { db, feed, log }: Pick<Context, 'db' | 'feed' | 'log'>,
  parts: DutyParts,
): void {
  const { organisation, recorder } = parts;
  /** What is committed before `changes` was read is in it. */
  const read = async (trx: AccountTransaction, session: Session, changes: number): Promise<MyDuty> => ({
    ...(await readMyDutyOf(trx, parts, session.accountId, await ownTerms(trx, session), Date.now())),
    changes,
  });

  http.handle(readMyDuty, ({ session }) => {
    const { number } = feed;
    return db.asAccount(session.accountId, trx => read(trx, session, number));
  });

  http.handle(recordDuty, async ({ session, body }) => {
    const { accountId, userId } = session;
    const nowMs = Date.now();
    let lastMs = 0;
    const inputs = body.inputs.map(given => {
      const input = dutyInputSchema.parse(given satisfies DutyInput);
      // In the order in which they were entered, whatever the phone's clock did, and never ahead of ours.
      lastMs = Math.min(nowMs, Math.max(lastMs, Date.parse(input.at)));
      return { ...input, atMs: lastMs };
    });
    const about = await db.asAccount(accountId, async trx => {
      const driverId = await ownDriver(trx, session);
      return { accountId, driverId, vehicleIds: await vehiclesOf(trx, driverId, inputs) };
    });
    const take = (some: typeof inputs): Promise<Outcome[]> => recorder.turns.ofPhone(about, () => takeNow(some));
    const takeNow = (some: typeof inputs): Promise<Outcome[]> =>
      db.asAccount(accountId, async trx => {
        // Time has passed in the wait for its turn.
        const nowMs = Date.now();
        const terms = await ownTerms(trx, session);
        // One request of a driver at a time: the same one may come twice at once.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`milepost-duty ${terms.driverId}`}, 0))`.execute(trx);
        const rows = await trx
          .selectFrom('duty_input')
          .select(['id', 'refusal'])
          .where(sql<boolean>`id = any (${some.map(({ id }) => id)}::uuid[])`)
          .execute();
        const known = new Map(rows.map(({ id, refusal }) => [id, refusal]));
        const fresh = [...new Map(some.filter(({ id }) => !known.has(id)).map(input => [input.id, input])).values()];
        const allowed = mayDriveBy(organisation, accountId, terms);
        const mayDrive = (vehicleId: number): boolean => {
          const vehicle = organisation.directory.findById(vehicleId);
          // What does not exist is answered where it is looked for.
          return vehicle?.accountId !== accountId || allowed(vehicle);
        };
        const parts = { trx, accountId, userId, terms, recorder, nowMs, mayDrive };
        const refusals = await takeInputs(parts, fresh);
        if (fresh.length > 0) await endWaiting(trx, terms.driverId);
        for (const { proof, ...input } of fresh) {
          if (proof) await noteSignature(trx, accountId, terms.driverId, { ...input, proof }, nowMs);
        }
        return some.map(({ id }) => {
          const refusal = known.get(id) ?? refusals.get(id) ?? null;
          return { id, refusal, result: refusal !== null ? 'refused' : known.has(id) ? 'known' : 'taken' };
        });
      });
    const takeOne = (one: (typeof inputs)[number]): Promise<Outcome[]> =>
      take([one]).catch(async error => {
        await db
          .asAccount(accountId, async trx =>
            noteWaiting(trx, accountId, (await ownTerms(trx, session)).driverId, one, error),
          )
          .catch((unkept: unknown) => log.warn({ err: unkept, accountId }, 'Could not note that a sign-in waits'));
        throw error;
      });
    // One that can't be kept must not hold up those before it: by halves, up to the one that fails.
    const takeAll = async (some: typeof inputs): Promise<Outcome[]> => {
      const [only] = some;
      if (!only || some.length === 1) return only ? takeOne(only) : [];
      const taken = await take(some).catch(() => null);
      if (taken) return taken;
      const half = Math.ceil(some.length / 2);
      return [...(await takeAll(some.slice(0, half))), ...(await takeAll(some.slice(half)))];
    };
    const outcomes = await takeAll(inputs);
    // The phone hears of its own entries as of every change; the number says that this answer has them.
    await feed.settled();
    const { number } = feed;
    const duty = await db.asAccount(accountId, async trx => {
      const synced = { synced_at: new Date() };
      await trx.updateTable('log_setting').set(synced).where('driver_id', '=', about.driverId).execute();
      return read(trx, session, number);
    });
    return { outcomes: outcomes.map(outcome => ({ ...outcome, reason: sentenceOf(outcome.refusal) })), duty };
  });

  http.handle(certifyDays, async ({ session, body }) => {
    const { accountId, userId } = session;
    const answer = await db.asAccount(accountId, async trx => {
      const terms = await ownTerms(trx, session);
      const nowMs = Date.now();
      const certified: string[] = [];
      for (const date of body.dates) {
        const refusal = await certify({ trx, accountId, userId, terms, recorder, nowMs }, date);
        if (refusal === null) certified.push(date);
        else if (refusal !== 'nothing-to-certify') {
          throw new AppError('log-refused', { reason: sentenceOf(refusal) ?? refusal });
        }
      }
      const { toCertify } = await readMyDutyOf(trx, parts, accountId, terms, nowMs);
      return { certified, toCertify };
    });
    await feed.settled();
    return answer;
  });
}
