import { BUILT_IN_KINDS, type BuiltInKind, type BuiltInRule, type BuiltInTest } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { pushBrowser } from '../../../testing/push-browser.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { escalateAlerts } from './escalations.ts';
import { readAlertSentences, readSentenceReader } from './rule-sentences.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer({ config: { webhooks: { http: true, networks: ['127.0.0.1'] } } });
});
afterAll(() => server.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let owner: Person;
let truck: number;
beforeEach(async () => {
  owner = await person(server);
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
});

const list = async (who = owner) => (await who.call('GET', 'built-in-rule')).body as BuiltInRule[];
const ruleOf = async (kind: BuiltInKind, who = owner) => (await list(who)).find(each => each.kind === kind);
async function change(kind: BuiltInKind, fields: object): Promise<BuiltInRule> {
  const answer = await owner.call('PATCH', `built-in-rule/${kind}`, fields);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body as BuiltInRule;
}
const severityOf = (kind: BuiltInKind, at = Date.now(), vehicleId = truck, more: object = {}) =>
  server.organisation.builtIns.severityOf(
    { accountId: owner.accountId, vehicleId, kind, at: epochMs(at), driverId: null, ...more },
    'warning',
  );
const alertRow = (id: string) =>
  server.context.db.system.selectFrom('alert').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('[R7.37] built-in alerts', () => {
  it('are as Milepost has them until an owner or admin changes them, with a line in the audit log', async () => {
    const all = await list();
    expect(all.map(({ kind }) => kind)).toEqual(BUILT_IN_KINDS);
    expect(all.filter(({ changedAt, isOn, vehicles }) => changedAt !== null || !isOn || vehicles !== null)).toEqual([]);
    const when = { days: [6, 7], from: '00:00', to: '00:00', is: 'within' };
    const changed = await change('vibration', { severity: 'critical', when, mailTo: [owner.userId] });
    expect(changed).toMatchObject({ kind: 'vibration', isOn: true, severity: 'critical', when, minutes: null });
    expect(await ruleOf('vibration')).toEqual(changed);
    expect(await change('vibration', { when: null })).toMatchObject({ severity: 'critical', mailTo: [owner.userId] });
    // They are no rules of the account's own.
    expect((await owner.call('GET', 'alert-rule')).body).toEqual([]);
    expect((await owner.call('POST', 'alert-rule', { name: 'vibration', trigger: { kind: 'drive' } })).status).toBe(
      201,
    );
    const { entries } = (await owner.call('GET', 'audit?action=built-in-rule')).body as {
      entries: { targetName: string; sentence: string }[];
    };
    expect(entries.map(({ sentence, targetName }) => [targetName, sentence.split(',')[0]])).toEqual([
      ['vibration', 'When the tracker of any vehicle reports “Vibration” at any hour'],
      ['vibration', 'When the tracker of any vehicle reports “Vibration” from 00:00 to 00:00 on weekends'],
    ]);
    const dispatcher = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
    expect((await dispatcher.call('PATCH', 'built-in-rule/sos', { isOn: false })).status).toBe(403);
    expect(await ruleOf('vibration', dispatcher)).toMatchObject({ severity: 'critical' });
  });

  it('that make no sense are refused', async () => {
    const refused = async (kind: string, fields: object) => {
      const answer = await owner.call('PATCH', `built-in-rule/${kind}`, fields);
      return [answer.status, (answer.body as { errors?: { field: string }[] }).errors?.map(({ field }) => field)];
    };
    expect((await refused('secondPerson', { isOn: false }))[0]).toBe(404);
    expect((await refused('rule', { isOn: false }))[0]).toBe(404);
    expect(await refused('sos', { minutes: 30 })).toEqual([400, ['minutes']]);
    expect(await refused('silent', { minutes: 1 })).toEqual([400, ['minutes']]);
    expect(await refused('silent', { minutes: null })).toEqual([400, ['minutes']]);
    expect(await refused('sos', { mailTo: [(await person(server)).userId] })).toEqual([400, ['mailTo']]);
    // Silence has no speed, and one alert for as long as it lasts.
    const fast = { drivers: null, fromKmh: 20, ignition: null };
    expect(await refused('silent', { conditions: fast })).toEqual([400, ['conditions']]);
    expect(await refused('restricted', { repeatMinutes: 10 })).toEqual([400, ['repeatMinutes']]);
    expect(await refused('sos', { message: 'Call {nobody}' })).toEqual([400, ['message']]);
    const nowhere = { folderIds: [], deviceIds: ['1999999999'] };
    expect(await refused('sos', { vehicles: nowhere })).toEqual([400, ['vehicles']]);
    expect((await ruleOf('sos'))?.changedAt).toBeNull();
  });

  it('are decided about before they are written: off, other vehicles, other times, and how severe', async () => {
    expect(severityOf('overspeed')).toBe('warning');
    await change('overspeed', { severity: 'critical' });
    expect(severityOf('overspeed')).toBe('critical');
    await change('overspeed', { severity: 'warning', vehicles: { folderIds: [], deviceIds: [String(truck)] } });
    const other = Number((await addNamedVehicle(server, owner.accountId, 'Other')).id);
    expect([severityOf('overspeed'), severityOf('overspeed', Date.now(), other)]).toEqual(['warning', null]);
    const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
    await owner.call('PATCH', `folder/assign/${folder}`, { devices: [String(other)] });
    await server.context.feed.settled();
    await change('overspeed', { vehicles: { folderIds: [folder], deviceIds: [] } });
    expect([severityOf('overspeed'), severityOf('overspeed', Date.now(), other)]).toEqual([null, 'warning']);
    const when = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', is: 'within' };
    await change('overspeed', { vehicles: null, when });
    // Monday, in Chicago.
    const [noon, night] = [Date.UTC(2026, 10, 23, 18), Date.UTC(2026, 10, 24, 6)];
    expect([severityOf('overspeed', noon), severityOf('overspeed', night)]).toEqual(['warning', null]);
    await change('overspeed', { when: null, isOn: false });
    expect(severityOf('overspeed')).toBeNull();
    await change('overspeed', { isOn: true });
    // What happened before it was turned on is not alerted.
    expect([severityOf('overspeed', Date.now() - HOUR), severityOf('overspeed', Date.now() + 1)]).toEqual([
      null,
      'warning',
    ]);
  });

  it('count only with the drivers, at the speed and with the ignition that were chosen', async () => {
    const by = (driverId: number | null, more: object = {}) =>
      severityOf('overspeed', Date.now(), truck, { driverId, ...more });
    const { id: department } = (await owner.call('POST', 'department', { name: 'Tankers' })).body as { id: string };
    const [ana, ben, cy] = await Promise.all(
      ['Ana', 'Ben', 'Cy'].map(async name => (await owner.call('POST', 'driver', { name })).body as { id: string }),
    );
    await owner.call('PATCH', `driver/${cy?.id}`, { departmentId: department });
    await server.context.feed.settled();
    const drivers = { driverIds: [ana?.id], departmentIds: [department] };
    const changed = await change('overspeed', { conditions: { drivers, fromKmh: null, ignition: null } });
    expect(changed.conditions).toEqual({ drivers, fromKmh: null, ignition: null });
    expect([ana, ben, cy].map(driver => by(Number(driver?.id)))).toEqual(['warning', null, 'warning']);
    expect(by(null)).toBeNull();
    await change('overspeed', { conditions: { drivers: null, fromKmh: 72, ignition: 'on' } });
    const told = (speed: number | null, ignition: boolean | null) => by(null, { speed, ignition });
    expect([told(20, true), told(19, true), told(20, false), told(null, true), told(20, null)]).toEqual([
      ...['warning', null, null, null, null],
    ]);
  });

  it('say what to do, and have words of their own and a sentence, as those of the account’s rules', async () => {
    const words = { action: 'Call the driver.', message: '{rule}: {vehicle}. {action}', repeatMinutes: 30 };
    expect(await change('sos', words)).toMatchObject(words);
    const id = await addAlert(server, owner.accountId, truck);
    const { alerts } = (await owner.call('GET', 'alert')).body as { alerts: { id: string; rule: object }[] };
    expect(alerts.find(each => each.id === id)?.rule).toMatchObject({ name: null, action: words.action });
    const sentence = async (alertId: string) => {
      const { context, organisation } = server;
      return context.db.asAccount(owner.accountId, async trx => {
        const session = {
          accountId: owner.accountId,
          userId: owner.userId,
          role: 'owner',
          readOnly: false,
          scope: null,
        } as const;
        const reader = await readSentenceReader(trx, session);
        return (await readAlertSentences(trx, organisation, reader, [alertId])).get(alertId);
      });
    };
    expect(await sentence(id)).toEqual({
      whole: expect.stringMatching(
        /^When the tracker of any vehicle reports “SOS button pressed” .* at most once in 30 min/,
      ),
      condition: '',
    });
    // One that nobody changed has a sentence, too; one of words that changed since has none.
    const door = await addAlert(server, owner.accountId, truck, { kind: 'doorOpen', severity: 'warning' });
    expect((await sentence(door))?.whole).toContain('“Door opened”');
    await change('sos', { repeatMinutes: 0 });
    expect(await sentence(id)).toBeUndefined();
  });

  it('that were turned off end, and silence is noticed again once it is on', async () => {
    const now = Date.now();
    await storePositions(server, owner.accountId, truck, [receivedPosition(now - 30 * HOUR)]);
    const { silence } = server.alerts;
    const open = async () => {
      const { alerts } = (await owner.call('GET', 'alert')).body as { alerts: { kind: string; closedAt: unknown }[] };
      return alerts.filter(({ closedAt, kind }) => kind === 'silent' && closedAt === null).length;
    };
    await silence.look(now + 6 * MINUTE);
    expect(await open()).toBe(1);
    await change('silent', { isOn: false });
    expect(await open()).toBe(0);
    await silence.look(now + 7 * MINUTE);
    expect(await open()).toBe(0);
    await change('silent', { isOn: true });
    await silence.look(now + 8 * MINUTE);
    expect(await open()).toBe(1);
  });

  it('are shown with their settings of silence, which is one with the account’s', async () => {
    expect(await ruleOf('silent')).toMatchObject({ minutes: 1440 });
    expect(await change('silent', { minutes: 60, severity: 'critical' })).toMatchObject({ minutes: 60 });
    const { body } = await owner.call('GET', 'settings');
    expect(body).toMatchObject({ settings: { offlineAfterMinutes: 60 } });
    expect((await owner.call('PATCH', 'settings', { offlineAfterMinutes: 90 })).status).toBe(200);
    expect(await ruleOf('silent')).toMatchObject({ minutes: 90, severity: 'critical' });
  });

  it('go to those whom they name, and further if nobody acknowledges them', async () => {
    const nora = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
    const subscribe = async (who: Person) => {
      const { auth, p256dh } = pushBrowser();
      const endpoint = `http://127.0.0.1:9/${who.userId}`;
      const answer = await who.call('POST', 'push_subscription', { endpoint, p256dh, auth, severities: ['critical'] });
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      return Number((answer.body as { id: string }).id);
    };
    const [owners, noras] = [await subscribe(owner), await subscribe(nora)];
    const pushes = async (id: string) =>
      (
        await server.context.db.system
          .selectFrom('push_delivery')
          .select(['subscription_id', 'reason'])
          .where('alert_id', '=', id)
          .orderBy('reason')
          .execute()
      ).map(row => [row.subscription_id, row.reason]);
    expect((await pushes(await addAlert(server, owner.accountId, truck))).length).toBe(2);
    await server.context.db.system.deleteFrom('alert').where('vehicle_id', '=', truck).execute();
    await change('sos', { pushTo: [nora.userId], escalation: { minutes: 5, to: [owner.userId] } });
    const id = await addAlert(server, owner.accountId, truck);
    expect(await pushes(id)).toEqual([[noras, 'opened']]);
    expect(Math.abs(((await alertRow(id)).escalate_at?.getTime() ?? 0) - Date.now() - 5 * MINUTE)).toBeLessThan(MINUTE);
    await escalateAlerts(server.context, server.organisation, new Date(Date.now() + 6 * MINUTE));
    expect(await pushes(id)).toEqual([
      [noras, 'opened'],
      [owners, 'ruleEscalated'],
    ]);
  });

  it('are tried on the past by the alerts that there were', async () => {
    const other = Number((await addNamedVehicle(server, owner.accountId, 'Other')).id);
    const at = Date.UTC(2026, 10, 23, 18);
    const night = Date.UTC(2026, 10, 24, 9);
    for (const [vehicleId, ms] of [
      [truck, at],
      [truck, night],
      [other, at + HOUR],
    ] as const) {
      // What a tracker stored and told hours later counts as in the list of alerts.
      const late = vehicleId === other;
      const fields = { kind: 'doorOpen', opened_at: new Date(ms), closed_at: new Date(ms + MINUTE), late };
      await addAlert(server, owner.accountId, vehicleId, fields);
    }
    const period = { from: new Date(at - HOUR).toISOString(), to: new Date(night + HOUR).toISOString() };
    const test = async (rule: object, who = owner) => {
      const body = { rule: { vehicles: null, when: null, ...rule }, ...period };
      const answer = await who.call('POST', 'built-in-rule/doorOpen/backtest', body);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer.body as BuiltInTest;
    };
    expect(await test({})).toEqual({
      days: [
        { day: '2026-11-23', all: 2, kept: 2 },
        { day: '2026-11-24', all: 1, kept: 1 },
      ],
      vehicles: [
        { deviceId: String(truck), kept: 2 },
        { deviceId: String(other), kept: 1 },
      ],
    });
    const when = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', is: 'within' };
    expect((await test({ when })).days.map(({ kept }) => kept)).toEqual([2, 0]);
    const vehicles = { folderIds: [], deviceIds: [String(other)] };
    expect((await test({ vehicles })).vehicles).toEqual([{ deviceId: String(other), kept: 1 }]);
    expect((await test({ repeatMinutes: 24 * 60 })).vehicles).toEqual([
      { deviceId: String(truck), kept: 1 },
      { deviceId: String(other), kept: 1 },
    ]);
    const { id: ana } = (await owner.call('POST', 'driver', { name: 'Ana' })).body as { id: string };
    const nobodys = { drivers: { driverIds: [ana], departmentIds: [] }, fromKmh: null, ignition: null };
    expect((await test({ conditions: nobodys })).vehicles).toEqual([]);
    const viewer = await person(server, { accountId: owner.accountId, role: 'viewer' });
    const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
    await limit(server.context, viewer, { folders: [folder] });
    expect(await test({}, viewer)).toEqual({ days: [], vehicles: [] });
  });
});
