import { type AlertKind, DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from '@milepost/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAlert, sosAlert } from '../../../testing/alerts.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { type Mailbox, readMail, startMailbox } from '../../../testing/mailbox.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';

/** From an alert to the mailboxes of those who hear of it, with a real mail server. */

vi.setConfig({ testTimeout: 60_000 });

let mailbox: Mailbox;
let server: TestHttpServer;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startHttpServer({
    config: { smtpUrl: mailbox.url, http: { ...HTTP, publicUrl: 'https://fleet.example.com' } },
  });
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});
const HTTP = { host: '127.0.0.1', port: 0, trustedProxies: [] };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
let now = Date.now();
let owner: Person;
let truck: number;
/** What came in before the test. */
let seen = 0;

beforeEach(async () => {
  now = Date.now();
  mailbox.refuse(false);
  await server.context.db.system.deleteFrom('alert').execute();
  owner = await person(server);
  await choose({ mail: true });
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
  seen = mailbox.mails.length;
});

async function choose(settings: Partial<NotificationSettings>): Promise<void> {
  const body = { ...DEFAULT_NOTIFICATION_SETTINGS, ...settings };
  const { status, text } = await owner.call('PUT', 'notification_settings', body);
  expect([status, text]).toEqual([200, expect.any(String)]);
}

const alert = (kind: AlertKind = 'sos', fields: Parameters<typeof addAlert>[3] = {}) =>
  addAlert(server, owner.accountId, truck, { kind, event: null, ...fields });

/** Time goes by, and what is due is sent; the new mails, each with who got it. */
async function after(ms: number) {
  await server.notifications.look(new Date(now));
  now += ms;
  await server.notifications.look(new Date(now));
  const mails = mailbox.mails.slice(seen).map(mail => ({ to: mail.to[0], ...readMail(mail) }));
  seen = mailbox.mails.length;
  return mails;
}

const setUser = (userId: string, columns: object) =>
  server.context.db.system.updateTable('app_user').set(columns).where('id', '=', userId).execute();

describe('an alert', () => {
  it('goes to anyone who may see it, in words that need no more', async () => {
    const at = Date.now() - 5 * MINUTE;
    await choose({ mail: true, kinds: ['overspeed'] });
    const moment = new Date(at);
    await alert('overspeed', { severity: 'warning', opened_at: moment, updated_at: moment, figures: { speed: 31.3 } });
    const [mail, ...others] = await after(15 * SECOND);
    expect(others).toEqual([]);
    expect(mail?.to).toBe(owner.email);
    expect(mail?.subject).toBe('Warning · Speeding · 4127');
    expect(mail?.body).toMatch(/C[SD]T · .*Chicago, IL · 70 mph/);
    expect(mail?.body).toContain('https://fleet.example.com/alerts?q=4127&kind=overspeed');
    expect(mail?.body).toContain('https://fleet.example.com/profile/notifications');
  });

  it('holds no IMEI and no token', async () => {
    await alert();
    const [mail] = await after(15 * SECOND);
    expect(mail?.body).not.toMatch(/\d{15}/);
    expect(mail?.body).not.toContain(owner.token);
  });

  it('uses the reader’s language, time zone and units', async () => {
    await setUser(owner.userId, {
      preferences: JSON.stringify({ language: 'fr', timeZone: 'Europe/Paris', distanceUnit: 'km' }),
    });
    const at = new Date('2026-06-10T12:00:00Z');
    await alert('crash', { opened_at: at, updated_at: at, figures: { speed: 25 } });
    const [mail] = await after(15 * SECOND);
    expect(mail?.subject).toBe('Critique · Collision · 4127');
    expect(mail?.body).toMatch(/mer\. 10 juin.*14:00 UTC\+2 · .* · 90 km\/h/);
  });

  it('goes to nobody while mail is off, and not when it is switched on later', async () => {
    await choose({ mail: false });
    await alert();
    await choose({ mail: true });
    expect(await after(15 * SECOND)).toEqual([]);
  });

  it('that was not written is not told', async () => {
    const { system } = server.context.db;
    const rolledBack = system.transaction().execute(async trx => {
      await addAlert({ context: { db: { ...server.context.db, system: trx } } }, owner.accountId, truck);
      throw new Error('The server ends here');
    });
    await expect(rolledBack).rejects.toThrow('ends here');
    expect(await after(15 * SECOND)).toEqual([]);
  });

  it('that arrived long after it ended is not sent', async () => {
    await alert('sos', { acknowledged_at: new Date() });
    expect(await after(15 * SECOND)).toEqual([]);
  });
});

