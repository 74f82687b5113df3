import type { Alert, Backtest, GeofenceShape, Rule } from '@milepost/contract';
import { celsius, degrees, metresPerSecond, percent } from '@milepost/units';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { callerOf, limit } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { sealOldDays } from '../../tracks/seal.ts';
import { packDay } from '../../tracks/sealed-day.ts';
import type { ReceivedPosition } from '../../tracks/stored-position.ts';
import { openVisits } from '../geofences/visits/visits.ts';
import { type DailyFigures, openDailyFigures } from '../history/days/daily-figures.ts';
import { openRuleProjection } from './rule-projection.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIMEOUT_MS = 20_000;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** Meters east of the yard; a degree of longitude is 82.85 km there. */
const east = (meters: number) => degrees(-87.68 + meters / 82_850);
const circle = (meters: number, radiusM: number): GeofenceShape => ({
  kind: 'circle',
  center: [east(meters), 41.9],
  radiusM,
});
const YARD = circle(0, 150);
const CUSTOMER = circle(6000, 120);

const WELL = { temperature: celsius(4), fuel: percent(80), attributes: { externalVoltage: 13.8, batteryLevel: 95 } };
const stands = (fromMs: number, toMs: number, meters: number, ignition = false): ReceivedPosition[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / (5 * MINUTE)) }, (_, i) =>
    receivedPosition(fromMs + i * 5 * MINUTE, { lon: east(meters), ignition, ...WELL }),
  );
/** Of the driver who takes the vehicle there; someone else brings it back. */
const CARD = 'AB-12 34';
/** With a fix every 20 seconds. */
const drives = (fromMs: number, from: number, to: number, speed = 20, rfid: string | null = null) =>
  Array.from({ length: Math.floor(Math.abs(to - from) / (speed * 20)) + 1 }, (_, i) =>
    receivedPosition(fromMs + i * 20_000, {
      lon: east(from + i * speed * 20 * Math.sign(to - from)),
      speed: metresPerSecond(speed),
      ignition: true,
      rfid,
    }),
  );
/** Warm, with a weak battery and someone at the tank; nothing is measured at every other fix. */
const neglected = (position: ReceivedPosition, nth: number): ReceivedPosition => ({
  ...position,
  temperature: nth % 2 === 0 ? null : celsius(11),
  fuel: nth % 2 === 0 ? percent(nth < 4 ? 80 : 50) : null,
  attributes: nth % 2 === 0 ? null : { externalVoltage: 11.4, batteryLevel: 20 },
});
/** Leaves the yard, is an hour at the customer's with its engine on, and comes back faster. */
const tour = (leavesMs: number): ReceivedPosition[] => [
  ...stands(leavesMs - HOUR, leavesMs, 0),
  ...drives(leavesMs, 0, 6000, 20, CARD),
  ...stands(leavesMs + 6 * MINUTE, leavesMs + HOUR, 6000, true).map(neglected),
  ...drives(leavesMs + HOUR, 6000, 0, 25),
  ...stands(leavesMs + HOUR + 6 * MINUTE, leavesMs + 2 * HOUR, 0),
];
const iso = (ms: number) => new Date(ms).toISOString();

interface Fleet {
  readonly owner: SignedIn;
  readonly vehicleId: number;
  call: ReturnType<typeof callerOf>;
  fence(shape: GeofenceShape): Promise<string>;
  rule(fields: object, sinceMs?: number): Promise<Rule>;
  store(positions: readonly ReceivedPosition[]): Promise<void>;
  /** A server that watches, from the database. */
  open(): Promise<DailyFigures['manager']>;
  watch(): Promise<void>;
  alerts(): Promise<Alert[]>;
  backtest(rule: object, sinceMs: number, more?: object): Promise<Backtest>;
}

