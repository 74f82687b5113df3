import { randomUUID } from 'node:crypto';
import {
  DEFAULT_NOTIFICATION_CHOICE,
  DEFAULT_NOTIFICATION_SETTINGS,
  type Rule,
  type RuleReach,
  type Severity,
} from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { startMailServer } from '../../../testing/mail-server.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { pushBrowser } from '../../../testing/push-browser.ts';
import { spreadNotices } from '../notifications/spread.ts';
import { escalateAlerts } from './escalations.ts';

let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, close } = await startMailServer());
});
afterAll(() => close());

const ASKED = { severity: 'warning', vehicles: null, mailTo: null, pushTo: null };
const NO = (why: string) => ({ gets: false, why, held: null });
const YES = { gets: true, why: null, held: null };

async function company() {
  const owner = await person(server);
  const { accountId } = owner;
  await owner.call('PUT', 'notification_settings', { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true, kinds: ['rule'] });
  const vehicle = await addNamedVehicle(server, accountId, '4127');
  const subscribe = ({ userId }: Person, severities: Severity[]) =>
    server.context.db.system
      .insertInto('push_subscription')
      .values({
        ...{ account_id: accountId, user_id: userId, endpoint: `https://push.example.com/${randomUUID()}` },
        ...{ severities, user_agent: null, session_id: null, last_sent_at: null },
        ...(({ auth, p256dh }) => ({
          auth: Buffer.from(auth, 'base64url'),
          p256dh: Buffer.from(p256dh, 'base64url'),
        }))(pushBrowser()),
      })
      .execute();
  const reach = async (fields: object = {}, by = owner) => {
    const answer = await by.call('POST', 'alert-rule/reach', { ...ASKED, ...fields });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body as RuleReach;
  };
  return { owner, accountId, vehicle, reach, subscribe };
}

const personIn = ({ people }: RuleReach, { userId }: Person) => people.find(({ id }) => id === userId);

it('[R2.08] says who would get a rule’s alerts by email and push, and why the others would not, as it is then', async () => {
  const { accountId, owner, reach, subscribe, vehicle } = await company();
  const { system } = server.context.db;
  const added = (role: 'dispatcher' | 'viewer', email?: null) =>
    person(server, { accountId, role, ...(email === null && { email }) });
  const [chooses, noMail, far, gone, busy, driver] = [
    await added('dispatcher'),
    await added('viewer', null),
    await added('viewer'),
    await added('viewer'),
    await added('viewer'),
    await person(server, { accountId, role: 'driver' }),
  ];
  await chooses.call('PUT', 'my_notifications', { ...DEFAULT_NOTIFICATION_CHOICE, kinds: ['sos'] });
  await busy.call('PUT', 'my_notifications', { ...DEFAULT_NOTIFICATION_CHOICE, dailyLimit: 1 });
  const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
  await limit(server.context, far, { folders: [folder] });
  await system.updateTable('app_user').set({ active: false }).where('id', '=', gone.userId).execute();
  await subscribe(owner, ['critical', 'warning']);
  await subscribe(chooses, ['critical']);
  const first = await reach();
  expect(first.vehicles).toBe(1);
  expect(first.people).toHaveLength(7);
  expect(personIn(first, owner)).toMatchObject({ seesVehicles: 1, mail: YES, push: YES });
  expect(personIn(first, chooses)).toMatchObject({ mail: NO('not-chosen'), push: NO('severity') });
  expect(personIn(first, noMail)).toMatchObject({ mail: NO('no-address'), push: NO('no-browser') });
  expect(personIn(first, far)).toMatchObject({ seesVehicles: 0, mail: NO('sees-none'), push: NO('sees-none') });
  expect(personIn(first, gone)).toMatchObject({ mail: NO('inactive'), push: NO('inactive') });
  expect(personIn(first, driver)?.mail.gets).toBe(false);
  expect(personIn(first, busy)).toMatchObject({ mail: YES });

  const named = await reach({ mailTo: [chooses.userId], pushTo: [chooses.userId] });
  expect(personIn(named, chooses)).toMatchObject({ mail: YES, push: YES });
  expect(personIn(named, owner)).toMatchObject({ mail: NO('not-named'), push: NO('not-named') });

  // It is what happens when such an alert comes.
  const { body } = await owner.call('POST', 'alert-rule', { name: 'Drives', trigger: { kind: 'drive' } });
  const alertNow = () =>
    addAlert(server, accountId, Number(vehicle.id), {
      ...{ kind: 'rule', severity: 'warning', event: null, rule_id: Number((body as Rule).id) },
      rule: JSON.stringify({ name: 'Drives', action: null, geofence: null }) as never,
    });
  const alertId = await alertNow();
  await spreadNotices(server.context, server.organisation, new Date());
  const mailed = await system.selectFrom('alert_mail').select('user_id').where('alert_id', '=', alertId).execute();
  const getting = first.people.filter(({ mail }) => mail.gets).map(({ id }) => id);
  expect(mailed.map(({ user_id }) => user_id).toSorted()).toEqual(getting.toSorted());
  const pushed = await system
    .selectFrom('push_delivery')
    .innerJoin('push_subscription', 'push_subscription.id', 'push_delivery.subscription_id')
    .select('user_id')
    .where('alert_id', '=', alertId)
    .execute();
  expect(pushed.map(({ user_id }) => user_id)).toEqual(
    first.people.filter(({ push }) => push?.gets).map(({ id }) => id),
  );

  expect(first.escalation).toBe(null);

  // The day's limit of one is reached now, but for critical ones.
  expect(personIn(await reach(), busy)?.mail).toEqual({ ...YES, held: 'limit' });
  expect(personIn(await reach({ severity: 'critical' }), busy)?.mail).toEqual(YES);

  await owner.call('PUT', 'notification_settings', { ...DEFAULT_NOTIFICATION_SETTINGS, mail: false });
  expect(personIn(await reach({ mailTo: [owner.userId] }), owner)?.mail).toEqual(NO('account-off'));
});

