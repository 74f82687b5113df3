import { type AlertDelivery, DEFAULT_NOTIFICATION_SETTINGS, type Rule } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startDeliveries } from '../../../testing/deliveries.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import type { Mailbox } from '../../../testing/mailbox.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { pushBrowser } from '../../../testing/push-browser.ts';
import type { WebhookReceiver } from '../../../testing/webhook-receiver.ts';
import { newSecret } from '../webhooks/signature.ts';
import { escalateAlerts } from './escalations.ts';

/** Rules that are quiet for a while, and what an alert says of whom it reached: over a mail server and a push service. */

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
const WAIT = { timeout: 20_000, interval: 50 };
let owner: Person;
let nora: Person;
let truck: number;
let named: Rule;
let made = 0;
beforeEach(async () => {
  await server.context.db.system.deleteFrom('alert').execute();
  owner = await person(server);
  nora = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
  const body = { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true };
  expect((await owner.call('PUT', 'notification_settings', body)).status).toBe(200);
  const people = [owner.userId, nora.userId];
  const fields = { mailTo: people, pushTo: people, escalation: { minutes: 15, to: people } };
  const rule = { name: `Rule ${++made}`, trigger: { kind: 'drive' }, severity: 'critical', ...fields };
  named = (await owner.call('POST', 'alert-rule', rule)).body as Rule;
  for (const each of [owner, nora]) {
    const { auth, p256dh } = pushBrowser();
    const endpoint = `${service.url}/send/${++made}`;
    const answer = await each.call('POST', 'push_subscription', { endpoint, p256dh, auth, severities: ['critical'] });
    expect(answer.status).toBe(201);
  }
  const { id } = await server.context.db.system
    .insertInto('webhook')
    .values({
      ...{ account_id: owner.accountId, name: 'Guard', url: `${service.url}/guard`, kinds: null, is_on: true },
      ...{ severities: ['critical'], created_by: owner.userId },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const secret = { webhook_id: id, account_id: owner.accountId, secret: newSecret() };
  await server.context.db.system.insertInto('webhook_secret').values(secret).execute();
});

const alertOf = (fields: object = {}) =>
  addAlert(server, owner.accountId, truck, {
    ...{ kind: 'rule', severity: 'critical', event: null, rule_id: Number(named.id) },
    escalate_at: new Date(Date.now() + 15 * MINUTE),
    rule: JSON.stringify({ name: named.name, action: null, geofence: null }) as never,
    ...fields,
  });
const mute = (by: Person, who: 'mute' | 'my_mute', until: string | null = null) =>
  by.call('PUT', `alert-rule/${named.id}/${who}`, { mute: { until } });
const unmute = (by: Person, who: 'mute' | 'my_mute') => by.call('PUT', `alert-rule/${named.id}/${who}`, { mute: null });
const deliveries = async (by: Person, id: string) => {
  const answer = await by.call('GET', `alert/${id}/delivery`);
  return { status: answer.status, ...(answer.body as { deliveries: AlertDelivery[]; others: number }) };
};
const shortly = ({ deliveries: all }: { readonly deliveries: readonly AlertDelivery[] }) =>
  all.map(({ name, reason, state, via }) => `${via} ${name} ${reason} ${state}`).toSorted();
const openOf = async (by: Person) =>
  ((await by.call('GET', 'alert?open=true')).body as { alerts: { id: string; muted: boolean }[] }).alerts;
const escalate = (after: number) =>
  escalateAlerts(server.context, server.organisation, new Date(Date.now() + after * MINUTE));

describe('a rule that is muted', () => {
  it('for everyone still writes its alerts, and they notify nobody, later neither', async () => {
    const until = new Date(Date.now() + 60 * MINUTE).toISOString();
    const answer = await mute(owner, 'mute', until);
    expect(answer).toMatchObject({
      status: 200,
      body: { mutes: { everyone: { until, by: owner.userName }, me: null } },
    });
    const id = await alertOf();
    expect(await openOf(nora)).toMatchObject([{ id, muted: true }]);
    await server.notifications.look();
    await escalate(120);
    expect(await deliveries(owner, id)).toEqual({ status: 200, deliveries: [], others: 0 });
    await unmute(owner, 'mute');
    await server.notifications.look();
    await escalate(120);
    expect((await deliveries(owner, id)).deliveries).toEqual([]);
    const heard = await alertOf();
    await server.notifications.look();
    expect(shortly(await deliveries(owner, heard))).toEqual(
      [
        ...[nora, owner].flatMap(({ userName }) => [
          `mail ${userName} opened waiting`,
          `push ${userName} opened waiting`,
        ]),
        'webhook Guard opened waiting',
      ].toSorted(),
    );
  });

  it('for one user notifies the others', async () => {
    expect((await mute(nora, 'my_mute')).body).toEqual({ me: expect.objectContaining({ until: null }) });
    const [others] = (await owner.call('GET', 'alert-rule')).body as Rule[];
    expect(others?.mutes).toEqual({ everyone: null, me: null });
    const id = await alertOf();
    await server.notifications.look();
    await vi.waitFor(async () => {
      await server.push.look(new Date(Date.now() + 1000));
      const { deliveries: all } = await deliveries(owner, id);
      expect(all.filter(({ via }) => via === 'push')).toMatchObject([{ userId: owner.userId, state: 'sent' }]);
    }, WAIT);
    await escalate(16);
    const told = (await deliveries(owner, id)).deliveries;
    expect(told.filter(({ userId }) => userId === nora.userId)).toEqual([]);
    expect(told.filter(({ reason }) => reason === 'ruleEscalated').map(({ via }) => via)).toEqual(['mail', 'push']);
    const { escalation } = (await openOf(owner))[0] as unknown as { escalation: { to: string[] } };
    expect(escalation.to).toEqual([owner.userName]);
    expect(await openOf(nora)).toMatchObject([{ id, muted: false }]);
  });

  it('ends by itself, without anything that runs', async () => {
    await mute(owner, 'mute', new Date(Date.now() + MINUTE).toISOString());
    await mute(nora, 'my_mute', new Date(Date.now() + MINUTE).toISOString());
    const past = new Date(Date.now() - 1000);
    await server.context.db.system.updateTable('rule_mute').set({ ends_at: past }).execute();
    const [rule] = (await nora.call('GET', 'alert-rule')).body as Rule[];
    expect(rule?.mutes).toEqual({ everyone: null, me: null });
    const id = await alertOf();
    await server.notifications.look();
    expect((await deliveries(owner, id)).deliveries).toHaveLength(5);
  });

  it('while an email waits sends no email, and escalates nothing', async () => {
    const id = await alertOf();
    await server.notifications.look();
    await mute(owner, 'mute');
    await escalate(20);
    const came = mailbox.mails.length;
    await server.notifications.look(new Date(Date.now() + 15_000));
    expect(mailbox.mails.length).toBe(came);
    await unmute(owner, 'mute');
    await escalate(20);
    expect(shortly(await deliveries(owner, id)).filter(each => each.includes('scalated'))).toEqual([]);
  });

  it('says so where it is asked whom it reaches', async () => {
    const ask = async () =>
      (
        await owner.call('POST', 'alert-rule/reach', {
          ...{ severity: 'critical', vehicles: null, mailTo: null, pushTo: null, ruleId: named.id },
        })
      ).body;
    await mute(nora, 'my_mute');
    const people = (one: unknown) => (one as { people: { id: string; push: object }[] }).people;
    const pushOf = (one: unknown, { userId }: Person) => people(one).find(({ id }) => id === userId)?.push;
    const forNora = await ask();
    expect(pushOf(forNora, nora)).toMatchObject({ gets: false, why: 'muted' });
    expect(pushOf(forNora, owner)).toMatchObject({ gets: true });
    await mute(owner, 'mute');
    const all = await ask();
    expect(all).toMatchObject({ isMuted: true, webhooks: [{ gets: false, why: 'muted' }] });
    expect(pushOf(all, owner)).toMatchObject({ gets: false, why: 'muted' });
  });

  it('is in the audit log, and refused for a time that is over', async () => {
    const until = new Date(Date.now() + 60 * MINUTE).toISOString();
    await mute(nora, 'my_mute', until);
    await mute(nora, 'my_mute', until);
    await mute(owner, 'mute');
    await unmute(owner, 'mute');
    const entries = (await owner.call('GET', `audit?targetId=${named.id}&action=rule`)).body as object[];
    expect(entries).toMatchObject({
      entries: [
        { action: 'rule.unmuted', changes: [{ field: 'muteForEveryone', from: 'always', to: null }] },
        { action: 'rule.muted', changes: [{ field: 'muteForEveryone', from: null, to: 'always' }] },
        { action: 'rule.muted', changes: [{ field: 'muteForMe', from: null, to: until }], userName: nora.userName },
        { action: 'rule.created' },
      ],
    });
    const over = await mute(owner, 'mute', new Date(Date.now() - MINUTE).toISOString());
    expect(over).toMatchObject({ status: 400, body: { errors: [{ field: 'mute', code: 'mute-in-past' }] } });
  });

  it('for everyone by those who write rules alone, for oneself by anyone, who learns nothing of the rule', async () => {
    const viewer = await person(server, { accountId: owner.accountId, role: 'viewer' });
    const driver = await person(server, { accountId: owner.accountId, role: 'driver' });
    expect((await mute(viewer, 'mute')).status).toBe(403);
    expect((await mute(viewer, 'my_mute')).status).toBe(200);
    const mine = await mute(driver, 'my_mute');
    expect(mine).toMatchObject({ status: 200, body: { me: { until: null } } });
    expect(mine.text).not.toContain(named.name);
    expect((await nora.call('PUT', 'built-in-rule/sos/mute', { mute: { until: null } })).status).toBe(403);
  });

  it('built in, is quiet about all alerts of its kind', async () => {
    const answer = await owner.call('PUT', 'built-in-rule/sos/mute', { mute: { until: null } });
    expect(answer).toMatchObject({ status: 200, body: { kind: 'sos', changedAt: null, mutes: { me: null } } });
    const sos = await alertOf({ kind: 'sos', rule_id: null, rule: null });
    const crash = await alertOf({ kind: 'crash', rule_id: null, rule: null });
    await server.notifications.look();
    expect((await deliveries(owner, sos)).deliveries).toEqual([]);
    expect((await deliveries(owner, crash)).deliveries.length).toBeGreaterThan(0);
    const request = { mute: { until: null } };
    expect((await owner.call('PUT', 'built-in-rule/secondPerson/mute', request)).status).toBe(404);
  });
});

describe('a vehicle that is muted', () => {
  const muteVehicle = (by: Person, about: string | null, until: string | null = null, id = truck) =>
    by.call('PUT', `device/${id}/alert_mute`, { about, mute: { until } });
  const unmuteVehicle = (by: Person, about: string | null) =>
    by.call('PUT', `device/${truck}/alert_mute`, { about, mute: null });
  const listed = async (by: Person) => (await by.call('GET', 'alert/mute')).body;
  const reached = async (id: string) => (await deliveries(owner, id)).deliveries.length;

  it('still has its alerts written, which notify nobody, later neither; other vehicles and an SOS do', async () => {
    const until = new Date(Date.now() + 60 * MINUTE).toISOString();
    const answer = await muteVehicle(nora, null, until);
    const said = { deviceId: String(truck), deviceName: '4127', about: null, name: null, until, by: nora.userName };
    expect(answer).toMatchObject({ status: 200, body: [said] });
    const other = Number((await addNamedVehicle(server, owner.accountId, '4128')).id);
    const muted = [await alertOf(), await alertOf({ kind: 'powerCut', rule_id: null, rule: null })];
    const sos = await alertOf({ kind: 'sos', rule_id: null, rule: null });
    const elsewhere = await alertOf({ vehicle_id: other });
    const open = new Map((await openOf(nora)).map(({ id, muted: isMuted }) => [id, isMuted]));
    expect([...muted, sos, elsewhere].map(id => open.get(id))).toEqual([true, true, false, false]);
    await server.notifications.look();
    await escalate(120);
    await unmuteVehicle(nora, null);
    await server.notifications.look();
    await escalate(120);
    for (const id of muted) expect(await reached(id)).toBe(0);
    for (const id of [sos, elsewhere]) expect(await reached(id)).toBeGreaterThan(0);
    const heard = await alertOf();
    await server.notifications.look();
    expect(await reached(heard)).toBe(5);
  });

  it('for one rule, or one built-in alert, goes on with all others', async () => {
    expect((await muteVehicle(nora, named.id)).body).toMatchObject([{ about: named.id, name: named.name }]);
    expect((await muteVehicle(nora, 'sos')).body).toMatchObject([{ about: named.id }, { about: 'sos', name: null }]);
    const quiet = [await alertOf(), await alertOf({ kind: 'sos', rule_id: null, rule: null })];
    const crash = await alertOf({ kind: 'crash', rule_id: null, rule: null });
    await server.notifications.look();
    for (const id of quiet) expect(await reached(id)).toBe(0);
    expect(await reached(crash)).toBeGreaterThan(0);
    await owner.call('DELETE', `alert-rule/${named.id}`);
    expect(await listed(nora)).toMatchObject([{ about: 'sos' }]);
  });

  it('ends by itself, without anything that runs', async () => {
    await muteVehicle(nora, null, new Date(Date.now() + MINUTE).toISOString());
    const past = new Date(Date.now() - 1000);
    await server.context.db.system.updateTable('vehicle_mute').set({ ends_at: past }).execute();
    expect(await listed(nora)).toEqual([]);
    const id = await alertOf();
    await server.notifications.look();
    expect(await reached(id)).toBe(5);
  });

  it('while an email waits sends no email, and escalates nothing', async () => {
    const id = await alertOf();
    await server.notifications.look();
    await muteVehicle(nora, null);
    await escalate(20);
    const came = mailbox.mails.length;
    await server.notifications.look(new Date(Date.now() + 15_000));
    expect(mailbox.mails.length).toBe(came);
    await unmuteVehicle(nora, null);
    await escalate(20);
    expect(shortly(await deliveries(owner, id)).filter(each => each.includes('scalated'))).toEqual([]);
  });

  it('is left out where it is asked whom a rule reaches', async () => {
    const ask = async () => {
      const vehicles = { folderIds: [], deviceIds: [String(truck)] };
      const asked = { severity: 'critical', vehicles, mailTo: null, pushTo: null, ruleId: named.id };
      return (await owner.call('POST', 'alert-rule/reach', asked)).body;
    };
    const quiet = { gets: false, why: 'vehicles-muted' };
    await muteVehicle(nora, null);
    expect(await ask()).toMatchObject({
      ...{ isMuted: false, webhooks: [quiet] },
      people: [{ push: quiet }, { push: quiet }],
    });
    await unmuteVehicle(nora, null);
    expect(await ask()).toMatchObject({ webhooks: [{ gets: true }], people: [{ push: { gets: true } }, {}] });
  });

  it('is in the audit log and the change feed, and refused for a time that is over', async () => {
    const until = new Date(Date.now() + 60 * MINUTE).toISOString();
    await muteVehicle(nora, null, until);
    await muteVehicle(nora, null, until);
    await muteVehicle(nora, named.id);
    await unmuteVehicle(owner, named.id);
    const { body } = await owner.call('GET', `audit?targetId=${truck}&action=vehicle`);
    const which = { field: 'mutedAlerts', from: null, to: named.name };
    expect((body as { entries: object[] }).entries.slice(0, 3)).toMatchObject([
      { action: 'vehicle.unmuted', changes: [{ field: 'muteOfRule', from: 'always', to: null }, which] },
      { action: 'vehicle.muted', changes: [{ field: 'muteOfRule', from: null, to: 'always' }, which] },
      {
        ...{ action: 'vehicle.muted', targetName: '4127', userName: nora.userName },
        changes: [{ field: 'muteOfAlerts', from: null, to: until }],
      },
    ]);
    const { rows: told } = await server.context.db.pool.query<{ how: string; thing: string }>(
      "select how, thing from change where kind = 'vehicle-mute' and vehicle_id = $1 order by id",
      [truck],
    );
    expect(told.map(({ how, thing }) => `${how} ${thing}`)).toEqual(
      // The same mute again is the end of the first one.
      ['made', 'gone', 'made', 'made', 'gone'].map(how => `${how} ${truck}`),
    );
    const over = await muteVehicle(owner, null, new Date(Date.now() - MINUTE).toISOString());
    expect(over).toMatchObject({ status: 400, body: { errors: [{ field: 'mute', code: 'mute-in-past' }] } });
  });

  it('by those who acknowledge alerts and have the vehicle; a rule of others is not found', async () => {
    const viewer = await person(server, { accountId: owner.accountId, role: 'viewer' });
    expect((await muteVehicle(viewer, null)).status).toBe(403);
    const stranger = await person(server);
    expect((await muteVehicle(stranger, null)).status).toBe(404);
    const theirs = Number((await addNamedVehicle(server, stranger.accountId, '1')).id);
    expect((await muteVehicle(stranger, named.id, null, theirs)).status).toBe(404);
    expect((await muteVehicle(nora, 'secondPerson')).status).toBe(400);
    await muteVehicle(nora, null);
    expect(await listed(viewer)).toHaveLength(1);
    expect(await listed(stranger)).toEqual([]);
    const folder = ((await owner.call('POST', 'folder', { name: `Trucks ${++made}` })).body as { id: string }).id;
    await limit(server.context, nora, { folders: [folder] });
    expect(await listed(nora)).toEqual([]);
    expect((await muteVehicle(nora, null)).status).toBe(404);
  });
});

describe('whom an alert reached', () => {
  it('is said with how, when and what came of it', async () => {
    const id = await alertOf();
    await server.notifications.look();
    await server.notifications.look(new Date(Date.now() + 15_000));
    await vi.waitFor(async () => {
      await server.push.look(new Date(Date.now() + 1000));
      await server.webhooks.look(new Date(Date.now() + 1000));
      const { deliveries: all } = await deliveries(owner, id);
      expect(all).toHaveLength(5);
      for (const each of all) expect(each).toMatchObject({ state: 'sent', at: expect.any(String), failure: null });
    }, WAIT);
  });

  it('says what failed, and why', async () => {
    service.answer(500);
    const id = await alertOf();
    await vi.waitFor(async () => {
      await server.webhooks.look(new Date(Date.now() + 1000));
      await server.push.look(new Date(Date.now() + 1000));
      const { deliveries: all } = await deliveries(owner, id);
      const webhook = all.find(({ via }) => via === 'webhook');
      expect(webhook).toMatchObject({ state: 'retrying', tries: 1, failure: 'refused', at: expect.any(String) });
      expect(all.filter(({ via }) => via === 'push')).toMatchObject([{ state: 'retrying' }, { state: 'retrying' }]);
    }, WAIT);
    service.answer(201);
  });

  it('is told to those who write rules; others read about themselves, and only of alerts they can see', async () => {
    const id = await alertOf();
    await server.notifications.look();
    const byNora = await deliveries(nora, id);
    expect([byNora.deliveries.length, byNora.others]).toEqual([4, 1]);
    const viewer = await person(server, { accountId: owner.accountId, role: 'viewer' });
    expect(await deliveries(viewer, id)).toEqual({ status: 200, deliveries: [], others: 5 });
    const folder = ((await owner.call('POST', 'folder', { name: `Trucks ${++made}` })).body as { id: string }).id;
    await limit(server.context, viewer, { folders: [folder] });
    expect((await deliveries(viewer, id)).status).toBe(404);
  });
});