async function fleet(): Promise<Fleet> {
  const owner = await signedIn(server);
  const { accountId } = owner;
  const { id: vehicleId } = await addVehicle(server.context, accountId);
  await server.directory.settled();
  const call = callerOf(server, owner);
  let made = 0;
  const open = async () => {
    const visits = await openVisits(server.context, { ...server.organisation, placeOf: () => null });
    const rules = await openRuleProjection(server.context, server.organisation, visits.book);
    const { directory, live } = server;
    return openDailyFigures(server.context, { directory, live, visits, rules }).manager;
  };
  let manager: DailyFigures['manager'] | null = null;
  return {
    owner,
    vehicleId,
    call,
    open,
    fence: async shape => {
      const answer = await call('POST', '/geofence', { name: `Place ${++made}`, shape });
      expect(answer.status).toBe(201);
      await server.context.feed.settled();
      return (answer.body as { id: string }).id;
    },
    rule: async (fields, sinceMs = 0) => {
      const answer = await call('POST', '/alert-rule', { name: `Rule ${++made}`, isOn: true, ...fields });
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      const { id } = answer.body as Rule;
      const since = new Date(sinceMs);
      const { system } = server.context.db;
      await system.updateTable('rule').set({ since }).where('id', '=', Number(id)).execute();
      await server.context.feed.settled();
      return answer.body as Rule;
    },
    store: positions => storePositions(server, accountId, vehicleId, positions),
    watch: async () => {
      manager ??= await open();
      await server.context.feed.settled();
      for (let i = 0; i < 2; i++) await manager.catchUp(accountId, [vehicleId], TIMEOUT_MS);
    },
    alerts: async () => {
      const answer = await call('GET', '/alert?limit=500');
      return (answer.body as { alerts: Alert[] }).alerts.filter(({ kind }) => kind === 'rule').reverse();
    },
    backtest: async (rule, sinceMs, more = {}) => {
      const period = { from: iso(sinceMs), to: iso(Date.now()) };
      const answer = await call('POST', '/geofence/backtest', { rule, ...period, ...more });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer.body as Backtest;
    },
  };
}

