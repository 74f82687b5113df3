import type { Alert, Rule } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { noteDueDates } from './due-dates.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

const DAY = 24 * 3_600_000;
const NOW = Date.now();
const date = (days: number) => new Date(NOW + days * DAY).toISOString().slice(0, 10);
const look = (days = 0) => noteDueDates(server.context, server.organisation, new Date(NOW + days * DAY));

let made = 0;
async function document(
  owner: Person,
  vehicleId: number | null,
  title: string,
  expiresOn: string,
  driverId: number | null = null,
): Promise<number> {
  const row = {
    account_id: owner.accountId,
    vehicle_id: vehicleId,
    driver_id: driverId,
    kind: 'other',
    title,
    expires_on: expiresOn,
  };
  const { id } = await server.context.db.system
    .insertInto('document')
    .values({
      ...row,
      file_name: 'a.pdf',
      file: `file-${++made}-${owner.accountId}`,
      type: 'application/pdf',
      bytes: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const alertsOf = async (owner: Person) =>
  ((await owner.call('GET', 'alert')).body as { alerts: Alert[] }).alerts.toSorted((a, b) =>
    (a.rule?.about?.on ?? '').localeCompare(b.rule?.about?.on ?? ''),
  );
async function add(owner: Person, fields: object): Promise<Rule> {
  const answer = await owner.call('POST', 'alert-rule', { name: `Rule ${++made}`, isOn: true, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body as Rule;
}

describe('[R7.37] rules about dates', () => {
  it('alert once for each date on which documents of a vehicle expire, and end when they were renewed', async () => {
    const owner = await person(server);
    const stranger = await person(server);
    const truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
    const other = Number((await addNamedVehicle(server, owner.accountId, 'Other')).id);
    const foreign = Number((await addNamedVehicle(server, stranger.accountId, 'Foreign')).id);
    await document(owner, truck, 'Insurance', date(20));
    await document(owner, truck, 'Annual inspection', date(20));
    const lease = await document(owner, truck, 'Lease', date(25));
    await document(owner, truck, 'Permit', date(60));
    await document(owner, truck, 'Old insurance', date(-30));
    await document(owner, other, 'Insurance', date(20));
    await document(stranger, foreign, 'Insurance', date(20));
    const vehicles = { folderIds: [], deviceIds: [String(truck)] };
    const rule = await add(owner, { trigger: { kind: 'document', withinDays: 30 }, vehicles, severity: 'critical' });
    await look();
    await look();
    const first = await alertsOf(owner);
    expect(first.map(({ deviceName, rule: of }) => [deviceName, of?.about])).toEqual([
      ['4127', { titles: ['Annual inspection', 'Insurance'], on: date(20) }],
      ['4127', { titles: ['Lease'], on: date(25) }],
    ]);
    expect(first[0]).toMatchObject({ severity: 'critical', closedAt: null, rule: { id: rule.id } });
    expect(await alertsOf(stranger)).toEqual([]);
    // Acknowledged and renewed: neither comes again.
    await owner.call('POST', 'alert/acknowledge', { ids: [first[0]?.id] });
    await server.context.db.system
      .updateTable('document')
      .set({ expires_on: date(400) })
      .where('id', '=', lease)
      .execute();
    await look(1);
    const later = await alertsOf(owner);
    expect(later.map(({ acknowledgedAt, closedAt }) => [acknowledgedAt !== null, closedAt !== null])).toEqual([
      [true, false],
      [false, true],
    ]);
    await look(35);
    expect((await alertsOf(owner)).length).toBe(3);
    await owner.call('PATCH', `alert-rule/${rule.id}`, { isOn: false });
    await look(36);
    expect((await alertsOf(owner)).filter(({ closedAt }) => closedAt === null)).toEqual([]);
  });

  it('alert once when a subscription is about to end', async () => {
    const owner = await person(server);
    await addNamedVehicle(server, owner.accountId, '4127');
    await add(owner, { trigger: { kind: 'subscription', withinDays: 14 } });
    await look(300);
    expect(await alertsOf(owner)).toEqual([]);
    await look(351);
    await look(360);
    expect((await alertsOf(owner)).map(({ rule }) => rule?.about?.titles)).toEqual([[]]);
  });

  it('name what is added for a date in another alert, and end each with what it names', async () => {
    const owner = await person(server);
    const truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
    const insurance = await document(owner, truck, 'Insurance', date(20));
    await add(owner, { trigger: { kind: 'document', withinDays: 30 } });
    await look();
    await document(owner, truck, 'Permit', date(20));
    await look();
    await look();
    await server.context.db.system.deleteFrom('document').where('id', '=', insurance).execute();
    await look();
    const alerts = (await alertsOf(owner)).map(({ closedAt, rule }) => [rule?.about?.titles, closedAt === null]);
    expect(alerts.toSorted()).toEqual([
      [['Insurance'], false],
      [['Permit'], true],
    ]);
  });

  it('alert of documents and licenses of drivers, each by name, on the vehicle that they drive', async () => {
    const owner = await person(server);
    const truck = await addNamedVehicle(server, owner.accountId, '4127');
    const driver = async (fields: object): Promise<number> => {
      const { body } = await owner.call('POST', 'driver', fields);
      return Number((body as { id: string }).id);
    };
    const ann = await driver({ name: 'Ann', licenceExpiresOn: date(20) });
    await driver({ name: 'Nobody’s', licenceExpiresOn: date(20) });
    await owner.call('PATCH', `device/${truck.id}`, { usualDriverId: String(ann) });
    await document(owner, null, 'Medical card', date(20), ann);
    await document(owner, null, 'Passport', date(90), ann);
    await document(owner, Number(truck.id), 'Insurance', date(20));
    await add(owner, { trigger: { kind: 'driverDocument', withinDays: 30 } });
    await server.context.feed.settled();
    await look();
    await look();
    expect(
      (await alertsOf(owner)).map(({ deviceName, driver: of, rule }) => [deviceName, of?.name, rule?.about]),
    ).toEqual([['4127', 'Ann', { titles: ['Ann: License', 'Ann: Medical card'], on: date(20) }]]);
    await owner.call('PATCH', `driver/${ann}`, { licenceExpiresOn: date(800) });
    await look();
    expect((await alertsOf(owner)).map(({ closedAt }) => closedAt)).toEqual([null]);
    await server.context.db.system.deleteFrom('document').where('driver_id', '=', ann).execute();
    await look();
    expect((await alertsOf(owner)).map(({ closedAt }) => closedAt === null)).toEqual([false]);
  });

  it('have nothing to test on the past, and bounds', async () => {
    const owner = await person(server);
    const rule = { trigger: { kind: 'document', withinDays: 30 } };
    const body = { rule, from: new Date(NOW - DAY).toISOString(), to: new Date(NOW).toISOString() };
    const tested = await owner.call('POST', 'geofence/backtest', body);
    expect(tested.body).toMatchObject({ alerts: [], total: 0, next: null });
    const wrong = await owner.call('POST', 'alert-rule', { name: 'X', trigger: { kind: 'document', withinDays: 400 } });
    expect(wrong.body).toMatchObject({ errors: [{ field: 'trigger.withinDays' }] });
  });
});