describe('who gets an email about an alert', () => {
  const colleague = (role: 'admin' | 'dispatcher' | 'viewer' | 'driver') =>
    person(server, { accountId: owner.accountId, role });
  const heard = async () => (await after(15 * SECOND)).map(({ to }) => to).toSorted();

  it('sees the vehicle', async () => {
    const [north, south] = [await colleague('dispatcher'), await colleague('dispatcher')];
    const { system } = server.context.db;
    const folder = await system
      .insertInto('folder')
      .values({ account_id: owner.accountId, name: 'North' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await system.updateTable('vehicle').set({ folder_id: folder.id }).where('id', '=', truck).execute();
    await server.context.feed.settled();
    await limit(server.context, north, { folders: [String(folder.id)] });
    await limit(server.context, south, { folders: [] });
    await alert();
    expect(await heard()).toEqual([owner.email, north.email].toSorted());
  });

  it('may read alerts, is active, has come and has an address', async () => {
    await colleague('driver');
    await setUser((await colleague('admin')).userId, { active: false });
    await setUser((await colleague('admin')).userId, { expires_at: new Date(Date.now() - 1) });
    await setUser((await colleague('admin')).userId, { email: null });
    await setUser((await colleague('admin')).userId, { password_hash: null });
    const viewer = await colleague('viewer');
    await alert();
    expect(await heard()).toEqual([owner.email, viewer.email].toSorted());
  });

  it('[R7.35] could be the second person, where one is asked for', async () => {
    const admin = await colleague('admin');
    await colleague('viewer');
    await alert('secondPerson');
    expect(await heard()).toEqual([admin.email, owner.email].toSorted());
  });

  it('is asked to be the second person only while one is needed', async () => {
    await choose({ mail: true, kinds: ['secondPerson'] });
    const decided = await alert('secondPerson');
    await server.notifications.look(new Date(now));
    const { system } = server.context.db;
    await system.updateTable('alert').set({ acknowledged_at: new Date() }).where('id', '=', decided).execute();
    expect(await heard()).toEqual([]);
  });

  it('is in the account', async () => {
    await person(server);
    await alert();
    expect(await heard()).toEqual([owner.email]);
  });

  it('is asked again before the mail leaves', async () => {
    const viewer = await colleague('viewer');
    await alert();
    await server.notifications.look(new Date(now));
    await setUser(viewer.userId, { active: false });
    expect(await heard()).toEqual([owner.email]);
  });

  it('chooses other kinds than the organization, or none', async () => {
    const [more, nothing] = [await colleague('viewer'), await colleague('viewer')];
    const choice = { escalations: true, quiet: 'organisation', quietFrom: null, quietTo: null, criticalBreaks: true };
    await more.call('PUT', 'my_notifications', { ...choice, kinds: ['batteryLow', 'sos'] });
    await nothing.call('PUT', 'my_notifications', { ...choice, kinds: [] });
    await alert('sos');
    expect(await heard()).toEqual([owner.email, more.email].toSorted());
    now += MINUTE;
    await alert('batteryLow', { severity: 'warning' });
    expect(await heard()).toEqual([more.email]);
  });
});

describe('many at once', () => {
  it('are one mail, the most urgent first', async () => {
    await choose({ mail: true, kinds: ['sos', 'batteryLow'] });
    for (let n = 0; n < 60; n++) {
      const vehicle = Number((await addNamedVehicle(server, owner.accountId, `T${n}`)).id);
      const battery = { kind: 'batteryLow', severity: 'warning' };
      await addAlert(server, owner.accountId, vehicle, n === 30 ? {} : battery);
    }
    const mails = await after(15 * SECOND);
    expect(mails.map(({ subject }) => subject)).toEqual(['60 alerts, 1 critical']);
    expect(mails[0]?.body.indexOf('SOS button pressed · T30')).toBeLessThan(mails[0]?.body.indexOf('Battery low') ?? 0);
    expect(mails[0]?.body).toContain('10 more are not listed here.');
  });

  it('are handed on whatever their number', async () => {
    await choose({ mail: true, kinds: ['harshDriving'] });
    const at = new Date();
    const over = { severity: 'info', opened_at: at, closed_at: at };
    for (let n = 0; n < 20; n++) await person(server, { accountId: owner.accountId, role: 'viewer' });
    const alerts = Array.from({ length: 450 }, () =>
      sosAlert(owner.accountId, truck, { kind: 'harshDriving', event: null, ...over }),
    );
    await server.context.db.system.insertInto('alert').values(alerts).execute();
    const mails = await after(15 * SECOND);
    expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(['450 alerts']));
    expect(mails).toHaveLength(21);
  });

  it('that go on are one mail a minute', async () => {
    await alert('sos');
    expect(await after(15 * SECOND)).toHaveLength(1);
    await alert('crash');
    expect(await after(15 * SECOND)).toEqual([]);
    await alert('jamming');
    const mails = await after(50 * SECOND);
    expect(mails.map(({ subject }) => subject)).toEqual(['2 alerts, 2 critical']);
  });
});

describe('quiet hours', () => {
  const lateEvening = { quietFrom: '22:00', quietTo: '00:00' };
  beforeEach(() => {
    now = Date.parse('2026-06-10T23:00:00-05:00');
  });

  it('hold back what is not critical, and bring it as one mail afterwards', async () => {
    await choose({ mail: true, kinds: ['sos', 'batteryLow', 'doorOpen'], ...lateEvening });
    await alert('batteryLow', { severity: 'warning' });
    await alert('doorOpen', { severity: 'warning' });
    await alert('sos');
    expect((await after(MINUTE)).map(({ subject }) => subject)).toEqual(['Critical · SOS button pressed · 4127']);
    expect(await after(50 * MINUTE)).toEqual([]);
    const digest = await after(15 * MINUTE);
    expect(digest.map(({ subject }) => subject)).toEqual(['2 alerts']);
    expect(digest[0]?.body).toContain('This includes alerts from your quiet hours.');
  });

  it('hold back critical ones, too, where they do not break through', async () => {
    await choose({ mail: true, ...lateEvening, criticalBreaks: false });
    await alert('sos');
    expect(await after(MINUTE)).toEqual([]);
    expect(await after(2 * HOUR)).toHaveLength(1);
  });

  it('of one’s own are instead of the organization’s, and none is none', async () => {
    await choose({ mail: true, ...lateEvening, criticalBreaks: false });
    const choice = { kinds: null, escalations: true, quietFrom: null, quietTo: null, criticalBreaks: true };
    await owner.call('PUT', 'my_notifications', { ...choice, quiet: 'none' });
    await alert('sos');
    expect(await after(MINUTE)).toHaveLength(1);
    const own = { quietFrom: '23:00', quietTo: '00:05', criticalBreaks: false };
    await owner.call('PUT', 'my_notifications', { ...choice, ...own, quiet: 'own' });
    await alert('crash');
    expect(await after(5 * MINUTE)).toEqual([]);
    expect(await after(HOUR)).toHaveLength(1);
  });
});

describe('a critical alert that nobody acknowledges', () => {
  it('goes to owners and admins again, once', async () => {
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    await person(server, { accountId: owner.accountId, role: 'dispatcher' });
    await alert('sos');
    expect(await after(15 * SECOND)).toHaveLength(3);
    expect(await after(13 * MINUTE)).toEqual([]);
    await after(2 * MINUTE);
    const again = await after(15 * SECOND);
    const mails = again.filter(({ body }) => body.includes('Nobody has acknowledged it yet.'));
    expect(mails.map(({ to }) => to).toSorted()).toEqual([owner.email, admin.email].toSorted());
    expect(mails[0]?.subject).toBe('Not acknowledged: Critical · SOS button pressed · 4127');
    expect(await after(3 * HOUR)).toEqual([]);
  });

  it('does not once someone has, nor where it is switched off, nor where it is no cry for help', async () => {
    const id = await alert('sos');
    await after(15 * SECOND);
    await owner.call('POST', 'alert/acknowledge', { ids: [id] });
    expect(await after(HOUR)).toEqual([]);
    await choose({ mail: true, kinds: ['crash', 'batteryLow'], escalateAfterMinutes: null });
    await alert('crash');
    expect(await after(15 * SECOND)).toHaveLength(1);
    expect(await after(HOUR)).toEqual([]);
    await choose({ mail: true, kinds: ['batteryLow'], escalateAfterMinutes: 5 });
    await alert('batteryLow', { severity: 'warning' });
    expect(await after(MINUTE)).toHaveLength(1);
    expect(await after(HOUR)).toEqual([]);
  });
});

describe('how it goes', () => {
  const delivery = async () =>
    ((await owner.call('GET', 'notification_settings')).body as { delivery: Record<string, unknown> }).delivery;

  it('is shown with the settings: what is queued, what was sent, what failed', async () => {
    await alert('sos');
    await server.notifications.look(new Date(now));
    expect(await delivery()).toMatchObject({ works: true, waiting: 1, lastSentAt: null, lastFailure: null });
    mailbox.refuse(true);
    expect(await after(15 * SECOND)).toEqual([]);
    expect(await delivery()).toMatchObject({ waiting: 1, lastFailure: { reason: 'refused' } });
    expect((await server.context.health.report()).checks['alert mail']).toMatch(/not going out/);
    expect((await server.context.health.report()).status).toBe('ok');
    mailbox.refuse(false);
    expect(await after(2 * MINUTE)).toHaveLength(1);
    expect(await delivery()).toMatchObject({ waiting: 0, lastSentAt: new Date(now).toISOString(), lastFailure: null });
  });

  it('is no trouble any more once what could not be sent is gone with its vehicle', async () => {
    await alert('sos');
    mailbox.refuse(true);
    await after(15 * SECOND);
    expect(await delivery()).toMatchObject({ waiting: 1, lastFailure: { reason: 'refused' } });
    await owner.call('DELETE', `device/${truck}`);
    expect(await delivery()).toMatchObject({ waiting: 0, lastFailure: null });
    expect((await server.context.health.report()).checks['alert mail']).toBe('ok');
  });

  it('a mail is tried for a day, more and more seldom, then given up, and the next one goes', async () => {
    await choose({ mail: true, escalateAfterMinutes: null });
    await alert('sos');
    mailbox.refuse(true);
    let tries = 0;
    for (let minute = 0; minute < 26 * 60; minute += 15) {
      now += 15 * MINUTE;
      await server.notifications.look(new Date(now));
      const { rows } = await sql<{
        tries: number;
      }>`select tries from alert_mail_pace where user_id = ${owner.userId}`.execute(server.context.db.system);
      tries = Math.max(tries, rows[0]?.tries ?? 0);
    }
    expect(tries).toBeGreaterThan(50);
    expect(tries).toBeLessThan(110);
    expect(await delivery()).toMatchObject({ waiting: 0, givenUp: 1, lastFailure: { reason: 'refused' } });
    mailbox.refuse(false);
    await alert('crash');
    await after(20 * MINUTE);
    expect(mailbox.mails.at(-1)?.to).toEqual([owner.email]);
  });
});

describe('the calls', () => {
  it('[R5.03] refuse hours that are none, and say so by the field', async () => {
    const body = { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true };
    const wrong = async (fields: object) => {
      const { body: problem } = await owner.call('PUT', 'notification_settings', { ...body, ...fields });
      return (problem as { errors: { field: string; message: string }[] }).errors;
    };
    expect(await wrong({ quietFrom: '25:00', quietTo: '06:00' })).toMatchObject([{ field: 'quietFrom' }]);
    expect(await wrong({ quietFrom: '22:00', quietTo: null })).toMatchObject([{ field: 'quietTo' }]);
    expect(await wrong({ quietFrom: '22:00', quietTo: '22:00' })).toMatchObject([{ field: 'quietTo' }]);
    expect(await wrong({ escalateAfterMinutes: 2 })).toMatchObject([{ field: 'escalateAfterMinutes' }]);
    expect(await wrong({ kinds: ['weather'] })).toMatchObject([{ field: 'kinds.0' }]);
  });

  it('write every change to the audit log, and nothing where nothing changes', async () => {
    const entries = () =>
      server.context.db.system
        .selectFrom('audit_entry')
        .select(['action', 'changes'])
        .where('account_id', '=', owner.accountId)
        .where('action', 'in', ['settings.changed', 'profile.changed'])
        .orderBy('id', 'desc')
        .execute();
    const before = await entries();
    await choose({ mail: true });
    expect(await entries()).toEqual(before);
    await choose({ mail: true, quietFrom: '22:00', quietTo: '06:00' });
    expect((await entries())[0]).toMatchObject({
      action: 'settings.changed',
      changes: [
        { field: 'quietFrom', from: null, to: '22:00' },
        { field: 'quietTo', from: null, to: '06:00' },
      ],
    });
    const choice = { escalations: false, quiet: 'none', quietFrom: null, quietTo: null, criticalBreaks: true };
    await owner.call('PUT', 'my_notifications', { ...choice, kinds: ['sos'] });
    expect((await entries())[0]).toMatchObject({ action: 'profile.changed' });
  });

  it('send a test to anyone who asks, and say what became of it', async () => {
    const test = async () => (await owner.call('POST', 'notification_test')).body;
    expect(await test()).toEqual({ address: owner.email, outcome: 'sent' });
    expect(readMail(mailbox.mails.at(-1) ?? { from: '', to: [], text: '' }).subject).toBe('Test email from Milepost');
    mailbox.refuse(true);
    expect(await test()).toEqual({ address: owner.email, outcome: 'refused' });
    await setUser(owner.userId, { email: null });
    expect(await test()).toEqual({ address: null, outcome: 'no-address' });
    await test();
    await test();
    expect(await test()).toMatchObject({ code: 'too-many-requests' });
  });
});