describe('[R2.08] rules', () => {
  it('are created, changed and deleted, each with a line in the audit log', async () => {
    const it = await fleet();
    const yard = await it.fence(YARD);
    const fields = { name: 'Long stop', trigger: { kind: 'stay', minutes: 40 }, geofenceIds: [yard], isOn: true };
    const { body } = await it.call('POST', '/alert-rule', fields);
    const rule = body as Rule;
    expect(rule).toMatchObject({ ...fields, severity: 'warning', vehicles: null, when: null, where: 'inside' });
    expect(rule.alerts).toEqual({ count: 0, acknowledged: 0, lastAt: null });
    expect((await it.call('POST', '/alert-rule', { ...fields, name: 'LONG STOP' })).status).toBe(409);
    const when = { days: [1, 2], from: '22:00', to: '05:00', is: 'within' };
    const changed = await it.call('PATCH', `/alert-rule/${rule.id}`, { when, action: 'Call the customer.' });
    expect(changed.body).toMatchObject({ ...fields, when, action: 'Call the customer.' });
    expect((await it.call('GET', '/alert-rule')).body).toEqual([changed.body]);
    await it.call('DELETE', `/geofence/${yard}`);
    expect((await it.call('GET', '/alert-rule')).body).toMatchObject([{ geofenceIds: [] }]);
    // A rule whose last geofence is gone can still be renamed.
    expect((await it.call('PATCH', `/alert-rule/${rule.id}`, { name: 'Old stop' })).status).toBe(200);
    expect((await it.call('DELETE', `/alert-rule/${rule.id}`)).status).toBe(200);
    expect((await it.call('PATCH', `/alert-rule/${rule.id}`, { name: 'Gone' })).status).toBe(404);
    const { entries } = (await it.call('GET', '/audit')).body as {
      entries: { action: string; sentence: string | null }[];
    };
    const lines = entries.filter(({ action }) => action.startsWith('rule.'));
    expect(lines.map(({ action }) => action)).toEqual(['rule.deleted', 'rule.changed', 'rule.changed', 'rule.created']);
    // What the rule said then, with the names of now: its geofence was deleted.
    expect(lines.map(({ sentence }) => sentence?.split(', with ')[0])).toEqual([
      'When any vehicle stays in no geofence for more than 40 min from 22:00 to 05:00 on Mon and Tue',
      'When any vehicle stays in no geofence for more than 40 min from 22:00 to 05:00 on Mon and Tue',
      'When any vehicle stays in deleted for more than 40 min from 22:00 to 05:00 on Mon and Tue',
      'When any vehicle stays in deleted for more than 40 min at any hour',
    ]);
    expect(entries.filter(({ action, sentence }) => !action.startsWith('rule.') && sentence !== null)).toEqual([]);
    const csv = await server.call('GET', '/api/v1/audit/export', { token: it.owner.token });
    expect(csv.text).toContain('When any vehicle stays in deleted for more than 40 min at any hour, with any driver,');
  });

  it('that make no sense are refused field by field', async () => {
    const it = await fleet();
    const refused = async (fields: object) => {
      const answer = await it.call('POST', '/alert-rule', { name: 'Rule', trigger: { kind: 'enter' }, ...fields });
      return [answer.status, (answer.body as { errors?: { field: string }[] }).errors?.map(({ field }) => field)];
    };
    expect(await refused({ trigger: { kind: 'stay', minutes: 0 } })).toEqual([400, ['trigger.minutes']]);
    expect(await refused({ trigger: { kind: 'speed', kmh: 400, seconds: 0 } })).toEqual([400, ['trigger.kmh']]);
    expect(await refused({ trigger: { kind: 'absent', at: '08:00', days: [1] } })).toEqual([400, ['geofenceIds']]);
    expect(await refused({ trigger: { kind: 'absent', at: '25:00', days: [] }, geofenceIds: ['1'] })).toEqual([
      400,
      ['trigger.at', 'trigger.days'],
    ]);
    const temperature = { kind: 'temperature', minutes: 5 };
    expect(await refused({ trigger: { ...temperature, min: null, max: null } })).toEqual([400, ['trigger.max']]);
    expect(await refused({ trigger: { ...temperature, min: 8, max: 2 } })).toEqual([400, ['trigger.max']]);
    expect(await refused({ trigger: { kind: 'fuel', percent: 1 } })).toEqual([400, ['trigger.percent']]);
    const conditions = { drivers: { driverIds: ['1999999999'], departmentIds: [] }, fromKmh: null, ignition: null };
    expect(await refused({ conditions })).toEqual([400, ['conditions']]);
    const nobody = { driverIds: [], departmentIds: [] };
    expect(await refused({ conditions: { ...conditions, drivers: nobody } })).toEqual([400, ['conditions.drivers']]);
    expect(await refused({ conditions: { ...conditions, drivers: null, fromKmh: 0 } })).toEqual([
      400,
      ['conditions.fromKmh'],
    ]);
    const inside = { places: { is: 'inside', geofenceIds: ['1999999999'] } };
    const none = { drivers: null, fromKmh: null, ignition: null };
    expect(await refused({ conditions: { ...none, fromKmh: 5, or: [{ ...none, ...inside }] } })).toEqual([
      400,
      ['conditions'],
    ]);
    const these = { vehicles: { folderIds: ['1999999999'], deviceIds: [] } };
    expect(await refused({ conditions: { ...none, ...these } })).toEqual([400, ['conditions']]);
    expect(await refused({ conditions: { ...none, fromKmh: 5, or: [none] } })).toEqual([400, ['conditions.or.0']]);
    // What happens in a moment hasn't lasted.
    expect(await refused({ conditions: { ...none, minutes: 5 } })).toEqual([400, ['conditions']]);
    expect(await refused({ geofenceIds: [] })).toEqual([400, ['geofenceIds']]);
    expect(await refused({ geofenceIds: ['1999999999'] })).toEqual([400, ['geofenceIds']]);
    expect(await refused({ mailTo: ['0198a5c4-0000-7000-8000-000000000000'] })).toEqual([400, ['mailTo']]);
    expect(await refused({ vehicles: { folderIds: ['1999999999'], deviceIds: [] } })).toEqual([400, ['vehicles']]);
  });

  it('say nothing about vehicles that a limited user does not see', async () => {
    const it = await fleet();
    await it.fence(YARD);
    const now = Date.now();
    const vehicles = { folderIds: [], deviceIds: [String(it.vehicleId)] };
    await it.rule({ trigger: { kind: 'enter' }, vehicles });
    await it.store(tour(now - 3 * HOUR));
    await it.watch();
    const viewer = await signedIn(server, { accountId: it.owner.accountId, role: 'viewer' });
    const call = callerOf(server, viewer);
    expect((await call('GET', '/alert-rule')).body).toMatchObject([{ vehicles, alerts: { count: 1 } }]);
    const { id: folder } = (await it.call('POST', '/folder', { name: 'South' })).body as { id: string };
    await limit(server.context, viewer, { folders: [folder] });
    expect((await call('GET', '/alert-rule')).body).toMatchObject([
      { vehicles: { deviceIds: [] }, alerts: { count: 0 } },
    ]);
    const period = { from: iso(now - DAY), to: iso(now) };
    const tested = await call('POST', '/geofence/backtest', { rule: { trigger: { kind: 'enter' } }, ...period });
    expect(tested.body).toMatchObject({ alerts: [], total: 0, next: null });
    expect((await call('POST', '/alert-rule', { name: 'Mine', trigger: { kind: 'enter' } })).status).toBe(403);
  });
});

