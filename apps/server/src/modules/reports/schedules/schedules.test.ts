import type { ReportRun, ReportSchedule } from '@milepost/contract';
import { fromKilometresPerHour } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { type Mailbox, startMailbox } from '../../../../testing/mailbox.ts';
import { addNamedVehicle } from '../../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';

import { withoutJobs } from '../../../../testing/transfers.ts';
import { openPlaces } from '../../places/places.ts';
import { createReportSources } from '../sources.ts';
import { openReportSchedules } from './schedules.ts';

const MINUTE = 60_000;
const patient = { timeout: 60_000, interval: 50 };
const RULE = { every: 'day', minute: 360 };

let server: TestHttpServer;
let mailbox: Mailbox;
let owner: SignedIn;

beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startHttpServer({ config: { smtpUrl: mailbox.url } });
  server.context.jobs.start();
  owner = await signedIn(server);
  const { id } = await addNamedVehicle(server, owner.accountId, 'Truck 7');
  const calendar = server.figures.calendar(owner.accountId);
  const begin = calendar.startOf(calendar.dayOf(Date.now()) - 1) + 8 * 60 * MINUTE;
  const positions = Array.from({ length: 31 }, (_, i) =>
    receivedPosition(begin + i * MINUTE, { speed: fromKilometresPerHour(i < 30 ? 60 : 0), ignition: i < 30 }),
  );
  await storePositions(server, owner.accountId, Number(id), positions);
});
afterAll(() => Promise.all([server.close(), mailbox.close()]));

const call = (method: string, path: string, me: SignedIn, body?: object) =>
  server.call(method, `/api/v1/${path}`, { token: me.token, ...(body && { body }) });

async function schedule(fields: object, me = owner): Promise<ReportSchedule> {
  const body = { name: 'Mornings', key: 'daily-summary', format: 'csv', period: 'yesterday', rule: RULE, ...fields };
  const answer = await call('POST', 'report-schedule', me, body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body as ReportSchedule;
}
const runsOf = async (me: SignedIn) => (await call('GET', 'report_run', me)).body as ReportRun[];

const withAddress = async ({ userId }: SignedIn, email: string) => {
  await server.context.db.system.updateTable('app_user').set({ email }).where('id', '=', userId).execute();
};
const startDue = async () => {
  const { context, figures, organisation, reportContext, workers } = server;
  const places = await openPlaces();
  const sources = createReportSources(context, { ...organisation, figures, places, reportContext, workers });
  return openReportSchedules(withoutJobs(context), sources).startDue();
};
/** Without the line breaks of quoted-printable. */
const unfolded = (text = ''): string => text.replace(/=\r?\n/g, '');
/** Makes it due a day ago, and does what the job does that looks every minute. */
const makeDue = async ({ id }: ReportSchedule) => {
  const { system } = server.context.db;
  await system
    .updateTable('report_schedule')
    .set({ next_at: new Date(Date.now() - MINUTE) })
    .where('id', '=', Number(id))
    .execute();
  await startDue();
};

describe('[R2.04] a scheduled report', () => {
  it('is written for each recipient as they may see it, once, and its link is mailed', async () => {
    const colleague = await signedIn(server, { accountId: owner.accountId, role: 'viewer' });
    await withAddress(colleague, 'viewer@example.com');
    const { system } = server.context.db;
    // Sees none of the vehicles.
    await system
      .updateTable('app_user')
      .set({ scope_folders: [], scope_departments: [] })
      .where('id', '=', colleague.userId)
      .execute();
    await withAddress(owner, 'owner@example.com');
    const made = await schedule({ recipients: [owner.userId, colleague.userId] });
    expect(made).toMatchObject({
      zone: server.figures.calendar(owner.accountId).zone,
      recipients: [{ id: owner.userId }, { id: colleague.userId }],
    });
    expect(Date.parse(made.nextAt)).toBeGreaterThan(Date.now());
    await makeDue(made);
    const mails = [await mailbox.take(), await mailbox.take()];
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(['owner@example.com', 'viewer@example.com']);
    const mine = mails.find(({ to }) => to.includes('owner@example.com'));
    expect(unfolded(mine?.text)).toMatch(/Subject: .*Mornings[\s\S]*Rows: 1[\s\S]*\/reports\/daily-summary\?from=/);
    expect(unfolded(mails.find(({ to }) => to.includes('viewer@example.com'))?.text)).toContain('Rows: 0');
    await vi.waitFor(async () => expect((await runsOf(owner)).map(({ state }) => state)).toEqual(['done']), patient);
    expect((await runsOf(colleague))[0]?.file).toMatchObject({ rows: 0 });
    // What is not due any more is not started again.
    await startDue();
    const [listed] = (await call('GET', 'report-schedule', owner)).body as ReportSchedule[];
    expect(Date.parse(listed?.nextAt ?? '')).toBeGreaterThan(Date.now());
    expect(listed?.lastAt).toEqual(expect.any(String));
    expect(await runsOf(owner)).toHaveLength(1);
    await call('DELETE', `report-schedule/${made.id}`, owner);
  });

  it('is not mailed if it is empty and only wanted otherwise', async () => {
    const me = await signedIn(server);
    await withAddress(me, 'nothing@example.com');
    await makeDue(await schedule({ onlyIfNotEmpty: true }, me));
    await vi.waitFor(async () => expect((await runsOf(me)).map(({ state }) => state)).toEqual(['done']), patient);
    await withAddress(me, 'something@example.com');
    await makeDue(await schedule({ name: 'Always' }, me));
    expect((await mailbox.take()).to).toEqual(['something@example.com']);
  });

  it('comes with the file itself if its schedule attaches it', async () => {
    await withAddress(owner, 'owner@example.com');
    const made = await schedule({ name: 'Attached', attaches: true });
    expect(made.attaches).toBe(true);
    await makeDue(made);
    const { text } = await mailbox.take();
    expect(text).toContain('The file is attached.');
    const [, content = ''] = /filename=daily-summary-[-\d]+\.csv\r?\n\r?\n([\s\S]+?)\r?\n--/.exec(text) ?? [];
    expect(Buffer.from(content, 'base64').toString()).toContain('Truck 7');
    await call('DELETE', `report-schedule/${made.id}`, owner);
  });

  it('goes only to users whom its author may see', async () => {
    const stranger = await signedIn(server);
    const body = { name: 'X', key: 'trips', format: 'csv', period: 'seven', rule: RULE, recipients: [stranger.userId] };
    const answer = await call('POST', 'report-schedule', owner, body);
    expect([answer.status, answer.body]).toMatchObject([404, { code: 'not-found' }]);
    const viewer = await signedIn(server, { accountId: owner.accountId, role: 'viewer' });
    const refused = await call('POST', 'report-schedule', viewer, { ...body, recipients: [owner.userId] });
    expect(refused.status).toBe(403);
  });
});
