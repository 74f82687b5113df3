import { createHash } from 'node:crypto';
import { verifyText } from '@milepost/eld';
import { degrees, fromMilesPerHour, metres } from '@milepost/units';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { exported, imported } from '../../../testing/transfers.ts';
import { exportLog } from '../logbook/export.ts';
import { prepareDemo } from './demo.ts';
import { keepDemoLogs } from './logs.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TODAY = Math.floor(Date.now() / DAY) * DAY;
/** Noon UTC: six hours after the drive of the day, of a day that is over in every time zone, so nothing lasts until now. */
const NOW = TODAY - 36 * 60 * MINUTE;

let from: TestHttpServer;
let to: TestHttpServer;
beforeAll(async () => {
  [from, to] = await Promise.all([startHttpServer(), startHttpServer()]);
  for (const server of [from, to]) server.context.jobs.start();
});
afterAll(() => Promise.all([from.close(), to.close()]));

/** Out of a geofence in the morning and back again, for some days. */
function positionsAround([lon, lat]: readonly [number, number], days: number) {
  const positions = [];
  for (let at = NOW - days * DAY; at < NOW; at += 5 * MINUTE) {
    const hour = ((at % DAY) / DAY) * 24;
    const away = hour < 1 ? 0 : hour < 3 ? hour - 1 : hour < 5 ? 5 - hour : 0;
    const speed = fromMilesPerHour(away > 0 ? 45 : 0);
    const place = { lat: degrees(lat + away * 0.4), lon: degrees(lon) };
    positions.push(
      receivedPosition(at, { ...place, speed, ignition: away > 0, odometer: metres(Math.round(at / 100)) }),
    );
  }
  return positions;
}

/** What someone sees of an account, without what is another there by its nature. */
async function seen(server: TestHttpServer, { token }: SignedIn): Promise<Record<string, unknown>> {
  const get = async (path: string) => {
    const { body, status, text } = await server.call('GET', `/api/v1/${path}`, { token });
    expect([path, status, text]).toEqual([path, 200, text]);
    return body as never;
  };
  const iso = (at: number) => new Date(at).toISOString();
  const date = (at: number) => new Date(at).toISOString().slice(0, 10);
  const period = `from=${date(NOW - 9 * DAY)}&to=${date(NOW)}&language=en-US`;
  const reports = [
    'trips',
    'stops',
    'daily-summary',
    'visits',
    'mileage',
    'log-summary',
    'hours-violations',
    'form-and-manner',
  ];
  const figures: Record<string, unknown> = {};
  for (const key of reports) {
    const { behind, total, totals } = await get(`report/${key}?${period}`);
    expect([key, behind]).toEqual([key, 0]);
    figures[key] = { total, totals };
  }
  const sorted = (rows: readonly object[], ...names: string[]) =>
    rows.map(row => JSON.stringify(names.map(name => (row as Record<string, unknown>)[name]))).toSorted();
  return {
    ...figures,
    vehicles: sorted(await get('device'), 'id', 'imei', 'deviceName', 'folderId', 'usualDriverId', 'tags'),
    drivers: sorted(await get('driver'), 'id', 'name', 'card', 'departmentId', 'userId'),
    folders: sorted(await get('folder'), 'id', 'name', 'parentId'),
    geofences: sorted(await get('geofence'), 'id', 'name', 'groupId', 'shape'),
    rules: sorted(await get('alert-rule'), 'id', 'name', 'isOn', 'trigger', 'geofenceIds'),
    alerts: ((await get('alert?limit=100')) as { alerts: readonly object[] }).alerts.map(alert =>
      JSON.stringify(alert, (key, value: unknown) => (key === 'imageUrl' ? undefined : value)),
    ),
    tasks: sorted(
      await get(`task?from=${iso(NOW - 10 * DAY)}&to=${iso(NOW + 10 * DAY)}`),
      'id',
      'title',
      'state',
      'driverId',
      'deviceId',
      'dueTo',
      'steps',
    ),
    views: sorted(await get('view?page=fleet'), 'id', 'name', 'query', 'shared'),
    carrier: await get('eld/carrier'),
  };
}

async function logsOf({ context }: TestHttpServer, accountId: number): Promise<string[]> {
  return context.db.asAccount(accountId, async trx => {
    const { rows } = await sql<{ log: string }>`select distinct log from duty_entry order by log`.execute(trx);
    const logs: string[] = [];
    for (const { log } of rows) logs.push((await exportLog(trx, log, NOW)) ?? '');
    return logs;
  });
}

