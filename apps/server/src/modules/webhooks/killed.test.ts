import type { Alert } from '@milepost/contract';
import { sql } from 'kysely';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { testImei } from '../../../testing/imei.ts';
import { pushBrowser } from '../../../testing/push-browser.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../testing/scratch.ts';
import { type ServerProcess, startServerProcess } from '../../../testing/server-process.ts';
import { type ReceivedPost, startWebhookReceiver, type WebhookReceiver } from '../../../testing/webhook-receiver.ts';

/**
 * The server is killed anywhere between an alert's commit and its delivery: push notifications and webhooks arrive all
 * the same, and what was sent twice can be told by its ID. Emails: notifications/crash.test.ts.
 */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const OWNER = { name: 'ann', password: 'a long enough one' };

let database: TestDatabase;
let hooks: WebhookReceiver;
let pushes: WebhookReceiver;
const dataDir = makeScratchFolder();
const browser = pushBrowser();
let server: ServerProcess | null = null;
let url = '';
let osmand = 0;
let token = '';

beforeAll(async () => {
  database = await testDatabase();
  [hooks, pushes] = [await startWebhookReceiver(), await startWebhookReceiver()];
  await start();
  const signedIn = await request('POST', 'signin', { userName: OWNER.name, password: OWNER.password });
  token = signedIn.token;
  const severities = ['critical', 'warning'];
  await request('POST', 'webhook', { name: 'Guard service', url: `${hooks.url}/hook`, severities });
  const { auth, p256dh } = browser;
  await request('POST', 'push_subscription', { endpoint: `${pushes.url}/send`, auth, p256dh, severities });
});
afterAll(async () => {
  await kill();
  await Promise.all([hooks?.close(), pushes?.close()]);
  await database?.close();
  removeScratchFolder(dataDir);
});

async function start(): Promise<void> {
  server = startServerProcess({
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, DEMO: 'off' },
    ...{ OWNER_NAME: OWNER.name, OWNER_PASSWORD: OWNER.password },
    ...{ WEBHOOK_HTTP: 'on', WEBHOOK_NETWORKS: '127.0.0.1' },
  });
  const ready = await server.ready;
  expect([ready === null, server.complaint()]).toEqual([false, '']);
  url = ready?.url ?? '';
  osmand = ready?.trackerPorts.osmand ?? 0;
}

/** With what it was doing in the database, which a dead client's connection would still finish. */
async function kill(): Promise<void> {
  server?.child.kill('SIGKILL');
  await server?.ended;
  server = null;
  await database.databases.pool.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'the test'`);
}

// biome-ignore lint/suspicious/noExplicitAny: answers are what the calls' own tests say.
async function request(method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect([method, path, answer.ok, text]).toEqual([method, path, true, expect.any(String)]);
  return JSON.parse(text);
}

let vehicles = 0;
async function addTracker(): Promise<string> {
  const imei = testImei(880_000 + ++vehicles);
  await request('POST', 'device', { imei, deviceName: `Truck ${vehicles}` });
  return imei;
}

/** A tracker calls for help: its report is acknowledged once it and its alert are committed. */
async function callForHelp(imei: string): Promise<string> {
  const known = new Set(await alertIds());
  const at = Math.floor(Date.now() / 1000);
  const report = `id=${imei}&timestamp=${at}&lat=41.9&lon=-87.68&speed=0&event=sos`;
  expect((await fetch(`http://127.0.0.1:${osmand}/?${report}`)).status).toBe(200);
  const [id] = (await alertIds()).filter(each => !known.has(each));
  expect(id).toEqual(expect.any(String));
  return id ?? '';
}

const alertIds = async (): Promise<string[]> =>
  (await database.databases.system.selectFrom('alert').select('id').execute()).map(({ id }) => id);

/** A connection that no kill ends, with a transaction that holds up others. */
async function holding(statement: string): Promise<PoolClient> {
  const client = await database.databases.pool.connect();
  await client.query(`set application_name = 'the test'`);
  await client.query('begin');
  await client.query(statement);
  return client;
}
async function letGo(client: PoolClient): Promise<void> {
  await client.query('rollback');
  client.release(true);
}

/** A minute passes, in which nobody else takes what the dead server was sending. */
async function aMinuteLater(): Promise<void> {
  for (const table of ['webhook_delivery', 'push_delivery']) {
    await sql`update ${sql.table(table)} set next_at = now() where next_at is not null`.execute(
      database.databases.system,
    );
  }
}