describe('[R7.37] alerts of rules', () => {
  it('open, name the rule and the geofence, and close, once', async () => {
    const it = await fleet();
    const customer = await it.fence(CUSTOMER);
    const now = Date.now();
    const leaves = now - 2.5 * HOUR;
    const escalation = { minutes: 15, to: [it.owner.userId] };
    const fields = { geofenceIds: [customer], severity: 'critical', action: 'Call them.', escalation };
    const rule = await it.rule({ trigger: { kind: 'stay', minutes: 30 }, ...fields });
    const all = tour(leaves);
    await it.store(all.filter(({ fixAt }) => fixAt < leaves + 50 * MINUTE));
    await it.watch();
    const [opened] = await it.alerts();
    const due = await server.context.db.system
      .selectFrom('alert')
      .select('escalate_at')
      .where('vehicle_id', '=', it.vehicleId)
      .execute();
    expect(due).toHaveLength(1);
    expect(Math.abs((due[0]?.escalate_at?.getTime() ?? 0) - Date.now() - 15 * MINUTE)).toBeLessThan(MINUTE);
    expect(opened).toMatchObject({
      kind: 'rule',
      severity: 'critical',
      late: false,
      closedAt: null,
      acknowledgedAt: null,
      rule: { id: rule.id, name: rule.name, action: 'Call them.', geofence: 'Place 1' },
    });
    // 294 s to the customer's edge, and half an hour there.
    expect(Date.parse(opened?.openedAt ?? '')).toBeCloseTo(leaves + 294_000 + 30 * MINUTE, -3.5);
    await it.store(all.filter(({ fixAt }) => fixAt >= leaves + 50 * MINUTE));
    await it.watch();
    const closed = await it.alerts();
    const row = await server.context.db.system
      .selectFrom('alert')
      .select('rule')
      .where('id', '=', opened?.id ?? '')
      .executeTakeFirst();
    expect(row?.rule?.version).toBe(1);
    expect(closed).toMatchObject([{ id: opened?.id, closedAt: expect.any(String) }]);
    expect((await it.call('GET', '/alert-rule')).body).toMatchObject([{ alerts: { count: 1, acknowledged: 0 } }]);
    await it.call('DELETE', `/alert-rule/${rule.id}`);
    expect((await it.alerts())[0]?.rule).toEqual({ ...opened?.rule, id: null });
  });

  it('of what came to light late are in the history, and wait for nobody', async () => {
    const it = await fleet();
    await it.fence(CUSTOMER);
    const now = Date.now();
    const all = tour(now - 4 * HOUR);
    const isAway = ({ lon }: ReceivedPosition) => lon !== east(0);
    await it.rule({ trigger: { kind: 'stay', minutes: 30 } });
    await it.store([...all.filter(position => !isAway(position)), ...stands(now - 2 * HOUR, now, 0)]);
    await it.watch();
    expect(await it.alerts()).toEqual([]);
    await it.store(all.filter(isAway));
    await it.watch();
    const alerts = await it.alerts();
    expect(alerts).toMatchObject([{ late: true, acknowledgedAt: expect.any(String), closedAt: expect.any(String) }]);
    expect(alerts).toHaveLength(1);
  });

  it('are about nothing that was before the rule, and end when it is turned off', async () => {
    const it = await fleet();
    const now = Date.now();
    await it.fence(YARD);
    await it.store([...stands(now - 3 * HOUR, now - HOUR, 0)]);
    const rule = await it.rule({ trigger: { kind: 'stay', minutes: 170 } }, now - 30 * MINUTE);
    const before = await it.rule({ trigger: { kind: 'stay', minutes: 30 } }, now - 30 * MINUTE);
    await it.watch();
    // The tracker sleeps, so the vehicle is still there.
    expect((await it.alerts()).map(alert => alert.rule?.id)).toEqual([rule.id]);
    await it.store(stands(now - HOUR, now, 0));
    await it.watch();
    expect((await it.alerts()).map(alert => [alert.rule?.id, alert.closedAt])).toEqual([[rule.id, null]]);
    await it.call('PATCH', `/alert-rule/${rule.id}`, { isOn: false });
    await it.watch();
    expect(await it.alerts()).toMatchObject([{ closedAt: expect.any(String) }]);
    await it.call('PATCH', `/alert-rule/${before.id}`, { isOn: false });
    await it.watch();
    const { system } = server.context.db;
    expect(await system.selectFrom('rule_fold').where('vehicle_id', '=', it.vehicleId).execute()).toEqual([]);
  });
});

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

