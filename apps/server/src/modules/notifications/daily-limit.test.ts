import { type AlertKind, DEFAULT_NOTIFICATION_CHOICE, DEFAULT_NOTIFICATION_SETTINGS } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startDeliveries } from '../../../testing/deliveries.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { type Mailbox, readMail } from '../../../testing/mailbox.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { type PushBrowser, pushBrowser } from '../../../testing/push-browser.ts';
import type { WebhookReceiver } from '../../../testing/webhook-receiver.ts';

/** How many alerts reach a person in a day, by real mail and push services. */

vi.setConfig({ testTimeout: 60_000 });

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const KINDS: AlertKind[] = ['sos', 'doorOpen', 'batteryLow'];

let mailbox: Mailbox;
let service: WebhookReceiver;
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, server, service, close } = await startDeliveries());
});
afterAll(() => close());

let owner: Person;
let truck: number;
let browser: PushBrowser;
let now: number;
let seen: number;
beforeEach(async () => {
  mailbox.refuse(false);
  service.posts.length = 0;
  await server.context.db.system.deleteFrom('alert').execute();
  owner = await person(server);
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
  const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true, kinds: KINDS, escalateAfterMinutes: null };
  await owner.call('PUT', 'notification_settings', settings);
  browser = pushBrowser();
  now = noonInChicago();
  seen = mailbox.mails.length;
});

/** Of today: 17:00 UTC in summer, 18:00 in winter. */
function noonInChicago(): number {
  const noon = Math.floor(Date.now() / (24 * HOUR)) * 24 * HOUR + 18 * HOUR;
  const hour = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Chicago', hour: 'numeric', hourCycle: 'h23' });
  return noon - (Number(hour.format(noon)) - 12) * HOUR;
}

const limit = (dailyLimit: number | null, by = owner) =>
  by.call('PUT', 'my_notifications', { ...DEFAULT_NOTIFICATION_CHOICE, dailyLimit });
const alert = (kind: AlertKind, severity: 'critical' | 'warning' = 'warning') => {
  const closed_at = kind === 'sos' ? null : new Date(now);
  return addAlert(server, owner.accountId, truck, { kind, severity, event: null, opened_at: new Date(now), closed_at });
};
/** What comes by email within a minute from then on. */
async function mailed() {
  for (const ms of [0, 15 * SECOND, MINUTE]) await server.notifications.look(new Date(now + ms));
  now += 2 * MINUTE;
  const mails = mailbox.mails.slice(seen).map(readMail);
  seen = mailbox.mails.length;
  return mails;
}
async function subscribe(): Promise<void> {
  const endpoint = `${service.url}/send/${Math.random()}`;
  const { auth, p256dh } = browser;
  await owner.call('POST', 'push_subscription', { endpoint, p256dh, auth, severities: ['critical', 'warning'] });
}
async function pushed(at: number): Promise<{ title: string; body: string; path: string }[]> {
  service.posts.length = 0;
  for (let round = 0; round < 4; round++) await server.push.look(new Date(at));
  return service.posts.map(({ bytes }) => JSON.parse(browser.read(bytes)));
}
const mine = async (by = owner) =>
  (await by.call('GET', 'my_notifications')).body as {
    choice: { dailyLimit: number | null };
    received: { day: string; alerts: number; beyond: number; digestAt: string | null }[];
  };

