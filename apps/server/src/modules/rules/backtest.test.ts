import type { Backtest, Rule } from '@milepost/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import {
  CARD,
  CUSTOMER,
  DAY,
  east,
  HOUR,
  iso,
  MARKET,
  MINUTE,
  ruleFleet,
  stands,
  TIMEOUT_MS,
  tour,
  YARD,
} from '../../../testing/rule-fleet.ts';
import { receivedPosition } from '../../../testing/stored-positions.ts';
import { sealOldDays } from '../../tracks/seal.ts';
import { packDay } from '../../tracks/sealed-day.ts';
import type { DailyFigures } from '../history/days/daily-figures.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
const fleet = () => ruleFleet(server);

const TERMS = [
  { trigger: { kind: 'enter' } },
  { trigger: { kind: 'exit', minutes: 10 } },
  { trigger: { kind: 'stay', minutes: 20 }, repeatMinutes: 120 },
  {
    trigger: { kind: 'stay', minutes: 30 },
    when: { days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '09:00', is: 'outside' },
  },
  { trigger: { kind: 'speed', kmh: 85, seconds: 60 } },
  { trigger: { kind: 'idle', minutes: 15 } },
  { trigger: { kind: 'drive' } },
  { trigger: { kind: 'cross' }, repeatMinutes: 30 },
  { trigger: { kind: 'ignitionOn' } },
  { trigger: { kind: 'ignitionOff' }, where: 'outside' },
  { trigger: { kind: 'temperature', min: null, max: 8, minutes: 10 } },
  { trigger: { kind: 'fuel', percent: 10 } },
  { trigger: { kind: 'voltage', volts: 12, minutes: 5 } },
  { trigger: { kind: 'battery', percent: 30, minutes: 0 } },
] as const;

