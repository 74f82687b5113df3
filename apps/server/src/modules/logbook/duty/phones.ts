import {
  type EnrolledPhone,
  endDriverPhone,
  endMyPhone,
  enrollPhone,
  listDriverPhones,
  listMyPhones,
  PHONES_MAX,
} from '@milepost/contract';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import type { Http } from '../../../http/server.ts';
import { audit } from '../../audit/audit.ts';
import { type By, by } from '../../audit/by.ts';
import { ownTerms, seenLogs } from '../desk/log-access.ts';
import type { DriverTerms } from '../settings/driver-terms.ts';

/** Findings that are listed with a phone, newest first. */
const FINDINGS_SHOWN = 50;

/** Phones that sign what their driver enters: enrolled by the driver, ended by the driver or the desk. */
export function registerPhones(http: Http, { db }: Pick<Context, 'db'>, organisation: Organisation): void {
  const seen = async (trx: AccountTransaction, viewer: Viewer, driverId: string): Promise<DriverTerms> => {
    const [terms] = await seenLogs(trx, viewer, organisation, [Number(driverId)]);
    if (!terms) throw new AppError('not-found');
    return terms;
  };
  const end = async (
    trx: AccountTransaction,
    { author }: By,
    terms: DriverTerms,
    id: string,
  ): Promise<EnrolledPhone> => {
    const row = await trx
      .updateTable('phone')
      .set(eb => ({ ended_at: eb.fn.coalesce('ended_at', eb.val(new Date())) }))
      .where('id', '=', id)
      .where('driver_id', '=', terms.driverId)
      .returning('name')
      .executeTakeFirst();
    if (!row) throw new AppError('not-found');
    await audit(trx, author, {
      action: 'phone.ended',
      target: { id: terms.driverId, name: terms.name },
      changes: [{ field: 'phone', from: row.name, to: null }],
    });
    return one(trx, terms.driverId, id);
  };

  http.handle(enrollPhone, async call => {
    const { session, body } = call;
    return db.asAccount(session.accountId, async trx => {
      const terms = await ownTerms(trx, session);
      const phones = await trx.selectFrom('phone').select(['id', 'driver_id', 'ended_at']).execute();
      const known = phones.find(({ id }) => id === body.id);
      if (known && known.driver_id !== terms.driverId) throw new AppError('not-found');
      if (known) return one(trx, terms.driverId, body.id);
      const open = phones.filter(phone => phone.driver_id === terms.driverId && phone.ended_at === null);
      if (open.length >= PHONES_MAX) throw new AppError('too-many-phones', { limit: PHONES_MAX });
      await trx
        .insertInto('phone')
        .values({
          ...{ account_id: session.accountId, id: body.id, driver_id: terms.driverId, name: body.name },
          ...{ public_key: JSON.stringify(body.publicKey), enrolled_at: new Date(), ended_at: null },
          ...{ after_position: String(body.after.position), after_hash: body.after.hash },
        })
        .execute();
      await audit(trx, by(call).author, {
        action: 'phone.enrolled',
        target: { id: terms.driverId, name: terms.name },
        changes: [{ field: 'phone', from: null, to: body.name }],
      });
      return one(trx, terms.driverId, body.id);
    });
  });
  http.handle(listMyPhones, ({ session }) =>
    db.asAccount(session.accountId, async trx => phonesOf(trx, (await ownTerms(trx, session)).driverId)),
  );
  http.handle(endMyPhone, call =>
    db.asAccount(call.session.accountId, async trx =>
      end(trx, by(call), await ownTerms(trx, call.session), call.params.id),
    ),
  );
  http.handle(listDriverPhones, ({ session, params }) =>
    db.asAccount(session.accountId, async trx => phonesOf(trx, (await seen(trx, session, params.driverId)).driverId)),
  );
  http.handle(endDriverPhone, call =>
    db.asAccount(call.session.accountId, async trx => {
      const terms = await seen(trx, call.session, call.params.driverId);
      // Seeing a driver, who drives one's vehicle today, is not enough to end their phone.
      if (!organisation.visibility.holdsDriver(call.session, terms)) throw new AppError('out-of-scope');
      return end(trx, by(call), terms, call.params.id);
    }),
  );
}

async function one(trx: AccountTransaction, driverId: number, id: string): Promise<EnrolledPhone> {
  const found = (await phonesOf(trx, driverId)).find(phone => phone.id === id);
  if (!found) throw new AppError('not-found');
  return found;
}

async function phonesOf(trx: AccountTransaction, driverId: number): Promise<EnrolledPhone[]> {
  const rows = await trx
    .selectFrom('phone')
    .selectAll()
    .where('driver_id', '=', driverId)
    .orderBy('enrolled_at', 'desc')
    .execute();
  const signed = await trx
    .selectFrom('duty_signature')
    .select(eb => ['phone_id', eb.fn.countAll<string>().as('count'), eb.fn.max('received_at').as('last')])
    .where('driver_id', '=', driverId)
    .groupBy('phone_id')
    .execute();
  const wrong = await trx
    .selectFrom('duty_signature')
    .select(['phone_id', 'input_id', 'finding', 'received_at'])
    .where('driver_id', '=', driverId)
    .where('finding', 'is not', null)
    .orderBy('received_at', 'desc')
    .limit(FINDINGS_SHOWN)
    .execute();
  return rows.map(({ id, name, enrolled_at, ended_at }) => {
    const counted = signed.find(row => row.phone_id === id);
    return {
      ...{ id, name, enrolledAt: enrolled_at.toISOString(), endedAt: ended_at?.toISOString() ?? null },
      ...{ lastAt: counted ? new Date(counted.last).toISOString() : null, entries: Number(counted?.count ?? 0) },
      findings: wrong
        .filter(row => row.phone_id === id)
        .map(({ finding, input_id, received_at }) => ({
          ...{ entry: input_id, at: received_at.toISOString() },
          finding: finding as EnrolledPhone['findings'][number]['finding'],
        })),
    };
  });
}
