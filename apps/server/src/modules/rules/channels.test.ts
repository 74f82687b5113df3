import { DEFAULT_NOTIFICATION_SETTINGS, type Rule } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startDeliveries } from '../../../testing/deliveries.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { type Mailbox, readMail } from '../../../testing/mailbox.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { pushBrowser } from '../../../testing/push-browser.ts';
import type { WebhookReceiver } from '../../../testing/webhook-receiver.ts';
import { escalateAlerts } from './escalations.ts';
import { sendNoiseReports } from './noise-report.ts';

/** To whom a rule's alerts go, and to whom if nobody acknowledges them: over a real mail server and a push service. */

vi.setConfig({ testTimeout: 60_000 });

let mailbox: Mailbox;
let service: WebhookReceiver;
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, server, service, close } = await startDeliveries());
});
afterAll(() => close());

const MINUTE = 60_000;
let owner: Person;
let nora: Person;
let truck: number;
let seen = 0;
beforeEach(async () => {
  await server.context.db.system.deleteFrom('alert').execute();
  owner = await person(server);
  nora = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
  const body = { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true };
  expect((await owner.call('PUT', 'notification_settings', body)).status).toBe(200);
  seen = mailbox.mails.length;
});

let made = 0;
async function rule(fields: object): Promise<Rule> {
  const body = { name: `Rule ${++made}`, trigger: { kind: 'drive' }, severity: 'info', ...fields };
  const answer = await owner.call('POST', 'alert-rule', body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body as Rule;
}
const alertOf = (of: Rule, fields: object = {}) =>
  addAlert(server, owner.accountId, truck, {
    ...{ kind: 'rule', severity: 'info', event: null, rule_id: Number(of.id) },
    rule: JSON.stringify({ name: of.name, action: null, geofence: null }) as never,
    ...fields,
  });
async function subscribe(by: Person): Promise<number> {
  const { auth, p256dh } = pushBrowser();
  const endpoint = `${service.url}/send/${++made}`;
  const answer = await by.call('POST', 'push_subscription', { endpoint, p256dh, auth, severities: ['critical'] });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return Number((answer.body as { id: string }).id);
}
const pushes = async () =>
  (await server.context.db.system.selectFrom('push_delivery').selectAll().execute()).map(row => [
    row.subscription_id,
    row.reason,
  ]);
const mails = async (at: number) => {
  await server.notifications.look(new Date(at));
  await server.notifications.look(new Date(at + 15_000));
  const came = mailbox.mails.slice(seen).map(mail => ({ to: mail.to[0], ...readMail(mail) }));
  seen = mailbox.mails.length;
  return came;
};

describe('alerts of a rule', () => {
  it('go by push to those it names, whatever severities they chose, and otherwise to those who chose theirs', async () => {
    await subscribe(owner);
    const noras = await subscribe(nora);
    await alertOf(await rule({}));
    expect(await pushes()).toEqual([]);
    await alertOf(await rule({ pushTo: [nora.userId] }));
    expect(await pushes()).toEqual([[noras, 'opened']]);
  });

  it('go to the webhooks it names, or to those that take alerts from rules', async () => {
    const hook = async (severities: ('critical' | 'warning' | 'info')[]) => {
      const row = { account_id: owner.accountId, name: `Hook ${++made}`, url: `${service.url}/${made}` };
      const { id } = await server.context.db.system
        .insertInto('webhook')
        .values({ ...row, severities, kinds: null, is_on: true, created_by: owner.userId })
        .returning('id')
        .executeTakeFirstOrThrow();
      return String(id);
    };
    const [all, critical] = [await hook(['critical', 'warning', 'info']), await hook(['critical'])];
    const goesTo = async (webhookIds: string[] | null) => {
      const id = await alertOf(await rule({ webhookIds }));
      const { system } = server.context.db;
      const rows = await system.selectFrom('webhook_delivery').selectAll().where('alert_id', '=', id).execute();
      return rows.map(row => String(row.webhook_id));
    };
    expect(await goesTo(null)).toEqual([all]);
    expect(await goesTo([critical])).toEqual([critical]);
    expect(await goesTo([])).toEqual([]);
    const stranger = await person(server);
    const foreign = { name: 'Wrong', trigger: { kind: 'drive' }, pushTo: [stranger.userId] };
    expect((await owner.call('POST', 'alert-rule', foreign)).body).toMatchObject({ errors: [{ field: 'pushTo' }] });
    const hooks = { name: 'Wrong', trigger: { kind: 'drive' }, webhookIds: ['1999999999'] };
    expect((await owner.call('POST', 'alert-rule', hooks)).body).toMatchObject({ errors: [{ field: 'webhookIds' }] });
  });

  it('belong to whoever creates it, unless it names an owner', async () => {
    expect(await rule({})).toMatchObject({ ownerId: owner.userId, pushTo: null, webhookIds: null, escalation: null });
    expect(await rule({ ownerId: nora.userId })).toMatchObject({ ownerId: nora.userId });
    expect(await rule({ ownerId: null })).toMatchObject({ ownerId: null });
  });
});

describe('[R7.37] alerts about the distance to another vehicle', () => {
  it('name it by email, push and webhook, but not to those who don’t see it', async () => {
    const crane = await addNamedVehicle(server, owner.accountId, 'Crane 7');
    const { system } = server.context.db;
    const folder = ((await owner.call('POST', 'folder', { name: `Trucks ${++made}` })).body as { id: string }).id;
    await system
      .updateTable('vehicle')
      .set({ folder_id: Number(folder) })
      .where('id', '=', truck)
      .execute();
    await limit(server.context, nora, { folders: [folder] });
    await server.directory.settled();
    const row = { account_id: owner.accountId, name: `Hook ${++made}`, url: `${service.url}/other`, kinds: null };
    await system
      .insertInto('webhook')
      .values({ ...row, severities: ['info'], is_on: true, created_by: owner.userId })
      .returning('id')
      .execute()
      .then(([hook]) =>
        system
          .insertInto('webhook_secret')
          .values({ webhook_id: hook?.id ?? 0, account_id: owner.accountId, secret: 'whsec' })
          .execute(),
      );
    const people = [owner.userId, nora.userId];
    const watched = await rule({ mailTo: people, message: '{vehicle} is close to {other}.' });
    const other = { id: Number(crane.id), name: 'Crane 7' };
    const id = await alertOf(watched, {
      rule: JSON.stringify({
        name: watched.name,
        action: null,
        geofence: null,
        message: watched.message,
        other,
      }) as never,
    });
    const came = await mails(Date.now() + 20_000);
    const [owners, noras] = [owner, nora].map(({ email }) => came.find(({ to }) => to === email)?.body);
    expect(owners).toContain('4127 is close to Crane 7.');
    expect(owners).toContain('other vehicle: Crane 7');
    expect(noras).toContain('4127 is close to –.');
    expect(noras).not.toContain('Crane 7');
    await server.webhooks.look(new Date(Date.now() + 1000));
    const posted = service.posts.findLast(({ path }) => path === '/other');
    expect(JSON.parse(posted?.body ?? '{}')).toMatchObject({
      message: '4127 is close to Crane 7.',
      alert: { id, rule: { other: { deviceId: crane.id, name: 'Crane 7' } } },
    });
  });
});

describe('the message of a rule', () => {
  it('is filled in the reader’s language and units by email, and in the account’s by webhook', async () => {
    const message = '{vehicle} left {geofence}, {measured}, {time}. {driver}';
    const watched = await rule({ mailTo: [nora.userId], message });
    expect(watched.message).toBe(message);
    const { system } = server.context.db;
    await system
      .updateTable('app_user')
      .set({ preferences: JSON.stringify({ language: 'fr', timeZone: 'Europe/Paris', distanceUnit: 'km' }) })
      .where('id', '=', nora.userId)
      .execute();
    const row = { account_id: owner.accountId, name: `Hook ${++made}`, url: `${service.url}/message`, kinds: null };
    await system
      .insertInto('webhook')
      .values({ ...row, severities: ['info'], is_on: true, created_by: owner.userId })
      .returning('id')
      .execute()
      .then(([hook]) =>
        system
          .insertInto('webhook_secret')
          .values({ webhook_id: hook?.id ?? 0, account_id: owner.accountId, secret: 'whsec' })
          .execute(),
      );
    const at = new Date('2026-11-18T08:11:00Z');
    const told = { name: watched.name, action: null, geofence: 'Depot North', message };
    await alertOf(watched, { opened_at: at, figures: JSON.stringify({ speed: 25 }), rule: JSON.stringify(told) });
    const [mail] = await mails(Date.now());
    expect(mail?.body).toMatch(/\n4127 left Depot North, 90 km\/h, mer\. 18 nov\..* 09:11 .*\. –\n/);
    await server.webhooks.look(new Date(Date.now() + 1000));
    const posted = service.posts.findLast(({ path }) => path === '/message');
    expect(JSON.parse(posted?.body ?? '{}').message).toMatch(/^4127 left Depot North, 56 mph, Wed, Nov 18, 02:11 .*–$/);
  });

  it('names nothing but tags', async () => {
    const wrong = await owner.call('POST', 'alert-rule', {
      name: 'X',
      trigger: { kind: 'drive' },
      message: '{speeed}',
    });
    expect(wrong.body).toMatchObject({ errors: [{ field: 'message', code: 'unknown-tag' }] });
  });
});

describe('the sentence of a rule', () => {
  const versionOf = async (of: Rule) => {
    const { system } = server.context.db;
    return (await system.selectFrom('rule').select('version').where('id', '=', Number(of.id)).executeTakeFirstOrThrow())
      .version;
  };
  const told = async (of: Rule) =>
    JSON.stringify({ name: of.name, action: null, geofence: null, version: await versionOf(of) });

  it('is in the email and the push notification, in the reader’s language and units, as the page has it', async () => {
    const browser = pushBrowser();
    const endpoint = `${service.url}/sentence`;
    const subscription = { endpoint, p256dh: browser.p256dh, auth: browser.auth, severities: ['info'] };
    expect((await nora.call('POST', 'push_subscription', subscription)).status).toBe(201);
    const preferences = JSON.stringify({ language: 'fr', distanceUnit: 'km' });
    const { system } = server.context.db;
    await system.updateTable('app_user').set({ preferences }).where('id', '=', nora.userId).execute();
    const watched = await rule({
      trigger: { kind: 'speed', kmh: 110, seconds: 30 },
      vehicles: { folderIds: [], deviceIds: [String(truck)] },
      mailTo: [owner.userId, nora.userId],
    });
    await alertOf(watched, { rule: await told(watched) });
    const came = await mails(Date.now());
    const of = (who: Person) => came.find(({ to }) => to === who.email)?.body ?? '';
    expect(of(owner)).toMatch(
      /When 4127 goes faster than 68.mph for more than 30 s anywhere at any hour, .* nobody else/,
    );
    expect(of(nora)).toMatch(/Quand 4127 roule à plus de 110.km\/h pendant plus de 30 s /);
    await server.push.look(new Date(Date.now() + 1000));
    const posted = service.posts.findLast(({ path }) => path === '/sentence');
    expect(JSON.parse(browser.read(posted?.bytes ?? Buffer.alloc(0))).body).toMatch(/\nQuand 4127 roule .* heure\.$/);
  });

  it('of a built-in alert is in the email, in the reader’s language, with what its account changed', async () => {
    const change = { mailTo: [owner.userId, nora.userId], severity: 'warning', repeatMinutes: 30 };
    expect((await owner.call('PATCH', 'built-in-rule/doorOpen', change)).status).toBe(200);
    const { system } = server.context.db;
    const preferences = JSON.stringify({ language: 'es' });
    await system.updateTable('app_user').set({ preferences }).where('id', '=', nora.userId).execute();
    await server.context.feed.settled();
    await addAlert(server, owner.accountId, truck, { kind: 'doorOpen', severity: 'warning', event: 'doorOpen' });
    const came = await mails(Date.now());
    const of = (who: Person) => came.find(({ to }) => to === who.email)?.body ?? '';
    expect(of(owner)).toMatch(/When the tracker of any vehicle reports “Door opened” .* at most once in 30 min/);
    expect(of(nora)).toMatch(/Cuando el rastreador de .* informa .* 30 min/);
  });

  it('names only what the reader sees, and is left out once the rule says something else', async () => {
    const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
    const other = Number((await addNamedVehicle(server, owner.accountId, 'Secret')).id);
    const { system } = server.context.db;
    await system
      .updateTable('vehicle')
      .set({ folder_id: Number(folder) })
      .where('id', '=', truck)
      .execute();
    await server.context.feed.settled();
    await limit(server.context, nora, { folders: [folder] });
    const vehicles = { folderIds: [], deviceIds: [String(truck), String(other)] };
    const watched = await rule({ vehicles, mailTo: [nora.userId] });
    const version = await told(watched);
    await alertOf(watched, { rule: version });
    const [mail] = await mails(Date.now());
    expect(mail?.body).toContain('When 4127 drives anywhere at any hour');
    expect(mail?.body).not.toMatch(/Secret|1 other/);
    expect((await owner.call('PATCH', `alert-rule/${watched.id}`, { trigger: { kind: 'tow' } })).status).toBe(200);
    await alertOf(watched, { rule: version });
    const [later] = await mails(Date.now() + 120_000);
    expect(later?.body).toContain('4127');
    expect(later?.body).not.toContain('When ');
  });
});

describe('an alert that nobody acknowledges', () => {
  const escalation = () => ({ minutes: 10, to: [nora.userId] });

  it('goes to others by email and push, once, however many servers look, and says so', async () => {
    const noras = await subscribe(nora);
    const now = Date.now();
    const watched = await rule({ escalation: escalation(), mailTo: [] });
    const id = await alertOf(watched, { escalate_at: new Date(now + 10 * MINUTE) });
    const look = (at: number) => escalateAlerts(server.context, server.organisation, new Date(at));
    await look(now + 9 * MINUTE);
    expect([await pushes(), await mails(now + 9 * MINUTE)]).toEqual([[], []]);
    await Promise.all([look(now + 10 * MINUTE), look(now + 10 * MINUTE)]);
    await look(now + 30 * MINUTE);
    expect(await pushes()).toEqual([[noras, 'ruleEscalated']]);
    const [mail, ...others] = await mails(now + 11 * MINUTE);
    expect(others).toEqual([]);
    expect(mail?.to).toBe(nora.email);
    expect(mail?.subject).toBe(`Not acknowledged: Info · ${watched.name} · 4127`);
    expect(mail?.body).toContain('Nobody has acknowledged it yet.');
    const { body } = await owner.call('GET', 'alert');
    const [shown] = (body as { alerts: { id: string; escalation: unknown }[] }).alerts;
    const at = new Date(now + 10 * MINUTE).toISOString();
    expect(shown).toMatchObject({ id, escalation: { at, to: [expect.any(String)] } });
  });

  it('goes to nobody once someone has acknowledged it, or to those who may not see the vehicle', async () => {
    const watched = await rule({ escalation: escalation(), mailTo: [] });
    const due = { escalate_at: new Date(Date.now() - MINUTE) };
    const id = await alertOf(watched, due);
    expect((await nora.call('POST', 'alert/acknowledge', { ids: [id] })).status).toBe(200);
    await escalateAlerts(server.context, server.organisation, new Date());
    expect(await mails(Date.now() + MINUTE)).toEqual([]);
    const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
    await limit(server.context, nora, { folders: [folder] });
    const other = await alertOf(watched, due);
    await escalateAlerts(server.context, server.organisation, new Date());
    expect(await mails(Date.now() + MINUTE)).toEqual([]);
    const row = await server.context.db.system
      .selectFrom('alert')
      .selectAll()
      .where('id', '=', other)
      .executeTakeFirst();
    expect(row).toMatchObject({ escalate_at: null, escalation: { to: [] } });
  });
});

describe('the weekly email on rules that nobody acts on', () => {
  /** A Monday, 09:00 in Chicago. */
  const MONDAY = Date.UTC(2026, 10, 23, 15);
  const HOUR = 60 * MINUTE;
  const report = async (at: number) => {
    await sendNoiseReports(server.context, server.organisation, new Date(at));
    const came = mailbox.mails.slice(seen).map(mail => ({ to: mail.to[0], ...readMail(mail) }));
    seen = mailbox.mails.length;
    return came.filter(({ to }) => to === owner.email || to === nora.email);
  };

  it('goes to each rule’s owner on Monday mornings, once, with what was and was not acknowledged', async () => {
    const ignored = await rule({ ownerId: nora.userId, name: `Ignored ${made}`, isOn: true });
    const heeded = await rule({ ownerId: nora.userId, name: `Heeded ${made}`, isOn: true });
    const of = (watched: Rule, fields = {}) => alertOf(watched, { opened_at: new Date(MONDAY - 30 * HOUR), ...fields });
    const acknowledged = { acknowledged_at: new Date(MONDAY - 29 * HOUR), acknowledged_by: owner.userId };
    for (let i = 0; i < 3; i++) await of(ignored);
    await of(heeded, acknowledged);
    await of(heeded);
    expect(await report(MONDAY - 3 * HOUR)).toEqual([]);
    expect(await report(MONDAY + 24 * HOUR)).toEqual([]);
    const [mail, ...others] = await report(MONDAY);
    expect(others).toEqual([]);
    expect(mail?.to).toBe(nora.email);
    expect(mail?.subject).toBe('A rule that nobody acts on');
    expect(mail?.body).toContain(`${ignored.name}: 3 alerts, 0 acknowledged`);
    expect(mail?.body).toContain(`/rules?open=${ignored.id}`);
    expect(mail?.body).not.toContain(heeded.name);
    expect(mail?.body).toMatch(/You got \d+ alerts? by email in these 7 days/);
    expect(await report(MONDAY + HOUR)).toEqual([]);
  });

  it('counts only vehicles that the owner sees, and falls to owners and admins if nobody owns the rule', async () => {
    const watched = await rule({ ownerId: nora.userId, isOn: true });
    const orphan = await rule({ ownerId: null, isOn: true });
    for (const each of [watched, orphan]) await alertOf(each, { opened_at: new Date(MONDAY - HOUR) });
    const { id: folder } = (await owner.call('POST', 'folder', { name: 'South' })).body as { id: string };
    await limit(server.context, nora, { folders: [folder] });
    const came = await report(MONDAY);
    expect(came.map(({ to }) => to)).toEqual([owner.email]);
    expect(came[0]?.body).toContain(orphan.name);
    expect(came[0]?.body).not.toContain(watched.name);
  });
});