describe('a limit of alerts a day', () => {
  it('[N11] holds on a noisy day, and what is beyond it comes in one email at seven; critical alerts always come', async () => {
    await limit(3);
    for (let n = 0; n < 5; n++) await alert('doorOpen');
    expect((await mailed()).map(({ subject }) => subject)).toEqual(['3 alerts']);
    await alert('sos', 'critical');
    await alert('batteryLow');
    expect((await mailed()).map(({ subject }) => subject)).toEqual(['Critical · SOS button pressed · 4127']);
    const { received } = await mine();
    expect(received).toMatchObject([{ alerts: 4, beyond: 3, digestAt: expect.any(String) }]);
    const digestAt = Date.parse(received[0]?.digestAt ?? '');
    expect(digestAt - noonInChicago()).toBe(19 * HOUR);
    now = digestAt - MINUTE;
    expect(await mailed()).toEqual([]);
    now = digestAt;
    const [digest, ...others] = await mailed();
    expect([digest?.subject, others]).toEqual(['3 alerts', []]);
    expect(digest?.body).toContain('3 of them came after you reached your daily limit.');
    // They are all in the list meanwhile.
    const list = (await owner.call('GET', 'alert')).body as { alerts: object[] };
    expect(list.alerts).toHaveLength(7);
  });

  it('[N11] begins anew with each day, by the reader’s clock', async () => {
    await limit(1);
    await alert('doorOpen');
    await alert('doorOpen');
    expect(await mailed()).toHaveLength(1);
    now = noonInChicago() + 12 * HOUR;
    await alert('batteryLow');
    expect((await mailed()).map(({ subject }) => subject)).toEqual(['Warning · Battery low · 4127']);
  });

  it('[N11] sends the digest once, however often the mail server refuses it', async () => {
    await limit(1);
    for (let n = 0; n < 4; n++) await alert('doorOpen');
    await mailed();
    now = Date.parse((await mine()).received[0]?.digestAt ?? '');
    mailbox.refuse(true);
    await mailed();
    mailbox.refuse(false);
    now += 5 * MINUTE;
    expect((await mailed()).map(({ subject }) => subject)).toEqual(['3 alerts']);
    now += HOUR;
    expect(await mailed()).toEqual([]);
  });

  it('[N11] counts an alert once, by email and push, and bundles pushes in one', async () => {
    await subscribe();
    await limit(2);
    for (let n = 0; n < 5; n++) await alert('doorOpen');
    const later = Date.now() + SECOND;
    expect(await pushed(later)).toHaveLength(2);
    await alert('sos', 'critical');
    expect((await pushed(later + SECOND)).map(({ title }) => title)).toEqual(['Critical · SOS button pressed · 4127']);
    await mailed();
    const { received } = await mine();
    expect(received).toMatchObject([{ alerts: 3, beyond: 3 }]);
    const digestAt = Date.parse(received[0]?.digestAt ?? '');
    expect(await pushed(digestAt - SECOND)).toEqual([]);
    expect(await pushed(digestAt)).toEqual([
      expect.objectContaining({
        title: '3 more alerts',
        body: 'Not acknowledged yet. They came after your daily limit of 2.',
        path: '/alerts',
      }),
    ]);
    expect(await pushed(digestAt + MINUTE)).toEqual([]);
  });

  it('[N11] is shown to those who see the settings, with how many alerts each user got', async () => {
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    await limit(1, admin);
    await alert('doorOpen');
    await alert('doorOpen');
    await mailed();
    const { people } = (await owner.call('GET', 'notification_settings')).body as {
      people: { userId: string; dailyLimit: number | null; received: { alerts: number; beyond: number }[] }[];
    };
    const of = (userId: string) => people.find(each => each.userId === userId);
    expect(of(owner.userId)).toMatchObject({ dailyLimit: null, received: [{ alerts: 2, beyond: 0 }] });
    expect(of(admin.userId)).toMatchObject({ dailyLimit: 1, received: [{ alerts: 1, beyond: 1 }] });
    const stranger = await person(server);
    const others = (await stranger.call('GET', 'notification_settings')).body as { people: object[] };
    expect(others.people).toEqual([]);
  });

  it('is from 1 to 1,000, and kept', async () => {
    expect((await limit(0)).status).toBe(400);
    expect((await limit(1001)).status).toBe(400);
    await limit(20);
    expect((await mine()).choice.dailyLimit).toBe(20);
  });
});
