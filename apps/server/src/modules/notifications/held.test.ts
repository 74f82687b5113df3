import { type AlertKind, DEFAULT_NOTIFICATION_SETTINGS, type NotificationSettings } from '@milepost/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { startMailServer } from '../../../testing/mail-server.ts';
import { type Mailbox, readMail } from '../../../testing/mailbox.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';

/** What has to wait in quiet hours, and what may not wait behind it. */

vi.setConfig({ testTimeout: 60_000 });

let mailbox: Mailbox;
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, server, close } = await startMailServer());
});
afterAll(() => close());

let owner: Person;
let truck: number;
let seen = 0;

beforeEach(async () => {
  mailbox.refuse(false);
  await server.context.db.system.deleteFrom('alert').execute();
  owner = await person(server);
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
  await choose({ quietFrom: '22:00', quietTo: '06:00' });
  seen = mailbox.mails.length;
});

const choose = (settings: Partial<NotificationSettings>) => {
  const kinds: AlertKind[] = ['sos', 'crash', 'doorOpen', 'batteryLow'];
  return owner.call('PUT', 'notification_settings', {
    ...DEFAULT_NOTIFICATION_SETTINGS,
    mail: true,
    kinds,
    ...settings,
  });
};

const alert = (kind: AlertKind, severity: 'critical' | 'warning' = 'critical') =>
  addAlert(server, owner.accountId, truck, { kind, severity, event: null });

/** A look at this time of the wall clock in Chicago, that day or the next; the new mails. */
async function lookAt(time: string, day = '10') {
  await server.notifications.look(new Date(`2026-06-${day}T${time}-05:00`));
  const mails = mailbox.mails.slice(seen).map(readMail);
  seen = mailbox.mails.length;
  return mails;
}

describe('a mail that was refused before quiet hours', () => {
  it('waits for their end, and what breaks through does not wait behind it', async () => {
    await alert('doorOpen', 'warning');
    await lookAt('21:59:20');
    mailbox.refuse(true);
    await lookAt('21:59:40');
    mailbox.refuse(false);
    expect(await lookAt('23:00:00')).toEqual([]);
    await alert('sos');
    await lookAt('02:00:00', '11');
    const [atNight, ...others] = await lookAt('02:00:20', '11');
    expect([atNight?.subject, others]).toEqual(['Critical · SOS button pressed · 4127', []]);
    expect(await lookAt('05:59:00', '11')).toEqual([]);
    const inTheMorning = await lookAt('06:00:00', '11');
    expect(inTheMorning.map(({ subject }) => subject)).toEqual(['Warning · Door opened · 4127']);
    expect(inTheMorning[0]?.id).not.toBe(atNight?.id);
    expect(await lookAt('12:00:00', '11')).toEqual([]);
  });

  it('keeps its Message-ID, as the one does that overtook it', async () => {
    await alert('doorOpen', 'warning');
    await lookAt('21:59:20');
    mailbox.refuse(true);
    await lookAt('21:59:40');
    const begun = await mailIds();
    await alert('sos');
    await lookAt('02:00:00', '11');
    await lookAt('02:00:20', '11');
    expect(await mailIds()).toHaveLength(2);
    const both = await mailIds();
    mailbox.refuse(false);
    const [sos] = await lookAt('06:00:00', '11');
    const [door] = await lookAt('06:01:00', '11');
    expect(door?.id).toContain(begun[0]);
    expect([door, sos].map(mail => both.findIndex(id => mail?.id.includes(id))).toSorted()).toEqual([0, 1]);
    expect(sos?.subject).toContain('SOS');
  });

  it('is given up a day after it was begun', async () => {
    await alert('doorOpen', 'warning');
    await lookAt('21:59:20');
    mailbox.refuse(true);
    await lookAt('21:59:40');
    await lookAt('06:00:00', '11');
    await lookAt('21:59:00', '11');
    expect(await mailIds()).toHaveLength(1);
    await choose({});
    await lookAt('22:30:00', '11');
    expect(await mailIds()).toEqual([]);
  });
});

it('finds what may go now behind whatever has to wait', async () => {
  await server.context.db.system.transaction().execute(async trx => {
    const many = { context: { db: { ...server.context.db, system: trx } } };
    const at = new Date();
    for (let n = 0; n < 501; n++) {
      const over = { kind: 'doorOpen', severity: 'warning', event: null, opened_at: at, closed_at: at };
      await addAlert(many, owner.accountId, truck, over);
    }
  });
  await lookAt('23:00:00');
  expect(await lookAt('23:00:20')).toEqual([]);
  await alert('sos');
  await lookAt('23:01:00');
  expect((await lookAt('23:01:20')).map(({ subject }) => subject)).toEqual(['Critical · SOS button pressed · 4127']);
  await alert('crash');
  await lookAt('05:59:30', '11');
  await choose({ quietFrom: '22:00', quietTo: '06:00', criticalBreaks: false });
  expect((await lookAt('06:00:00', '11')).map(({ subject }) => subject)).toEqual(['500 alerts, 1 critical']);
  expect((await lookAt('06:01:00', '11')).map(({ subject }) => subject)).toEqual(['2 alerts']);
});

/** Of the mails that were begun and have not ended. */
async function mailIds(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct mail_id::text as id from alert_mail
    where user_id = ${owner.userId} and mail_id is not null and sent_at is null and given_up_at is null`.execute(
    server.context.db.system,
  );
  return rows.map(({ id }) => id);
}