it('is for those who write rules, and names nobody and nothing of others', async () => {
  const { accountId, reach } = await company();
  const other = await company();
  const viewer = await person(server, { accountId, role: 'viewer' });
  expect((await viewer.call('POST', 'alert-rule/reach', ASKED)).status).toBe(403);
  const { owner } = await company();
  for (const fields of [
    { mailTo: [other.owner.userId] },
    { pushTo: [other.owner.userId] },
    { vehicles: { folderIds: [], deviceIds: [other.vehicle.id] } },
  ]) {
    expect((await owner.call('POST', 'alert-rule/reach', { ...ASKED, ...fields })).status).toBe(400);
  }
  expect((await reach()).people.map(({ id }) => id)).not.toContain(other.owner.userId);
});

it('[R2.08] says whom an alert reaches that nobody acknowledges, as it then happens', async () => {
  const { accountId, owner, reach, subscribe, vehicle } = await company();
  const { system } = server.context.db;
  const far = await person(server, { accountId, role: 'viewer' });
  const noMail = await person(server, { accountId, role: 'viewer', email: null });
  const other = await person(server, { accountId, role: 'viewer' });
  const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
  await limit(server.context, far, { folders: [folder] });
  // Escalations go to every browser, whatever it takes otherwise.
  await subscribe(noMail, ['info']);
  const escalation = { minutes: 1, to: [far, noMail, other].map(({ userId }) => userId) };
  const asked = await reach({ escalation });
  expect(asked.escalation).toMatchObject({ by: 'rule', minutes: 1 });
  const said = asked.escalation?.people ?? [];
  const of = ({ userId }: Person) => said.find(({ id }) => id === userId);
  expect(said).toHaveLength(3);
  expect(of(far)).toMatchObject({ seesVehicles: 0, mail: NO('sees-none'), push: NO('sees-none') });
  expect(of(noMail)).toMatchObject({ seesVehicles: 1, mail: NO('no-address'), push: YES });
  expect(of(other)).toMatchObject({ mail: YES, push: NO('no-browser') });

  const { body } = await owner.call('POST', 'alert-rule', { name: 'Drives', trigger: { kind: 'drive' }, escalation });
  const alertId = await addAlert(server, accountId, Number(vehicle.id), {
    ...{ kind: 'rule', severity: 'warning', event: null, rule_id: Number((body as Rule).id) },
    ...{ escalate_at: new Date(0), rule: JSON.stringify({ name: 'Drives', action: null, geofence: null }) as never },
  });
  await escalateAlerts(server.context, server.organisation, new Date());
  const mailed = await system
    .selectFrom('alert_mail')
    .select('user_id')
    .where('alert_id', '=', alertId)
    .where('reason', '=', 'ruleEscalated')
    .execute();
  expect(mailed.map(({ user_id }) => user_id)).toEqual(said.filter(({ mail }) => mail.gets).map(({ id }) => id));
  const pushed = await system
    .selectFrom('push_delivery')
    .innerJoin('push_subscription', 'push_subscription.id', 'push_delivery.subscription_id')
    .select('user_id')
    .where('alert_id', '=', alertId)
    .where('reason', '=', 'ruleEscalated')
    .execute();
  expect(pushed.map(({ user_id }) => user_id)).toEqual(said.filter(({ push }) => push?.gets).map(({ id }) => id));

  // A critical one without that goes to owners and admins, by email, after the account's limit.
  const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true, kinds: ['rule'], escalateAfterMinutes: 20 };
  await owner.call('PUT', 'notification_settings', settings);
  const critical = { severity: 'critical' };
  expect((await reach(critical)).escalation).toMatchObject({
    ...{ by: 'account', minutes: 20 },
    people: [{ id: owner.userId, mail: YES, push: null }],
  });
  await owner.call('PUT', 'my_notifications', { ...DEFAULT_NOTIFICATION_CHOICE, escalations: false });
  expect((await reach(critical)).escalation?.people).toMatchObject([{ mail: NO('not-chosen') }]);
  await owner.call('PUT', 'notification_settings', { ...settings, escalateAfterMinutes: null });
  expect((await reach(critical)).escalation).toBe(null);
});