it('[N13] moves to an empty server with equal figures: trips, visits, alerts, tasks, people, and logs that verify', {
  timeout: 240_000,
}, async () => {
  const { db } = from.context;
  await prepareDemo('on', from.context, from.sessions);
  const { id: accountId } = await db.system
    .selectFrom('account')
    .select('id')
    .where('demo', '=', true)
    .executeTakeFirstOrThrow();
  const fences = await db.system.selectFrom('geofence').select('shape').orderBy('id').execute();
  const centers = fences.flatMap(({ shape }) =>
    'center' in (shape as object) ? [(shape as { center: [number, number] }).center] : [],
  );
  const trucks = await db.system
    .selectFrom('vehicle')
    .select(['id', 'usual_driver_id'])
    .where('name', 'in', ['4101', '4104', '4107'])
    .orderBy('name')
    .execute();
  await from.organisation.directory.settled();
  for (const [n, { id }] of trucks.entries()) {
    await storePositions(from, accountId, id, positionsAround(centers[n % centers.length] ?? [-87.68, 41.9], 13));
  }
  await keepDemoLogs(from.context, from.recorder, NOW);
  const owner = await signedIn(from, { accountId });
  for (const [n, { id, usual_driver_id }] of trucks.entries()) {
    const opened = new Date(NOW - n * DAY);
    await db.system
      .insertInto('alert')
      .values({
        ...{ id: crypto.randomUUID(), account_id: accountId, vehicle_id: id, driver_id: usual_driver_id },
        ...{ kind: 'overspeed', severity: 'warning', opened_at: opened, updated_at: opened, lat: 41.9, lon: -87.68 },
        ...{ closed_at: new Date(+opened + MINUTE), figures: { speed: 33.5 } },
        ...(n > 0 && { acknowledged_at: new Date(+opened + 2 * MINUTE), acknowledged_by: owner.userId }),
      })
      .execute();
  }
  const view = { page: 'fleet', name: 'Trucks', query: `vehicles=${trucks[0]?.id}`, shared: true };
  expect((await from.call('POST', '/api/v1/view', { token: owner.token, body: view })).status).toBe(201);
  const calm = { timeout: 60_000, interval: 500 };
  const before = await vi.waitFor(async () => {
    const figures = await seen(from, owner);
    for (const key of ['trips', 'visits', 'log-summary']) {
      expect([key, (figures[key] as { total: number }).total > 10]).toEqual([key, true]);
    }
    return figures;
  }, calm);
  const logs = await logsOf(from, accountId);
  expect(logs.length).toBeGreaterThan(2);

  const text = await exported(from, owner);
  // Its schema and its hashes say what is in it, to any tool.
  const lines = text.trimEnd().split('\n');
  const [head, last] = [JSON.parse(lines[0] ?? ''), JSON.parse(lines.at(-1) ?? '')];
  const sha256 = (of: readonly string[]) =>
    createHash('sha256')
      .update(of.map(line => `${line}\n`).join(''))
      .digest('hex');
  expect(last.sha256.whole).toBe(sha256(lines.slice(0, -1)));
  const byTable = Map.groupBy(lines.slice(1, -1), line => (JSON.parse(line) as { table?: string }).table);
  for (const [table, rows] of byTable) {
    if (table === undefined) continue;
    expect([table, last.sha256.tables[table], last.end[table]]).toEqual([table, sha256(rows), rows.length]);
    const names = Object.keys(head.schema[table].properties).toSorted();
    for (const line of rows) expect([table, Object.keys(JSON.parse(line).row).toSorted()]).toEqual([table, names]);
  }

  const other = await signedIn(to);
  const { rows } = await imported(to, other, text);
  for (const table of [
    'app_user',
    'custom_role',
    'saved_view',
    'task',
    'task_step',
    'alert',
    'duty_entry',
    'log_setting',
  ]) {
    const count = last.end[table] ?? 0;
    // Whoever is imported under a user name that is there already is that user.
    expect([table, rows?.[table] ?? 0]).toEqual([table, count]);
  }
  const after = await vi.waitFor(async () => {
    const now = await seen(to, other);
    expect(now.trips).toEqual(before.trips);
    expect(now.visits).toEqual(before.visits);
    return now;
  }, calm);
  expect(after).toEqual(before);
  const copies = await logsOf(to, other.accountId);
  expect(copies).toEqual(logs);
  for (const copy of copies) expect(verifyText(copy)).toMatchObject({ ok: true });

  // Nobody can sign in by what is in the file: people are invited again.
  const people = await to.context.db.system
    .selectFrom('app_user')
    .select(['user_name', 'password_hash'])
    .where('account_id', '=', other.accountId)
    .where('id', '!=', other.userId)
    .execute();
  expect(people.length).toBe(last.end.app_user);
  expect(people.every(({ password_hash }) => password_hash === null)).toBe(true);
  const invited = people.find(({ user_name }) => user_name === owner.userName);
  const users = (await to.call('GET', '/api/v1/read_my_users', { token: other.token })).body as {
    id: string;
    userName: string;
  }[];
  const id = users.find(({ userName }) => userName === invited?.user_name)?.id;
  expect((await to.call('POST', `/api/v1/invite_my_user/${id}`, { token: other.token })).status).toBe(200);
});
