import type { Alert, Backtest, Rule } from '@milepost/contract';
import { type Degrees, degrees, fromMilesPerHour } from '@milepost/units';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_CONFIG } from '../../../testing/context.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { callerOf } from '../../../testing/organisation.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../testing/scratch.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import type { ReceivedPosition } from '../../tracks/stored-position.ts';
import { prepareDemo } from './demo.ts';
import { addPastAlerts } from './past-alerts.ts';
import { DEMO_SHARE_TOKEN } from './share.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let server: TestHttpServer;
const dataDir = makeScratchFolder();
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(async () => {
  await server.close();
  removeScratchFolder(dataDir);
});

it('[R2.08] the past of the demo’s rules is what a test on it finds, written once, and partly acted on', async () => {
  const { db } = server.context;
  await prepareDemo('on', { db, config: { ...TEST_CONFIG, dataDir } }, server.sessions);
  await server.context.feed.settled();
  await server.directory.settled();
  const owner = await db.system
    .selectFrom('app_user')
    .select(['id', 'account_id'])
    .where('user_name', '=', 'demo')
    .executeTakeFirstOrThrow();
  const now = Date.now();
  const left: { readonly id: number; readonly positions: ReceivedPosition[] }[] = [];
  const vehicles = await db.system.selectFrom('vehicle').select('id').execute();
  const terminal = (await db.system
    .selectFrom('geofence')
    .select('shape')
    .where('name', '=', 'McKinley Park terminal')
    .executeTakeFirstOrThrow()) as unknown as { shape: { center: [number, number] } };
  const [lon, lat] = terminal.shape.center.map(one => degrees(one)) as [Degrees, Degrees];
  const look = () => addPastAlerts(server.context, { ...server.organisation, workers: server.workers }, now);
  // An hour of each day too fast, 25 minutes of idling after it, and twice 8 minutes.
  for (const { id } of vehicles.slice(0, 36)) {
    const positions: ReceivedPosition[] = [];
    // A day as old as a complete past is, and those that the rules are tested on.
    for (const day of [16, 8, 7, 6, 5, 4, 3, 2, 1]) {
      for (let at = 0; at < 140; at += 2) {
        const speed = fromMilesPerHour(at < 60 ? 78 : 0);
        const ignition = at < 85 || (at > 98 && at < 108) || (at > 118 && at < 128);
        positions.push(receivedPosition(now - day * DAY + at * MINUTE, { speed, ignition, lat, lon }));
      }
    }
    // Of one vehicle in nine, the past is on its way.
    await storePositions(server, owner.account_id, id, id % 9 === 0 ? positions.splice(-20) : positions);
    left.push({ id, positions });
  }
  await look();
  expect(await db.system.selectFrom('alert').select('id').execute()).toEqual([]);
  for (const { id, positions } of left) if (id % 9 === 0) await storePositions(server, owner.account_id, id, positions);
  await look();
  const session = await server.sessions.open({ accountId: owner.account_id, userId: owner.id });
  const call = callerOf(server, session as never);
  const rules = (await call('GET', '/alert-rule')).body as Rule[];
  const [speeding, idling] = ['Speeding', 'Idling too long'].map(name => rules.find(rule => rule.name === name));
  for (const rule of [speeding, idling]) {
    const found: Backtest['alerts'] = [];
    for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
      const period = { from: new Date(now - 7 * DAY).toISOString(), to: new Date(now).toISOString() };
      const answer = await call('POST', '/geofence/backtest', { rule, ...period, after });
      const part = answer.body as Backtest;
      found.push(...part.alerts);
      after = part.next;
    }
    expect(found.length).toBeGreaterThan(200);
    expect(rule?.alerts.count).toBe(found.length);
  }
  expect(speeding?.alerts.acknowledged).toBe(Math.floor((speeding?.alerts.count ?? 0) / 2));
  expect(idling?.alerts.acknowledged).toBeLessThan((idling?.alerts.count ?? 0) / 5);
  // All of them turned their ignition on there; the rule is about its own vehicles.
  const spares = rules.find(rule => rule.name === 'Spare started at its depot');
  const started = await db.system
    .selectFrom('alert')
    .select('vehicle_id')
    .distinct()
    .where('rule_id', '=', Number(spares?.id))
    .execute();
  expect(started.length).toBeGreaterThan(0);
  expect(spares?.vehicles?.deviceIds).toEqual(
    expect.arrayContaining(started.map(({ vehicle_id }) => String(vehicle_id))),
  );
  // A noisy rule, which a longer wait makes quiet without losing what someone acted on.
  const noisy = rules.find(rule => rule.name === 'Engine on while standing');
  const actedOn = (await db.system
    .selectFrom('alert')
    .select(['vehicle_id', 'began_at'])
    .where('rule_id', '=', Number(noisy?.id))
    .where('acknowledged_by', 'is not', null)
    .execute()) as { vehicle_id: number; began_at: Date }[];
  const bySetting = new Map<number, Backtest['alerts'][number][]>();
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const period = { from: new Date(now - 7 * DAY).toISOString(), to: new Date(now).toISOString() };
    const part = (await call('POST', '/geofence/backtest', { rule: noisy, ...period, variants: [15], after }))
      .body as Backtest;
    for (const alert of part.alerts) bySetting.set(alert.setting, [...(bySetting.get(alert.setting) ?? []), alert]);
    after = part.next;
  }
  const [asItIs = [], longer = []] = [bySetting.get(0), bySetting.get(1)];
  expect(asItIs).toHaveLength(noisy?.alerts.count ?? 0);
  expect(longer.length).toBeLessThan(asItIs.length / 2);
  expect(actedOn.length).toBeGreaterThan(100);
  const kept = new Set(longer.map(({ beganAt, deviceId }) => `${deviceId} ${beganAt}`));
  expect(actedOn.filter(one => !kept.has(`${one.vehicle_id} ${one.began_at.toISOString()}`))).toEqual([]);
  const open = (await call('GET', '/alert?open=true')).body as { alerts: Alert[] };
  expect(open.alerts.filter(({ kind }) => kind === 'rule')).toEqual([]);
  const before = await db.system.selectFrom('alert').select('id').execute();
  await look();
  expect(await db.system.selectFrom('alert').select('id').execute()).toHaveLength(before.length);
  const shared = await server.call('GET', '/api/v1/shared', { token: DEMO_SHARE_TOKEN });
  expect([shared.status, shared.text]).toEqual([200, expect.stringContaining('Lakeshore Foods, inbound')]);
}, 120_000);
