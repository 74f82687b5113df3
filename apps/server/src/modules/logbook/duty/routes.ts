import { certifyDays, type DutyInput, dutyInputSchema, readMyDuty, recordDuty } from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Http } from '../../../http/server.ts';
import type { Session } from '../../../http/session.ts';
import { ownTerms } from '../desk/log-access.ts';
import type { Recorder } from '../recorder/recorder.ts';
import { sentenceOf } from './answers.ts';
import { certify } from './by-hand.ts';
import { type MyDutyParts, readMyDutyOf } from './my-duty.ts';
import { mayDriveBy } from './own-vehicles.ts';
import { noteSignature } from './signatures.ts';
import { takeInput } from './take-input.ts';

export interface DutyParts extends MyDutyParts {
  readonly recorder: Recorder;
}

type Outcome = { readonly id: string; readonly result: 'taken' | 'known' | 'refused'; readonly refusal: string | null };

/**
 * What a driver does and reads of their own log. Only the user who is linked to the driver: nobody enters duty for
 * someone else (Appendix A, 4.1.2). A user is linked to one driver, and a license belongs to one driver.
 */
export function registerDuty(http: Http, { db, feed }: Pick<Context, 'db' | 'feed'>, parts: DutyParts): void {
  const { organisation, recorder } = parts;
  const read = (trx: AccountTransaction, session: Session, nowMs: number) =>
    ownTerms(trx, session).then(terms => readMyDutyOf(trx, parts, session.accountId, terms, nowMs));

  http.handle(readMyDuty, ({ session }) => db.asAccount(session.accountId, trx => read(trx, session, Date.now())));

  http.handle(recordDuty, async ({ session, body }) => {
    const { accountId, userId } = session;
    await db.asAccount(accountId, trx => ownTerms(trx, session));
    const outcomes: Outcome[] = [];
    let lastMs = 0;
    for (const given of body.inputs) {
      const input = dutyInputSchema.parse(given satisfies DutyInput);
      const nowMs = Date.now();
      // In the order in which they were entered, whatever the phone's clock did, and never ahead of ours.
      const atMs = Math.min(nowMs, Math.max(lastMs, Date.parse(input.at)));
      lastMs = atMs;
      const outcome = await db.asAccount(accountId, async (trx): Promise<Outcome> => {
        const terms = await ownTerms(trx, session);
        // One input of a driver at a time: the same one may come twice at once.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`milepost-duty ${terms.driverId}`}, 0))`.execute(trx);
        const known = await trx
          .selectFrom('duty_input')
          .select('refusal')
          .where('id', '=', input.id)
          .executeTakeFirst();
        if (known)
          return { id: input.id, result: known.refusal === null ? 'known' : 'refused', refusal: known.refusal };
        const allowed = mayDriveBy(organisation, accountId, terms);
        const mayDrive = (vehicleId: number): boolean => {
          const vehicle = organisation.directory.findById(vehicleId);
          // What does not exist is answered where it is looked for.
          return vehicle?.accountId !== accountId || allowed(vehicle);
        };
        const refusal = await takeInput(
          { trx, accountId, userId, terms, recorder, nowMs, mayDrive },
          { id: input.id, atMs, action: input.action },
        );
        if (input.proof) {
          await noteSignature(trx, accountId, terms.driverId, { ...input, proof: input.proof }, nowMs);
        }
        return { id: input.id, result: refusal === null ? 'taken' : 'refused', refusal };
      });
      outcomes.push(outcome);
    }
    const duty = await db.asAccount(accountId, async trx => {
      const { driverId } = await ownTerms(trx, session);
      await trx.updateTable('log_setting').set({ synced_at: new Date() }).where('driver_id', '=', driverId).execute();
      return read(trx, session, Date.now());
    });
    await feed.settled();
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