describe('backtests', () => {
  it('say what waiting and other durations would change, and read vehicle by vehicle', async () => {
    const it = await fleet();
    const [yard, customer] = [await it.fence(YARD), await it.fence(CUSTOMER)];
    const now = Date.now();
    const drift = [1, -1, 1, -1].map((side, nth) =>
      receivedPosition(now - 20 * HOUR + nth * 5 * MINUTE, { lon: east(150 + side * 20) }),
    );
    await it.store([...tour(now - 26 * HOUR), ...drift, ...tour(now - 4 * HOUR)]);
    const rule = { trigger: { kind: 'exit', minutes: 0 }, geofenceIds: [yard] };
    const left = await it.backtest(rule, now - 2 * DAY, { variants: [30, 300] });
    const bySetting = (tested: Backtest) => Object.entries(Object.groupBy(tested.alerts, each => each.setting));
    expect(bySetting(left).map(([setting, all]) => [setting, all?.length])).toEqual([
      ['0', 2],
      ['1', 2],
    ]);
    const [vehicle] = left.vehicles;
    expect(vehicle).toMatchObject({ deviceId: String(it.vehicleId), muted: 0 });
    // Two real ones, and two that drift makes up.
    expect(vehicle?.plain.reduce((sum, { count }) => sum + count, 0)).toBe(4);
    const stays = await it.backtest({ trigger: { kind: 'stay', minutes: 30 }, geofenceIds: [customer] }, now - 2 * DAY);
    expect(stays.alerts).toHaveLength(2);
    expect(stays).toMatchObject({ total: 1, left: 0, next: null });
    const { body } = await it.call('POST', '/geofence/backtest', {
      rule: { trigger: { kind: 'enter' } },
      from: iso(now - 90 * DAY),
      to: iso(now),
    });
    expect(body).toMatchObject({ errors: [{ field: 'from' }] });
  });

  it('find the same in packed days as in their rows, of all that is measured', async () => {
    const it = await fleet();
    await it.fence(YARD);
    const now = Date.now();
    await it.store([...tour(now - 5.4 * DAY), ...tour(now - 4.1 * DAY), ...tour(now - 4 * HOUR)]);
    const triggers = [
      { kind: 'cross' },
      { kind: 'stay', minutes: 20 },
      { kind: 'speed', kmh: 80, seconds: 20 },
      { kind: 'idle', minutes: 10 },
      { kind: 'drive' },
      { kind: 'ignitionOn' },
      { kind: 'temperature', min: null, max: 8, minutes: 5 },
      { kind: 'fuel', percent: 10 },
      { kind: 'voltage', volts: 12, minutes: 5 },
      { kind: 'battery', percent: 30, minutes: 5 },
    ];
    const testAll = () => Promise.all(triggers.map(trigger => it.backtest({ trigger }, now - 7 * DAY)));
    const ofRows = await testAll();
    expect(ofRows.map(({ alerts }) => alerts.length >= 3)).toEqual(triggers.map(() => true));
    const { days } = await sealOldDays({
      ...{ pool: server.context.db.pool, log: server.context.log, afterDays: 2, withinMs: TIMEOUT_MS },
      pack: async rows => packDay(rows),
      isStopped: () => false,
    });
    expect(days).toBeGreaterThan(1);
    expect(await testAll()).toEqual(ofRows);
  });

  it('count no weekly times on the account’s holidays', async () => {
    const it = await fleet();
    const yard = await it.fence(YARD);
    const now = Date.now();
    await it.store(tour(now - 4 * HOUR));
    const when = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00', is: 'within' };
    const rule = { trigger: { kind: 'exit', minutes: 0 }, geofenceIds: [yard], when };
    expect((await it.backtest(rule, now - DAY)).alerts).toHaveLength(1);
    const days = [-2, -1, 0, 1].map(day => iso(now + day * DAY).slice(0, 10)).join(', ');
    expect((await it.call('PATCH', '/settings', { holidays: days })).status).toBe(200);
    expect((await it.backtest(rule, now - DAY)).alerts).toEqual([]);
    expect((await it.call('PATCH', '/settings', { holidays: '2026-13-01' })).status).toBe(400);
  });

  it('give the alerts that live watching gave, to the millisecond, whatever killed the server', {
    timeout: 120_000,
  }, async () => {
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.constant('store' as const) },
      { weight: 3, arbitrary: fc.constant('look' as const) },
      { weight: 2, arbitrary: fc.constant('kill' as const) },
      { weight: 1, arbitrary: fc.constant('stop' as const) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 30 }),
        fc.integer({ min: 5, max: 90 }),
        async (steps, size) => {
          const it = await fleet();
          const now = Date.now();
          const since = now - 4 * DAY;
          const yard = await it.fence(YARD);
          const customer = await it.fence(CUSTOMER);
          const market = await it.fence(MARKET);
          await it.call('PATCH', `/device/${it.vehicleId}`, { speedLimitKmh: 75 });
          await it.call('PATCH', `/geofence/${yard}`, { speedLimitKmh: 30 });
          const { body: driver } = await it.call('POST', '/driver', { name: 'Nora', card: CARD });
          const drivers = { driverIds: [(driver as { id: string }).id], departmentIds: [] };
          await server.context.feed.settled();
          const all = [
            ...TERMS,
            { trigger: { kind: 'limit', overKmh: 5, seconds: 0 } },
            { trigger: { kind: 'unidentified', minutes: 1 } },
            { trigger: { kind: 'order' }, geofenceIds: [yard, market, customer] },
            { trigger: { kind: 'vehicleLimit', overKmh: 5, seconds: 30 } },
            { trigger: { kind: 'cross' }, conditions: { drivers, fromKmh: 20, ignition: 'on' } },
            {
              trigger: { kind: 'stay', minutes: 1 },
              geofenceIds: [customer, yard],
              conditions: {
                ...{ drivers: null, fromKmh: null, ignition: null },
                places: { is: 'inside', geofenceIds: [yard] },
                minutes: 7,
                or: [
                  {
                    ...{ drivers: null, fromKmh: null, ignition: null },
                    vehicles: { folderIds: [], deviceIds: [String(it.vehicleId)] },
                    when: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00', is: 'within' },
                    places: { is: 'outside', geofenceIds: [yard] },
                  },
                ],
              },
            },
          ];
          const rules: Rule[] = [];
          for (const terms of all) rules.push(await it.rule(terms, since));
          const positions = [3, 2, 1].flatMap(day => tour(now - day * DAY));
          let manager: DailyFigures['manager'] | null = null;
          const catchUp = async () => {
            manager ??= await it.open();
            await manager.catchUp(it.owner.accountId, [it.vehicleId], TIMEOUT_MS);
          };
          // What is new to the server is watched from the day before on; all that follows, from here on.
          await it.store(stands(since + HOUR, since + HOUR + 1, 0));
          await catchUp();
          for (const each of [...steps, 'store' as const]) {
            if (each === 'store') {
              await it.store(positions.splice(0, size));
              await catchUp();
            } else if (each === 'look') await catchUp();
            else if (each === 'kill') manager = null;
            else {
              await (manager as DailyFigures['manager'] | null)?.stop();
              manager = null;
            }
          }
          await it.store(positions);
          await catchUp();
          await catchUp();
          const told = await sql<{
            rule_id: number;
            geofence: string | null;
            opened_at: Date;
            began_at: Date;
            closed_at: Date | null;
          }>`
          select rule_id, geofence_id::text as geofence, opened_at, began_at, closed_at from alert
          where vehicle_id = ${it.vehicleId} order by rule_id, opened_at, geofence_id`.execute(
            server.context.db.system,
          );
          const tested = [];
          for (const [nth, terms] of all.entries()) {
            const { alerts } = await it.backtest(terms, since);
            const rows = alerts.map(({ at, beganAt, endedAt, geofenceId }) => ({
              ...{ rule_id: Number(rules[nth]?.id), geofence: geofenceId, opened_at: new Date(at) },
              ...{ began_at: new Date(beganAt), closed_at: endedAt && new Date(endedAt) },
            }));
            tested.push(...rows.toSorted((a, b) => a.opened_at.getTime() - b.opened_at.getTime()));
          }
          expect(told.rows).toEqual(tested);
          expect(new Set(tested.map(row => row.rule_id)).size).toBe(all.length);
          await (manager as DailyFigures['manager'] | null)?.stop();
        },
      ),
      { numRuns: 8 },
    );
  });
});
