import { randomUUID } from 'node:crypto';
import type { Overview, OverviewOutcomes, ReportPage } from '@milepost/contract';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import { keptLog } from '../../../testing/cross-account/kept-log.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { event, OWNER } from '../../../testing/logbook.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import type { EntryDraft } from '../logbook/draft.ts';
import { writeEntries } from '../logbook/write.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAYS = 8;

let server: TestHttpServer;
let me: UserWithData;

const calendar = () => server.figures.calendar(me.accountId);
const dayAgo = (days: number): number => calendar().dayOf(Date.now()) - days;
const date = (daysAgo: number): string => calendar().dateOf(dayAgo(daysAgo));
const at = (daysAgo: number, hour: number): Date => new Date(calendar().startOf(dayAgo(daysAgo)) + hour * HOUR);

/** Eight days of driving, each with alerts of its own length, and tasks of which the odd days’ are late. */
beforeAll(async () => {
  server = await startHttpServer();
  me = await userWithData(server);
  await keptLog(server, me);
  const { system } = server.context.db;
  const [driver_id, vehicle_id] = [Number(me.driverId), Number(me.vehicleId)];
  const own = { account_id: me.accountId, vehicle_id };
  const account = system.updateTable('account').where('id', '=', me.accountId);
  await account.set({ created_at: at(2 * DAYS, 0) }).execute();
  await system.updateTable('vehicle').set({ usual_driver_id: driver_id }).where('id', '=', vehicle_id).execute();
  await server.context.feed.settled();
  const rule = await system
    .insertInto('rule')
    .values({
      ...{ account_id: me.accountId, name: 'Cold', is_on: true, severity: 'critical', when: null, action: '' },
      ...{ trigger: JSON.stringify({ kind: 'temperature', min: null, max: 5, minutes: 0 }), repeat_minutes: 0 },
      ...{ is_any_geofence: true, is_inside: true, is_for_all: true, mail_to: null, created_by: me.userId },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let ago = DAYS; ago >= 1; ago--) {
    const drive = Array.from({ length: 61 }, (_, i) =>
      receivedPosition(at(ago, 9).getTime() + i * MINUTE, {
        lon: degrees(-87.68 + Math.min(i, 50) / 82.85),
        speed: fromKilometresPerHour(i <= 50 ? 60 : 0),
        ignition: i < 60,
      }),
    );
    await storePositions(server, me.accountId, vehicle_id, drive);
    const opened = at(ago, 10);
    const closed_at = new Date(opened.getTime() + ago * MINUTE);
    const alert = { ...own, driver_id, severity: 'warning', opened_at: opened, updated_at: closed_at, closed_at };
    await system
      .insertInto('alert')
      .values([
        { ...alert, id: randomUUID(), kind: 'overspeed' },
        { ...alert, id: randomUUID(), kind: 'rule', rule_id: rule.id },
      ])
      .execute();
    const task = await system
      .insertInto('task')
      .values({
        ...{ ...own, driver_id, task_id: `D-${ago}`, title: `Delivery ${ago}`, priority: 'normal', stops: '[]' },
        ...{ state: 'done', due_to: at(ago, 12), created_at: at(ago, 7), assigned_at: at(ago, 7) },
        ...{ needs_photo: false, needs_signature: false, over_at: at(ago, 13) },
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    const reached = { task_id: task.id, account_id: me.accountId, state: 'arrived', done_by: 'driver', user_id: null };
    const step = { ...reached, report_id: randomUUID(), at: new Date(at(ago, 12).getTime() + (ago % 2) * 10 * MINUTE) };
    await system
      .insertInto('task_step')
      .values(step as never)
      .execute();
  }
  // Three days ago, 13 hours at the wheel.
  const begin = at(3, 2).getTime();
  const head = { log: `driver:${me.driverId}`, device: `vehicle:${me.vehicleId}` as const, by: me.userId };
  const duty = (state: 'OFF' | 'D', hours: number): EntryDraft => ({
    ...{ ...head, action: 'record' },
    event: event(state, begin + hours * HOUR, '', state === 'D' ? 'automatic' : 'driver'),
  });
  const drafts = [duty('OFF', -24), duty('D', 0), duty('OFF', 13)];
  const written = await writeEntries(server.context.db, me.accountId, drafts, () => OWNER, begin + 15 * HOUR);
  if (!written.ok) throw new Error(written.refusal);
  const isCounted = async () => expect((await run('daily-summary', date(DAYS), date(0))).behind).toBe(0);
  await vi.waitFor(isCounted, { timeout: 60_000, interval: 50 });
}, 90_000);
afterAll(() => server.close());

async function run(key: string, from: string, to: string): Promise<ReportPage> {
  const answer = await server.call('GET', `/api/v1/report/${key}?from=${from}&to=${to}`, { token: me.token });
  expect([key, answer.status]).toEqual([key, 200]);
  return answer.body as ReportPage;
}
const total = ({ columns, totals }: ReportPage, key: string): number =>
  Number(totals[columns.findIndex(column => column.key === key)] ?? 0);

const outcomes = async (query: Record<string, string>, { token } = me): Promise<OverviewOutcomes['tiles']> => {
  const answer = await server.call('GET', `/api/v1/overview/outcomes?${new URLSearchParams(query)}`, { token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.body as OverviewOutcomes).tiles;
};

/** What each tile must be, from the report that it opens. */
const FIGURES: Readonly<Record<string, (page: ReportPage, metres: number) => number | null>> = {
  score: page => total(page, 'score'),
  speeding: (page, metres) => total(page, 'length') / metres,
  onTime: page => total(page, 'share'),
  violations: page => page.total,
  temperature: page => total(page, 'length'),
};

describe('[R2.11] the tiles that reports add up', () => {
  it.each([
    { name: 'a day', from: 3, to: 3 },
    { name: 'three days', from: 3, to: 1 },
    { name: 'days up to today', from: 3, to: 0 },
    { name: 'more days than there are', from: DAYS + 2, to: 0 },
  ])('have the figures of the reports that they open, over $name', async ({ from, to }) => {
    const tiles = await outcomes({ from: date(from), to: date(to) });
    expect(tiles.map(({ key }) => key)).toEqual(Object.keys(FIGURES));
    const length = from - to + 1;
    for (const { key, previous, report, rows, value } of tiles) {
      const of = async (first: string, last: string) => {
        const page = await run(report.key, first, last);
        const metres = total(await run('daily-summary', first, last), 'distance');
        return { figure: FIGURES[key]?.(page, metres) ?? null, rows: page.total };
      };
      const now = await of(report.from, report.to);
      expect([key, value]).toEqual([key, expect.closeTo(now.figure ?? Number.NaN, 6)]);
      expect([key, rows]).toEqual([key, now.rows]);
      if (previous === null) {
        expect(from + length).toBeGreaterThan(DAYS);
        continue;
      }
      const before = await of(date(from + length), date(from + 1));
      expect([key, previous]).toEqual([key, expect.closeTo(before.figure ?? Number.NaN, 6)]);
    }
  });

  it('say by how much they changed, and what each day was', async () => {
    const tiles = await outcomes({ from: date(2), to: date(1) });
    const tile = (key: string) => tiles.find(each => each.key === key);
    expect(tile('onTime')).toMatchObject({ value: 0.5, previous: 0.5, change: 0, series: [1, 0], rows: 2 });
    expect(tile('temperature')).toMatchObject({ value: 180, previous: 420, series: [120, 60] });
    expect(tile('temperature')?.change).toBeCloseTo(180 / 420 - 1, 6);
    expect(tile('violations')).toMatchObject({ value: 0, change: -1 });
  });

  it('are not compared with days before the account, which were not watched', async () => {
    const { system } = server.context.db;
    const query = { from: date(2), to: date(1) };
    const changes = async () => {
      const { body } = await server.call('GET', `/api/v1/overview?${new URLSearchParams(query)}`, { token: me.token });
      const tiles = [...(await outcomes(query)), ...(body as Overview).tiles];
      return Object.fromEntries(tiles.map(({ key, previous }) => [key, previous !== null]));
    };
    const all = { alerts: true, speeding: true, temperature: true, onTime: true, distance: true };
    expect(await changes()).toMatchObject(all);
    const account = system.updateTable('account').where('id', '=', me.accountId);
    await account.set({ created_at: at(3, 12) }).execute();
    expect(await changes()).toMatchObject({ ...all, alerts: false, speeding: false, temperature: false });
    await account.set({ created_at: at(4, 12) }).execute();
    expect(await changes()).toMatchObject(all);
  });

  it('are of finished days only, where what counts is known of them alone', async () => {
    const tiles = await outcomes({ from: date(0), to: date(0) });
    expect(tiles.map(({ key }) => key)).not.toContain('score');
  });

  it('leave out what is about drivers for a folder, and what isn’t there', async () => {
    const inFolder = await outcomes({ from: date(3), to: date(1), folderId: me.folderId });
    expect(inFolder.map(({ key }) => key)).not.toContain('score');
    expect(inFolder.map(({ key }) => key)).not.toContain('violations');
    const empty = await signedIn(server);
    expect(await outcomes({ from: date(3), to: date(1) }, { ...me, token: empty.token })).toEqual([]);
  });

  it('are not for drivers, nor for a user whose role may not run the report', async () => {
    const driver = await signedIn(server, { accountId: me.accountId, role: 'driver' });
    const path = `/api/v1/overview/outcomes?from=${date(3)}&to=${date(1)}`;
    expect((await server.call('GET', path, { token: driver.token })).status).toBe(403);
    const viewer = await signedIn(server, { accountId: me.accountId, role: 'viewer' });
    const seen = await outcomes({ from: date(3), to: date(1) }, { ...me, token: viewer.token });
    expect(seen.map(({ key }) => key)).toEqual(['speeding', 'onTime', 'temperature']);
  });
});
