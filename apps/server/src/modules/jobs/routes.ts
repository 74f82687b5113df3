import {
  type AuditAction,
  cancelJob,
  type Job,
  listJobs,
  listRepeatedJobs,
  runJob,
  runRepeatedJob,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { audit } from '../audit/audit.ts';
import { type By, by } from '../audit/by.ts';
import { JOB_COLUMNS, toJob } from './rows.ts';

const LISTED = 100;

/** Settings › System: an account's jobs for those who run the account, recurring work for those who run the server. */
export function registerJobs(http: Http, { db, jobs }: Context): void {
  const read = async (accountId: number, id?: string): Promise<Job[]> => {
    const rows = await db.asAccount(accountId, trx =>
      trx
        .selectFrom('job')
        .innerJoin('app_user', 'app_user.id', 'job.user_id')
        .select(JOB_COLUMNS)
        .$if(id !== undefined, query => query.where('job.id', '=', id ?? ''))
        .orderBy('job.created_at', 'desc')
        .limit(LISTED)
        .execute(),
    );
    const open = rows.filter(({ ended_at }) => ended_at === null).map(row => row.id);
    const retries = await jobs.oneOffs.retries(open);
    return rows.map(row => ({
      ...toJob(row),
      retryAt: retries.get(row.id)?.toISOString() ?? null,
    }));
  };
  const readOne = async (accountId: number, id: string): Promise<Job> => {
    const [job] = await read(accountId, id);
    if (!job) throw new AppError('not-found');
    return job;
  };
  const refuseOthers = async (accountId: number): Promise<void> => {
    const account = await db.asAccount(accountId, trx =>
      trx.selectFrom('account').select('operator').executeTakeFirst(),
    );
    if (!account?.operator) throw new AppError('not-allowed');
  };
  const repeated = async () =>
    (await jobs.list()).map(job => ({
      ...job,
      nextAt: job.nextAt?.toISOString() ?? null,
      startedAt: job.startedAt?.toISOString() ?? null,
    }));

  const note = (call: By, action: AuditAction, id: string, name: string): Promise<void> =>
    db.asAccount(call.session.accountId, trx => audit(trx, call.author, { action, target: { id, name } }));

  // A visitor of a public demo sees neither who works there nor what the server's errors say.
  http.handle(listJobs, ({ session }) => (session.readOnly ? [] : read(session.accountId)));

  http.handle(runJob, async call => {
    const { accountId } = call.session;
    const { id, kind, endedAt } = await readOne(accountId, call.params.id);
    if (endedAt === null) {
      await jobs.oneOffs.runNow(id);
      await note(by(call), 'job.run', id, kind);
    }
    return readOne(accountId, id);
  });

  http.handle(cancelJob, async call => {
    const { accountId } = call.session;
    const { id, kind } = await readOne(accountId, call.params.id);
    if (await jobs.oneOffs.cancel(accountId, id)) await note(by(call), 'job.canceled', id, kind);
    return readOne(accountId, id);
  });

  http.handle(listRepeatedJobs, async ({ session }) => {
    await refuseOthers(session.accountId);
    const all = await repeated();
    return session.readOnly ? all.map(job => ({ ...job, failure: null })) : all;
  });

  http.handle(runRepeatedJob, async call => {
    const { name } = call.params;
    await refuseOthers(call.session.accountId);
    if (!(await jobs.runNow(name))) throw new AppError('not-found');
    await note(by(call), 'job.run', name, name);
    return repeated();
  });
}
