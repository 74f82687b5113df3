import type { Rule } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { callerOf, limit } from '../../../testing/organisation.ts';
import {
  CUSTOMER,
  DAY,
  east,
  HOUR,
  iso,
  MARKET,
  MINUTE,
  ruleFleet,
  stands,
  tour,
  YARD,
} from '../../../testing/rule-fleet.ts';
import { storePositions } from '../../../testing/stored-positions.ts';
import { Reading } from '../../projections/reading.ts';
import type { ReceivedPosition } from '../../tracks/stored-position.ts';
import { openVisits } from '../geofences/visits/visits.ts';
import { openRuleProjection } from './rule-projection.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
const fleet = () => ruleFleet(server);

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

  it('of the first reports of a vehicle wait for nothing, unless there are too many to watch at once', async () => {
    const it = await fleet();
    const { directory, live } = server;
    const { accountId } = it.owner;
    const vehicles = [await addVehicle(server.context, accountId), await addVehicle(server.context, accountId)];
    await directory.settled();
    const yard = await it.fence(YARD);
    const { id } = await it.rule({ trigger: { kind: 'ignitionOn' }, geofenceIds: [yard] });
    const visits = await openVisits(server.context, { ...server.organisation, placeOf: () => null });
    const { book, projection } = await openRuleProjection(server.context, server.organisation, visits.book);
    await Promise.all([book.refresh(null), visits.book.refresh(null)]);
    const { system } = server.context.db;
    /** As the server sees them when it first looks, while the past of others keeps it busy. */
    const firstLook = async (positions: readonly ReceivedPosition[]) => {
      const vehicleId = vehicles.pop()?.id ?? 0;
      await storePositions(server, accountId, vehicleId, positions);
      const look = { newestMs: live.of(vehicleId)?.motion.fixAt ?? null, nowMs: Date.now() };
      const vehicle = { id: vehicleId, accountId, ...look };
      const rules = (await projection.load(system, [vehicle])).get(vehicleId);
      await rules?.take(new Reading(system, vehicleId), [], look);
      const events = rules?.takeChanged().events.map(({ at, found, ruleId, what }) => ({ at, found, ruleId, what }));
      return { events, hasPast: rules?.hasPast };
    };
    const now = Date.now();
    const starts = (from: number) => [...stands(from, now - MINUTE, 0), ...stands(now - MINUTE, now, 0, true)];
    const alert = { at: now - MINUTE, found: 'again', ruleId: Number(id), what: 'alert' };
    expect(await firstLook(starts(now - HOUR / 2))).toEqual({ events: [alert], hasPast: false });
    expect(await firstLook(starts(now - 17 * HOUR))).toEqual({ events: [], hasPast: true });
  });

  it('of what came to light late are in the history, and wait for nobody', async () => {
    const it = await fleet();
    await it.fence(CUSTOMER);
    const now = Date.now();
    const all = tour(now - 4 * HOUR);
    const isAway = ({ lon }: ReceivedPosition) => lon !== east(0);
    await it.rule({ trigger: { kind: 'stay', minutes: 30 } });
    const { id } = await it.rule({ trigger: { kind: 'cross' } });
    await it.store([...all.filter(position => !isAway(position)), ...stands(now - 2 * HOUR, now, 0)]);
    await it.watch();
    expect(await it.alerts()).toEqual([]);
    await it.store(all.filter(isAway));
    await it.watch();
    const alerts = await it.alerts();
    const [stays, crossings] = [false, true].map(isOfCrossing =>
      alerts.filter(({ rule }) => (rule?.id === id) === isOfCrossing),
    );
    expect(stays).toMatchObject([{ late: true, acknowledgedAt: expect.any(String), closedAt: expect.any(String) }]);
    expect(stays).toHaveLength(1);
    // The way out begins at the moment at which the way in ends.
    expect(crossings).toMatchObject([
      { late: true, closedAt: expect.any(String) },
      { late: true, closedAt: null },
    ]);
    expect(crossings?.map(({ rule }) => rule?.crossing)).toEqual(['in', 'out']);
    // Watched again, all of it is known.
    await it.store(stands(now - 2 * HOUR + MINUTE, now - 2 * HOUR + MINUTE + 1, 0));
    await it.watch();
    expect(await it.alerts()).toEqual(alerts);
  });

  it('about the order of visits that came to light late are in the history, too', async () => {
    const it = await fleet();
    const now = Date.now();
    const yard = await it.fence(YARD);
    const customer = await it.fence(CUSTOMER);
    const market = await it.fence(MARKET);
    await it.rule({ trigger: { kind: 'order' }, geofenceIds: [yard, market, customer] });
    const all = tour(now - 4 * HOUR);
    const isAway = ({ lon }: ReceivedPosition) => lon !== east(0);
    await it.store([...all.filter(position => !isAway(position)), ...stands(now - 2 * HOUR, now, 0)]);
    await it.watch();
    expect(await it.alerts()).toEqual([]);
    // It was at the customer's before the market.
    await it.store(all.filter(isAway));
    await it.watch();
    const late = { late: true, acknowledgedAt: expect.any(String) };
    expect(await it.alerts()).toMatchObject([{ ...late, rule: { geofence: 'Place 2', expected: 'Place 3' } }]);
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