const hooksOf = (alertId: string): ReceivedPost[] => hooks.posts.filter(({ body }) => body.includes(alertId));
const pushesOf = (alertId: string): ReceivedPost[] =>
  pushes.posts.filter(({ bytes }) => (JSON.parse(browser.read(bytes)) as { tag: string }).tag === alertId);

/** Both are done, and the server says so. */
async function delivered(alertId: string): Promise<void> {
  const { system } = database.databases;
  await vi.waitFor(
    async () => {
      const deliveries = await system
        .selectFrom('webhook_delivery')
        .select('state')
        .where('alert_id', '=', alertId)
        .execute();
      const waiting = await system.selectFrom('push_delivery').select('id').where('alert_id', '=', alertId).execute();
      expect([deliveries, waiting]).toEqual([[{ state: 'delivered' }], []]);
    },
    { timeout: 60_000, interval: 50 },
  );
}

const idsOf = (posts: readonly ReceivedPost[]): unknown[] => posts.map(({ headers }) => headers['milepost-delivery']);

async function end(alertId: string): Promise<void> {
  const { alerts }: { alerts: Alert[] } = await request('GET', 'alert');
  expect(alerts.map(({ id }) => id)).toContain(alertId);
  await request('POST', 'alert/acknowledge', { ids: [alertId] });
}

it('[R2.08] killed after an alert’s commit and before its delivery, it delivers each once after its start', {
  tags: ['long'],
}, async () => {
  const imei = await addTracker();
  // What takes deliveries waits for these tables; what writes alerts doesn't.
  const held = await holding('lock table webhook_secret, command in access exclusive mode');
  const alertId = await callForHelp(imei);
  await kill();
  await letGo(held);
  expect([hooksOf(alertId), pushesOf(alertId)]).toEqual([[], []]);
  await start();
  await delivered(alertId);
  expect([hooksOf(alertId).length, pushesOf(alertId).length]).toEqual([1, 1]);

  // What has arrived is not sent again, whatever comes later.
  await kill();
  await start();
  await aMinuteLater();
  await end(alertId);
  expect([hooksOf(alertId).length, pushesOf(alertId).length]).toEqual([1, 1]);
});

it('[R2.08] killed while a receiver has not answered yet, it delivers with the same ID', {
  tags: ['long'],
}, async () => {
  const imei = await addTracker();
  for (const receiver of [hooks, pushes]) receiver.answer(() => {});
  const alertId = await callForHelp(imei);
  await vi.waitFor(() => expect([hooksOf(alertId).length, pushesOf(alertId).length]).toEqual([1, 1]), {
    timeout: 60_000,
  });
  await kill();
  for (const receiver of [hooks, pushes]) receiver.answer(200);
  await start();
  await aMinuteLater();
  await delivered(alertId);
  expect([hooksOf(alertId).length, pushesOf(alertId).length]).toEqual([2, 2]);
  expect(new Set(idsOf(hooksOf(alertId))).size).toBe(1);
  await end(alertId);
});

it('[R2.08] killed between the answer and its commit, it delivers once more at worst, with the same ID and content', {
  tags: ['long'],
}, async () => {
  const imei = await addTracker();
  const held: PoolClient[] = [];
  const answerOnce =
    (table: string) =>
    async (response: Parameters<Exclude<Parameters<WebhookReceiver['answer']>[0], number>>[0]): Promise<void> => {
      held.push(await holding(`select from ${table} for update`));
      response.writeHead(200).end();
    };
  hooks.answer(response => void answerOnce('webhook_delivery')(response));
  pushes.answer(response => void answerOnce('push_delivery')(response));
  const alertId = await callForHelp(imei);
  const waitsForRow = async () =>
    (
      await database.databases.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length;
  await vi.waitFor(async () => expect([held.length, await waitsForRow()]).toEqual([2, 2]), { timeout: 60_000 });
  await kill();
  for (const client of held) await letGo(client);
  for (const receiver of [hooks, pushes]) receiver.answer(200);
  await start();
  await aMinuteLater();
  await delivered(alertId);
  const [first, again] = hooksOf(alertId);
  expect([hooksOf(alertId).length, pushesOf(alertId).length]).toEqual([2, 2]);
  expect([again?.body, new Set(idsOf(hooksOf(alertId))).size]).toEqual([first?.body, 1]);
  await end(alertId);
});