/** Alerts as the database has them, and as a test finds them. */
async function comparedOf(it: Fleet, rules: readonly Rule[], terms: readonly object[], since: number) {
  const { rows } = await sql<{ rule_id: number; opened_at: Date; began_at: Date; closed_at: Date | null }>`
    select rule_id, opened_at, began_at, closed_at from alert
    where vehicle_id = ${it.vehicleId} and rule_id is not null order by rule_id, opened_at`.execute(
    server.context.db.system,
  );
  const tested = [];
  for (const [nth, each] of terms.entries()) {
    const vehicles = { folderIds: [], deviceIds: [String(it.vehicleId)] };
    const { alerts } = await it.backtest({ ...each, vehicles }, since);
    for (const { at, beganAt, endedAt } of alerts) {
      const [opened_at, began_at] = [new Date(at), new Date(beganAt)];
      tested.push({ rule_id: Number(rules[nth]?.id), opened_at, began_at, closed_at: endedAt && new Date(endedAt) });
    }
  }
  return { told: rows, tested };
}

describe('[R7.37] rules about the distance to another vehicle', () => {
  const nearby = async () => {
    const it = await fleet();
    const { accountId } = it.owner;
    const { id: otherId } = await addVehicle(server.context, accountId);
    await server.directory.settled();
    const catchUp = async (kill = true) => {
      const manager = kill ? await it.open() : null;
      for (let i = 0; i < 2; i++) await manager?.catchUp(accountId, [otherId, it.vehicleId], TIMEOUT_MS);
    };
    const storeOther = (positions: readonly ReceivedPosition[]) =>
      storePositions(server, accountId, otherId, positions);
    const others = { otherIds: [String(otherId)] };
    const terms = [
      { trigger: { kind: 'near', meters: 250, minutes: 0, ...others } },
      { trigger: { kind: 'near', meters: 250, minutes: 20, ...others } },
      { trigger: { kind: 'apart', meters: 400, minutes: 0, ...others } },
      { trigger: { kind: 'apart', meters: 400, minutes: 10, ...others } },
    ];
    return { ...it, otherId, catchUp, storeOther, terms };
  };
  /** Waits between the yard and the customer, nearer to the customer, and goes there when the other has left. */
  const partner = (fromMs: number) => [
    ...stands(fromMs - HOUR, fromMs + 2 * HOUR, 5900),
    ...drives(fromMs + 2 * HOUR, 5900, 300),
    ...stands(fromMs + 2 * HOUR + 10 * MINUTE, fromMs + 4 * HOUR, 300),
  ];

  it('alert live what a test finds, to the millisecond, whoever reports first and whatever is late', {
    timeout: 120_000,
  }, async () => {
    const order = fc.array(fc.constantFrom('own', 'other', 'both'), { minLength: 4, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(order, fc.integer({ min: 5, max: 80 }), async (steps, size) => {
        const it = await nearby();
        const leaves = Date.now() - 9 * HOUR;
        const since = leaves - 5 * HOUR;
        await it.store(stands(leaves - 4 * HOUR, leaves - 4 * HOUR + 1, 0));
        await it.storeOther(stands(leaves - 4 * HOUR, leaves - 4 * HOUR + 1, 5900));
        const rules: Rule[] = [];
        for (const terms of it.terms) rules.push(await it.rule(terms, since));
        const [own, other] = [tour(leaves), partner(leaves)];
        for (const step of steps) {
          if (step !== 'other') await it.store(own.splice(0, size));
          if (step !== 'own') await it.storeOther(other.splice(0, size));
          await it.catchUp();
        }
        await it.store(own);
        await it.storeOther(other);
        await it.catchUp();
        await it.catchUp();
        const { tested, told } = await comparedOf(it, rules, it.terms, since);
        expect(tested.length).toBeGreaterThan(3);
        // What was only thought while the other one's reports were missing has ended, and is told as an alert of then.
        const found = told.filter(row => tested.some(each => each.opened_at.getTime() === row.opened_at.getTime()));
        expect(found).toEqual(tested);
        expect(told.filter(row => !found.includes(row) && row.closed_at === null)).toEqual([]);
      }),
      { numRuns: 2 },
    );
  });

  it('alert nobody of what another vehicle reports late, and name only vehicles of the account', async () => {
    const it = await nearby();
    const leaves = Date.now() - 9 * HOUR;
    await it.store(stands(leaves - 2 * HOUR, leaves - 2 * HOUR + 1, 0));
    const [near] = it.terms;
    await it.rule(near as object, leaves - HOUR);
    await it.store(tour(leaves));
    await it.catchUp();
    expect(await it.alerts()).toEqual([]);
    await it.storeOther(partner(leaves));
    await it.catchUp();
    await it.catchUp();
    const all = await it.alerts();
    expect(all.length).toBeGreaterThan(0);
    expect(all.map(({ acknowledgedAt, late }) => [late, acknowledgedAt !== null])).toEqual(all.map(() => [true, true]));
    const foreign = await fleet();
    const trigger = { kind: 'near', meters: 250, minutes: 0, otherIds: [String(foreign.vehicleId)] };
    const answer = await it.call('POST', '/alert-rule', { name: 'Foreign', trigger });
    expect(answer.body).toMatchObject({ errors: [{ field: 'trigger.otherIds', code: 'unknown-vehicle' }] });
  });
});

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
          const market = await it.fence(circle(-9000, 100));
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
