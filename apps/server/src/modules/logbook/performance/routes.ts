import {
  answerDispute,
  createCoaching,
  disputeEvidence,
  performanceWeightsSchema,
  readDriverPerformance,
  readMyPerformance,
  readPerformance,
  updateCoaching,
  updatePerformanceWeights,
} from '@milepost/contract';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import type { Http } from '../../../http/server.ts';
import { audit, authorOf, changesBetween } from '../../audit/audit.ts';
import { readNames } from '../desk/log-access.ts';
import type { LogRoster } from '../settings/roster.ts';
import { type Performance, readWeights } from './performance.ts';
import { readCoaching, shownCoaching } from './replies.ts';

/** Performance of drivers: the desk’s view, the driver’s own, disputes and coaching. */
export function registerPerformance(
  http: Http,
  { db, feed }: Context,
  roster: LogRoster,
  performance: Performance,
): void {
  const ownDriver = async (trx: AccountTransaction, { userId }: Viewer): Promise<number> => {
    const row = await trx.selectFrom('driver').select('id').where('user_id', '=', userId).executeTakeFirst();
    if (!row) throw new AppError('no-log');
    return row.id;
  };
  const coachingOf = async (trx: AccountTransaction, driverId: number, id: string) => {
    const note = (await readCoaching(trx)).get(driverId)?.find(one => one.id === id);
    if (!note) throw new AppError('not-found');
    return note;
  };

  http.handle(readPerformance, ({ session, query }) =>
    db.asAccount(session.accountId, trx => performance.list(trx, session, query.days, Date.now())),
  );
  http.handle(readDriverPerformance, ({ session, params, query }) =>
    db.asAccount(session.accountId, async trx => {
      const { driverId } = await roster.seen(trx, session, Number(params.driverId));
      return performance.one(trx, session.accountId, driverId, query.days, Date.now());
    }),
  );
  http.handle(readMyPerformance, ({ session, query }) =>
    db.asAccount(session.accountId, async trx =>
      performance.one(trx, session.accountId, await ownDriver(trx, session), query.days, Date.now()),
    ),
  );

  http.handle(updatePerformanceWeights, async call => {
    const { session, body } = call;
    const weights = await db.asAccount(session.accountId, async trx => {
      const before = await readWeights(trx);
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const after = performanceWeightsSchema.parse({ ...before, ...given });
      const row = { weights: JSON.stringify(after) };
      await trx
        .insertInto('performance_weight')
        .values({ account_id: session.accountId, ...row })
        .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
        .execute();
      await audit(trx, authorOf(call), { action: 'performance.changed', changes: changesBetween(before, after) });
      return after;
    });
    await feed.settled();
    return weights;
  });

  http.handle(disputeEvidence, async call => {
    const { session, body, query } = call;
    const answer = await db.asAccount(session.accountId, async trx => {
      const driverId = await ownDriver(trx, session);
      const before = await performance.one(trx, session.accountId, driverId, query.days, Date.now());
      const item = before.evidence.find(({ id }) => id === body.evidence);
      if (!item) throw new AppError('not-found');
      // What was decided stays decided.
      const row = { reply: body.text, disputed_at: new Date() };
      await trx
        .insertInto('performance_dispute')
        .values({ account_id: session.accountId, driver_id: driverId, evidence: body.evidence, ...row })
        .onConflict(conflict =>
          conflict
            .columns(['account_id', 'driver_id', 'evidence'])
            .doUpdateSet(row)
            .where('performance_dispute.state', '=', 'open'),
        )
        .execute();
      await audit(trx, authorOf(call), {
        action: 'performance.disputed',
        target: { id: driverId, name: before.name },
        changes: [{ field: 'reason', from: null, to: body.text }],
      });
      return performance.one(trx, session.accountId, driverId, query.days, Date.now());
    });
    await feed.settled();
    return answer;
  });

  http.handle(answerDispute, async call => {
    const { session, body, params, query } = call;
    const answer = await db.asAccount(session.accountId, async trx => {
      const { driverId, name } = await roster.held(trx, session, Number(params.driverId));
      const state = body.accept ? ('accepted' as const) : ('rejected' as const);
      const updated = await trx
        .updateTable('performance_dispute')
        .set({ state, answer: body.text, answered_by: session.userId, answered_at: new Date() })
        .where('driver_id', '=', driverId)
        .where('evidence', '=', body.evidence)
        .returning('evidence')
        .executeTakeFirst();
      if (!updated) throw new AppError('not-found');
      const changes = [
        { field: 'state', from: 'open', to: state },
        { field: 'reason', from: null, to: body.text },
      ];
      await audit(trx, authorOf(call), {
        action: 'performance.dispute-answered',
        target: { id: driverId, name },
        changes,
      });
      return performance.one(trx, session.accountId, driverId, query.days, Date.now());
    });
    await feed.settled();
    return answer;
  });

  http.handle(createCoaching, async call => {
    const { session, body, params } = call;
    const note = await db.asAccount(session.accountId, async trx => {
      const { driverId, name } = await roster.held(trx, session, Number(params.driverId));
      const { id } = await trx
        .insertInto('coaching_note')
        .values({
          account_id: session.accountId,
          driver_id: driverId,
          note: body.text,
          due_on: body.dueOn,
          created_by: session.userId,
          created_at: new Date(),
          done_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const changes = [{ field: 'note', from: null, to: body.text }];
      await audit(trx, authorOf(call), { action: 'coaching.changed', target: { id: driverId, name }, changes });
      return shownCoaching(await coachingOf(trx, driverId, id), await readNames(trx));
    });
    await feed.settled();
    return note;
  });

  http.handle(updateCoaching, async call => {
    const { session, body, params } = call;
    const note = await db.asAccount(session.accountId, async trx => {
      const { driverId, name } = await roster.held(trx, session, Number(params.driverId));
      const before = await coachingOf(trx, driverId, params.id);
      await trx
        .updateTable('coaching_note')
        .set({
          note: body.text ?? before.note,
          due_on: body.dueOn ?? before.due,
          done_at: body.done === undefined ? before.done_at : body.done ? (before.done_at ?? new Date()) : null,
        })
        .where('id', '=', params.id)
        .execute();
      const after = await coachingOf(trx, driverId, params.id);
      const changes = [
        { field: 'note', from: before.note, to: after.note },
        { field: 'done', from: before.done_at !== null, to: after.done_at !== null },
      ].filter(({ from, to }) => from !== to);
      await audit(trx, authorOf(call), { action: 'coaching.changed', target: { id: driverId, name }, changes });
      return shownCoaching(after, await readNames(trx));
    });
    await feed.settled();
    return note;
  });
}
