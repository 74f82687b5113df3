import { DEFAULT_NOTIFICATION_SETTINGS } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { alertedDriver, looksOf } from '../../../testing/looks.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import type { Mail, Mailer } from '../../mail/mailer.ts';
import { postMails } from './post.ts';
import { spreadNotices } from './spread.ts';

/** What happens while mails leave slowly. */

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

const SECOND = 1000;
let at: number;
let owner: Person;
let people: Person[];

/** Eight who hear of an alert. */
beforeEach(async () => {
  await server.context.db.system.deleteFrom('alert').execute();
  owner = await person(server);
  await owner.call('PUT', 'notification_settings', { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true });
  people = [owner];
  while (people.length < 8) people.push(await person(server, { accountId: owner.accountId, role: 'viewer' }));
  const vehicle = await addNamedVehicle(server, owner.accountId, '4127');
  await addAlert(server, owner.accountId, Number(vehicle.id));
  at = Date.now();
});

type Deliver = (mail: Mail) => ReturnType<Mailer['deliver']>;

/** A round of looking, with a mail server that does this; who got a mail. */
async function round(deliver: Deliver, goesOn = () => true): Promise<string[]> {
  const got: string[] = [];
  const mailer: Mailer = {
    ...server.context.mailer,
    deliver: async mail => {
      const outcome = await deliver(mail);
      if (outcome === 'sent') got.push(mail.to);
      return outcome;
    },
  };
  const parts = { ...server.organisation, reportContext: { placeOf: () => null }, looks: server.looks };
  const context = { ...server.context, mailer };
  await spreadNotices(context, parts, new Date(at - 15 * SECOND));
  await postMails(context, parts, () => new Date(at), goesOn);
  return got.toSorted();
}

const paces = () =>
  server.context.db.system
    .selectFrom('alert_mail_pace')
    .selectAll()
    .where('account_id', '=', owner.accountId)
    .orderBy('next_at')
    .execute();

const addresses = () => people.map(({ email }) => email).toSorted();

describe('a round', () => {
  it('asks who someone is right before their mail, not when it began', async () => {
    const { system } = server.context.db;
    let left: string[] = [];
    const got = await round(async mail => {
      if (left.length === 0) {
        left = addresses().filter(address => address !== mail.to);
        await system.updateTable('app_user').set({ active: false }).where('email', 'in', left).execute();
      }
      return 'sent';
    });
    // Some were under way beside the first one; anyone who came after them was not asked for in vain.
    expect(got.length).toBeLessThanOrEqual(5);
    expect(await round(async () => 'sent')).toEqual([]);
    const rest = await system
      .selectFrom('alert_mail')
      .select('id')
      .where('account_id', '=', owner.accountId)
      .where('sent_at', 'is', null)
      .execute();
    expect(rest).toEqual([]);
  });

  it('ends when it has taken long, and the next one goes on with those who are left', async () => {
    const slowly: Deliver = async () => {
      at += 20 * SECOND;
      return 'sent';
    };
    const first = await round(slowly);
    expect(first).toHaveLength(5);
    const second = await round(slowly);
    expect([...first, ...second].toSorted()).toEqual(addresses());
  });

  it('of two servers that both believe they lead, the second sends what the first has begun, and no other', async () => {
    const mails = new Set<string>();
    const deliver: Deliver = async ({ id, to }) => {
      mails.add(`${to} ${id}`);
      return 'sent';
    };
    await Promise.all([round(deliver), round(deliver)]);
    await round(deliver);
    expect([...mails].map(mail => mail.split(' ')[0]).toSorted()).toEqual(addresses());
  });

  it('ends at a server that leads no more', async () => {
    let looks = 0;
    expect(
      await round(
        async () => 'sent',
        () => ++looks === 1,
      ),
    ).toHaveLength(5);
    expect(await round(async () => 'sent')).toHaveLength(3);
  });

  it('counts the time to the next try, and to the next mail, from when a mail has left or failed', async () => {
    const began = at;
    await round(async () => {
      at += 100 * SECOND;
      return 'unreachable';
    });
    const failed = await paces();
    expect(failed).toHaveLength(5);
    for (const { last_failed_at, next_at } of failed) {
      expect(next_at.getTime()).toBe((last_failed_at?.getTime() ?? 0) + 60 * SECOND);
      expect(last_failed_at?.getTime()).toBeGreaterThanOrEqual(began + 100 * SECOND);
    }
    at += 3600 * SECOND;
    const again = at;
    await round(async () => {
      at += SECOND;
      return 'sent';
    });
    for (const { last_sent_at, next_at } of await paces()) {
      expect(last_sent_at?.getTime()).toBeGreaterThan(again);
      expect(next_at.getTime()).toBe((last_sent_at?.getTime() ?? 0) + 60 * SECOND);
    }
  });
});

describe('[N8] an alert email', () => {
  it('is in the ledger of the driver whose place it tells, for each who got it', async () => {
    const driverId = await alertedDriver(server, owner.accountId);
    await server.context.db.system.updateTable('alert').set({ driver_id: driverId, lat: 41.9, lon: -87.7 }).execute();
    const got = await round(async ({ to }) => (to === owner.email ? 'unreachable' : 'sent'));
    const looks = await looksOf(server, driverId);
    expect(looks).toHaveLength(got.length);
    expect(new Set(looks.map(({ kind, via }) => `${kind} ${via}`))).toEqual(new Set(['alert email']));
    expect(looks.map(({ user_id }) => user_id)).not.toContain(owner.userId);
  });
});