it('[R2.08] says which webhooks get a rule’s alerts, and which of them are off or fail', async () => {
  const { accountId, owner, reach, vehicle } = await company();
  const { system } = server.context.db;
  const webhook = async (name: string, fields: object = {}) => {
    const hook = {
      name,
      url: 'https://hooks.example.com/alerts',
      severities: ['critical', 'warning', 'info'],
      ...fields,
    };
    const answer = await owner.call('POST', 'webhook', hook);
    expect(answer.status).toBe(201);
    return (answer.body as { id: string }).id;
  };
  expect((await reach()).webhooks).toEqual([]);
  const [all, critical, off, sos, failing] = [
    await webhook('All'),
    await webhook('Critical', { severities: ['critical'] }),
    await webhook('Off', { enabled: false }),
    await webhook('Sos', { kinds: ['sos'] }),
    await webhook('Failing'),
  ];
  const getsIt = async (fields: object = {}) =>
    (await reach(fields)).webhooks.map(({ failing: failure, name, why }) => [name, why ?? failure]);
  // Nothing was sent yet.
  expect(await getsIt()).toEqual([
    ...[
      ['All', null],
      ['Critical', 'severity'],
      ['Failing', null],
    ],
    ...[
      ['Off', 'off'],
      ['Sos', 'kind'],
    ],
  ]);
  const tried = (id: string, state: 'delivered' | 'waiting' | 'failed', failure: string | null, at: number) =>
    system
      .insertInto('webhook_delivery')
      .values({
        ...{ account_id: accountId, webhook_id: Number(id), alert_id: null, state, failure, tries: 1 },
        ...{ noted_at: new Date(at), tried_at: new Date(at), next_at: state === 'waiting' ? new Date() : null },
      } as never)
      .execute();
  await tried(failing, 'delivered', null, 1);
  await tried(failing, 'failed', 'refused', 2);
  await tried(all, 'failed', 'timeout', 1);
  await tried(all, 'delivered', null, 2);
  await tried(all, 'waiting', null, 3);
  expect(await getsIt({ webhookIds: [failing, off, critical] })).toEqual([
    ...[
      ['All', 'not-named'],
      ['Critical', null],
      ['Failing', 'refused'],
    ],
    ...[
      ['Off', 'off'],
      ['Sos', 'not-named'],
    ],
  ]);
  // A built-in one is of another kind.
  expect((await getsIt({ kind: 'sos' })).at(-1)).toEqual(['Sos', null]);

  // It is where an alert goes.
  const before = (await reach({ webhookIds: [critical, off, sos] })).webhooks.filter(({ gets }) => gets);
  const fields = { name: 'Drives', trigger: { kind: 'drive' }, webhookIds: [critical, off, sos] };
  const { body } = await owner.call('POST', 'alert-rule', fields);
  const alertId = await addAlert(server, accountId, Number(vehicle.id), {
    ...{ kind: 'rule', severity: 'warning', event: null, rule_id: Number((body as Rule).id) },
    rule: JSON.stringify({ name: 'Drives', action: null, geofence: null }) as never,
  });
  const queued = await system
    .selectFrom('webhook_delivery')
    .select('webhook_id')
    .where('alert_id', '=', alertId)
    .execute();
  expect(queued.map(({ webhook_id }) => String(webhook_id)).toSorted()).toEqual(before.map(({ id }) => id).toSorted());

  // Its address was allowed once.
  await system.updateTable('webhook').set({ url: 'https://10.0.0.1/alerts' }).where('id', '=', Number(sos)).execute();
  expect((await getsIt({ kind: 'sos' })).at(-1)).toEqual(['Sos', 'address-refused']);

  // Whoever can't read webhooks sees how many there are.
  const dispatcher = await person(server, { accountId, role: 'dispatcher' });
  const { webhooks } = await reach({}, dispatcher);
  expect(webhooks.map(({ name }) => name)).toEqual([null, null, null, null, null]);
  const elsewhere = await company();
  expect((await elsewhere.owner.call('POST', 'alert-rule/reach', { ...ASKED, webhookIds: [all] })).status).toBe(400);
});
