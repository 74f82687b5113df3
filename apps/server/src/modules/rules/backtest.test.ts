import { type Backtest, isDated, RULE_TRIGGERS, type Rule } from '@milepost/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { itHolds } from '../../../testing/few-and-many.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import {
  CARD,
  CUSTOMER,
  DAY,
  east,
  everyTrigger,
  HOUR,
  iso,
  MARKET,
  MINUTE,
  ruleFleet,
  stands,
  TIMEOUT_MS,
  tour,
  towed,
  waits,
  YARD,
} from '../../../testing/rule-fleet.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { sealOldDays } from '../../tracks/seal.ts';
import { packDay } from '../../tracks/sealed-day.ts';
import type { ReceivedPosition } from '../../tracks/stored-position.ts';
import type { DailyFigures } from '../history/days/daily-figures.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
const fleet = () => ruleFleet(server);

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

  itHolds(
    '[R7.37] give the alerts that live watching gave, of every trigger, to the millisecond, whatever killed the server',
    { few: 2, many: 12 },
    async numRuns => {
      const step = fc.oneof(
        { weight: 8, arbitrary: fc.constant('store' as const) },
        { weight: 3, arbitrary: fc.constant('look' as const) },
        { weight: 2, arbitrary: fc.constant('kill' as const) },
        { weight: 1, arbitrary: fc.constant('stop' as const) },
      );
      const steps = fc.array(fc.record({ what: step, part: fc.double({ min: 0, max: 1, noNaN: true }) }), {
        ...{ minLength: 10, maxLength: 30 },
      });
      await fc.assert(
        fc.asyncProperty(steps, fc.integer({ min: 5, max: 90 }), (all, size) => compared(all, size)),
        { numRuns },
      );
    },
  );
});

interface Step {
  readonly what: 'store' | 'look' | 'kill' | 'stop';
  /** How much of the time until the next report has passed. */
  readonly part: number;
}

/** Three days as they come in, by a clock that goes with them, and the same days tested afterwards. */
async function compared(steps: readonly Step[], size: number): Promise<void> {
  const it = await fleet();
  const { accountId } = it.owner;
  const { id: otherId } = await addVehicle(server.context, accountId);
  await server.directory.settled();
  const now = Date.now();
  const since = now - 4 * DAY;
  const [yard, customer, market] = [await it.fence(YARD), await it.fence(CUSTOMER), await it.fence(MARKET)];
  await it.call('PATCH', `/device/${it.vehicleId}`, { speedLimitKmh: 75 });
  await it.call('PATCH', `/geofence/${yard}`, { speedLimitKmh: 30 });
  const { body: driver } = await it.call('POST', '/driver', { name: 'Nora', card: CARD });
  await server.context.feed.settled();
  const ofEvery = everyTrigger({ yard, customer, market, otherId, leavesMs: now });
  const vehicles = { folderIds: [], deviceIds: [String(it.vehicleId)] };
  const terms = [...Object.values(ofEvery).flat(), ...withConditions({ driver, vehicles, yard, customer })];
  const rules: Rule[] = [];
  for (const each of terms) rules.push(await it.rule({ ...each, vehicles }, since));

  const positions = [3, 2, 1].flatMap(day => [...tour(now - day * DAY), ...towed(now - day * DAY + 3 * HOUR)]);
  const others = waits(since, now - HOUR);
  let manager: DailyFigures['manager'] | null = null;
  const catchUp = async () => {
    manager ??= await it.open();
    for (let i = 0; i < 2; i++) await manager.catchUp(accountId, [otherId, it.vehicleId], TIMEOUT_MS);
  };
  /** Reports come in as they are made, so many at once, and a while passes. */
  const store = async (own: readonly ReceivedPosition[], part: number) => {
    const last = own.at(-1)?.fixAt;
    if (last === undefined) return;
    const until = others.findIndex(({ fixAt }) => fixAt > last);
    await storePositions(server, accountId, otherId, others.splice(0, until < 0 ? others.length : until));
    await it.store(own);
    pass(last, part);
    await catchUp();
  };
  const pass = (last: number, part: number): void => {
    const next = positions[0]?.fixAt ?? now;
    vi.setSystemTime(Math.min(last + 1000 + part * Math.max(0, next - last - 2000), now));
  };
  vi.useFakeTimers({ toFake: ['Date'], now: since });
  try {
    // What is new to the server is watched from the day before on; all that follows, from here on.
    await store(stands(since + HOUR, since + HOUR + 1, 0), 0);
    let last = since + HOUR;
    for (const { part, what } of [...steps, { what: 'store', part: 0 } as const]) {
      if (what === 'store') {
        const own = positions.splice(0, size);
        last = own.at(-1)?.fixAt ?? last;
        await store(own, part);
      } else if (what === 'look') {
        pass(last, part);
        await catchUp();
      } else {
        if (what === 'stop') await (manager as DailyFigures['manager'] | null)?.stop();
        manager = null;
      }
    }
    while (positions.length > 0) await store(positions.splice(0, 60), 0);
  } finally {
    vi.useRealTimers();
  }
  await storePositions(server, accountId, otherId, others);
  await catchUp();

  const { rows: told } = await sql<Told>`
    select rule_id, geofence_id::text as geofence, opened_at, began_at, closed_at from alert
    where vehicle_id = ${it.vehicleId} order by rule_id, opened_at, geofence_id`.execute(server.context.db.system);
  const tested: Told[] = [];
  for (const [nth, each] of terms.entries()) {
    const { alerts } = await it.backtest({ ...each, vehicles }, since);
    const rows = alerts.map(({ at, beganAt, endedAt, geofenceId }) => ({
      ...{ rule_id: Number(rules[nth]?.id), geofence: geofenceId, opened_at: new Date(at) },
      ...{ began_at: new Date(beganAt), closed_at: endedAt === null ? null : new Date(endedAt) },
    }));
    tested.push(...rows.toSorted((a, b) => a.opened_at.getTime() - b.opened_at.getTime()));
  }
  expect(told).toEqual(tested);
  const silent = terms.filter((_, nth) => !tested.some(row => row.rule_id === Number(rules[nth]?.id)));
  expect(silent).toEqual([]);
  expect(Object.keys(ofEvery).toSorted()).toEqual(RULE_TRIGGERS.filter(kind => !isDated(kind)).toSorted());
  await (manager as DailyFigures['manager'] | null)?.stop();
}

interface Told {
  readonly rule_id: number;
  readonly geofence: string | null;
  readonly opened_at: Date;
  readonly began_at: Date;
  readonly closed_at: Date | null;
}

/** What rules can ask for besides. */
function withConditions(about: { driver: unknown; vehicles: object; yard: string; customer: string }) {
  const { customer, driver, vehicles, yard } = about;
  const drivers = { driverIds: [(driver as { id: string }).id], departmentIds: [] };
  const none = { drivers: null, fromKmh: null, ignition: null };
  const always = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00', is: 'within' };
  return [
    { trigger: { kind: 'cross' }, conditions: { drivers, fromKmh: 20, ignition: 'on' } },
    {
      trigger: { kind: 'stay', minutes: 1 },
      geofenceIds: [customer, yard],
      conditions: {
        ...none,
        places: { is: 'inside', geofenceIds: [yard] },
        minutes: 7,
        or: [{ ...none, vehicles, when: always, places: { is: 'outside', geofenceIds: [yard] } }],
      },
    },
  ];
}
