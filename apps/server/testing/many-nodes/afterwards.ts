import type { Command } from '@milepost/contract';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { Databases } from '../../src/db/database.ts';
import { openDirectory } from '../../src/fleet/directory.ts';
import { loadLiveStates } from '../../src/fleet/live.ts';
import { openDailyFigures } from '../../src/modules/history/days/daily-figures.ts';
import { expectAllCounted } from '../counted-days.ts';
import type { TestVehicle } from '../ingest.ts';
import { type Mailbox, readMail } from '../mailbox.ts';
import type { WebhookReceiver } from '../webhook-receiver.ts';
import type { Reporter } from './reporter.ts';

/** What must be true after servers, the database or the bus were killed or cut off. */

const WAIT = { timeout: 150_000, interval: 100 };
type System = Databases['system'];
type Reported = Pick<Reporter, 'acknowledged' | 'sent' | 'told' | 'vehicle'>;

/** What a killed server had sent is known to be uncertain, and nothing waits for it any more. */
export const commandsEnded = (system: System): Promise<void> =>
  vi.waitFor(async () => {
    const commands = await system.selectFrom('command').selectAll().execute();
    expect(commands.filter(({ state }) => state === 'queued' || state === 'awaiting-second')).toEqual([]);
  }, WAIT);

/** Every acknowledged position is there, every position once, and nothing that was never sent. */
export async function expectStoredOnce(system: System, reporters: readonly Reported[]): Promise<number> {
  let stored = 0;
  for (const { acknowledged, sent, vehicle } of reporters) {
    const rows = await system.selectFrom('position').select('fix_at').where('vehicle_id', '=', vehicle.id).execute();
    const times = rows.map(({ fix_at }) => fix_at.toISOString());
    const there = new Set(times);
    expect(there.size).toBe(times.length);
    expect(acknowledged.filter(time => !there.has(time))).toEqual([]);
    expect(times.filter(time => !sent.has(time))).toEqual([]);
    stored += rows.length;
  }
  return stored;
}

/** None was sent twice, and none arrived that was not. */
export async function expectCommandsOnce(system: System, reporters: readonly Reported[]) {
  const commands = await system.selectFrom('command').selectAll().execute();
  for (const { told, vehicle } of reporters) {
    const sent = commands.filter(({ vehicle_id }) => vehicle_id === vehicle.id).map(each => each.sent);
    for (const times of sent) expect(times).toBeLessThanOrEqual(1);
    expect(told.length).toBeLessThanOrEqual(sent.reduce((sum, times) => sum + times, 0));
  }
  const unsure = commands.filter(({ steps }) => JSON.stringify(steps as Command['steps']).includes('outcome-unknown'));
  return { all: commands.length, unsure: unsure.length };
}

/** Each of these vehicles cried out once: one alert, and one delivery of it. */
export async function expectAlertsOnce(
  system: System,
  vehicles: readonly TestVehicle[],
  hooks: WebhookReceiver,
): Promise<number> {
  const deliveries = () => system.selectFrom('webhook_delivery').select(['id', 'alert_id', 'state']).execute();
  await vi.waitFor(async () => {
    expect((await deliveries()).map(({ state }) => state)).toEqual(vehicles.map(() => 'delivered'));
  }, WAIT);
  const alerts = await system.selectFrom('alert').select(['vehicle_id', 'count']).where('kind', '=', 'sos').execute();
  const byNumber = (x: number, y: number): number => x - y;
  expect(alerts.map(({ vehicle_id }) => vehicle_id ?? 0).toSorted(byNumber)).toEqual(
    vehicles.map(({ id }) => id).toSorted(byNumber),
  );
  expect(alerts.map(({ count }) => count)).toEqual(vehicles.map(() => 1));
  // One that was sent by a server that was killed before it could say so comes again, by the same ID.
  const delivered = new Set(hooks.posts.map(({ headers }) => headers['milepost-delivery']));
  expect(delivered).toEqual(new Set((await deliveries()).map(({ id }) => id)));
  expect(new Set((await deliveries()).map(({ alert_id }) => alert_id)).size).toBe(vehicles.length);
  return alerts.length;
}

/** What they reported was never taken for wrong, nor for received at another time than it was. */
export async function expectRightTimes(system: System, began: Date): Promise<void> {
  const { wrong } = await system
    .selectFrom('position')
    .select(sql<number>`count(*)::int4`.as('wrong'))
    .where(({ eb, or }) =>
      or([
        eb('doubts', '<>', 0),
        eb('received_at', '<', sql<Date>`${began}::timestamptz - interval '2 seconds'`),
        eb('received_at', '>', sql<Date>`now() + interval '2 seconds'`),
      ]),
    )
    .executeTakeFirstOrThrow();
  expect(wrong).toBe(0);
}

/** Each alert was in one mail to whoever gets mails; that one may have come again. */
export async function expectMailedOnce(system: System, mailbox: Mailbox, alerts: number): Promise<number> {
  const mails = () => system.selectFrom('alert_mail').select(['alert_id', 'mail_id', 'sent_at']).execute();
  await vi.waitFor(async () => {
    const all = await mails();
    expect([all.length, all.filter(({ sent_at }) => sent_at === null)]).toEqual([alerts, []]);
  }, WAIT);
  const ids = new Set((await mails()).map(({ mail_id }) => mail_id));
  expect(new Set(mailbox.mails.map(mail => readMail(mail).id.split('@')[0]?.slice(1)))).toEqual(ids);
  return mailbox.mails.length;
}

/** Every job that was begun is done, or found the disk full; one that begins now is done. */
export async function expectJobsEnded(system: System, begin: () => Promise<unknown>): Promise<void> {
  const areOver = async () => {
    const jobs = await system.selectFrom('job').select(['state', 'problem']).execute();
    expect(jobs.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([]);
    return jobs;
  };
  const isFullDisk = (problem: unknown) => JSON.stringify(problem).includes('disk-full');
  const before = await vi.waitFor(areOver, WAIT);
  expect(before.filter(({ problem, state }) => state === 'failed' && !isFullDisk(problem))).toEqual([]);
  const begun = await begin();
  expect(begun).toMatchObject({ id: expect.any(String) });
  const { id } = begun as { readonly id: string };
  await vi.waitFor(async () => {
    const last = await system.selectFrom('job').select(['state', 'problem']).where('id', '=', id).execute();
    expect(last).toEqual([{ state: 'done', problem: null }]);
  }, WAIT);
}

/** Days and trips are those of a full count. Nothing else may run on the database. */
export async function expectAllDaysCounted(context: Context, vehicles: readonly TestVehicle[]): Promise<void> {
  const directory = await openDirectory(context);
  const figures = openDailyFigures(context, { directory, live: await loadLiveStates(context.db.system) });
  for (const vehicle of vehicles) await expectAllCounted(context, figures, vehicle, 2);
  await figures.manager.stop();
}
