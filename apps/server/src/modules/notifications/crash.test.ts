import { randomUUID } from 'node:crypto';
import { DEFAULT_NOTIFICATION_SETTINGS } from '@milepost/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { itHolds } from '../../../testing/few-and-many.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { startMailServer } from '../../../testing/mail-server.ts';
import { type Mailbox, readMail } from '../../../testing/mailbox.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { person } from '../../../testing/people.ts';
import type { Context } from '../../context.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { postMails } from './post.ts';
import { spreadNotices } from './spread.ts';

/** No alert is lost and none is mailed twice, wherever the server crashes, whatever the mail server does and whenever quiet hours are. */

// A busy machine is slow, not wrong.
vi.setConfig({ testTimeout: 180_000 });

let mailbox: Mailbox;
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, server, close } = await startMailServer());
});
afterAll(() => close());

/** Where the server ends during a look: before anybody is chosen, before a mail is handed in, or right after. */
const ENDS = ['nowhere', 'before-spreading', 'before-handing-in', 'after-handing-in'] as const;
type End = (typeof ENDS)[number];

const THE_END = new Error('The server ends here');

/** A look of a server that ends there; what it has not committed is gone with it. */
async function lookOf(end: End, now: Date): Promise<void> {
  const { context, organisation } = server;
  const mailer: Mailer = {
    ...context.mailer,
    deliver: async mail => {
      if (end === 'before-handing-in') throw THE_END;
      const outcome = await context.mailer.deliver(mail);
      if (end === 'after-handing-in') throw THE_END;
      return outcome;
    },
  };
  if (end === 'before-spreading') return;
  const parts = { ...organisation, reportContext: { placeOf: () => null }, looks: { sent: async () => {} } };
  const ended: Context = { ...context, mailer };
  await spreadNotices(ended, parts, now);
  await postMails(
    ended,
    parts,
    () => now,
    () => true,
  );
}

const KINDS = ['sos', 'crash', 'doorOpen'];
/** But for the minute before midnight. */
const ALL_DAY = { quietFrom: '00:00', quietTo: '23:59' };

const step = fc.oneof(
  fc.record({ what: fc.constant('alert' as const), kind: fc.constantFrom('sos', 'crash', 'doorOpen') }),
  fc.record({
    what: fc.constant('look' as const),
    end: fc.constantFrom(...ENDS),
    seconds: fc.integer({ min: 1, max: 900 }),
  }),
  fc.record({ what: fc.constant('mail server' as const), refuses: fc.boolean() }),
  fc.record({ what: fc.constant('quiet hours' as const), areSet: fc.boolean() }),
);

describe('the outbox', () => {
  itHolds('tells each alert in one mail, though that one may come twice', { few: 5, many: 30 }, numRuns =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async steps => {
        const { system } = server.context.db;
        await system.deleteFrom('alert').execute();
        mailbox.refuse(false);
        const owner = await person(server);
        const beQuiet = async (areSet: boolean) => {
          const hours = areSet ? ALL_DAY : {};
          const settings = { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true, kinds: KINDS, escalateAfterMinutes: null };
          expect((await owner.call('PUT', 'notification_settings', { ...settings, ...hours })).status).toBe(200);
        };
        await beQuiet(false);
        const before = mailbox.mails.length;
        let at = Date.now();
        const look = (end: End, seconds: number) => {
          at += seconds * 1000;
          return lookOf(end, new Date(at));
        };
        const names: string[] = [];
        for (const each of steps) {
          if (each.what === 'mail server') mailbox.refuse(each.refuses);
          else if (each.what === 'quiet hours') await beQuiet(each.areSet);
          else if (each.what === 'look') await look(each.end, each.seconds);
          else {
            const name = `V${randomUUID().slice(0, 8)}`;
            const { id } = await addNamedVehicle(server, owner.accountId, name);
            const severity = each.kind === 'doorOpen' ? 'warning' : 'critical';
            await addAlert(server, owner.accountId, Number(id), { kind: each.kind, severity, event: null });
            names.push(name);
          }
        }
        mailbox.refuse(false);
        await beQuiet(false);
        for (let times = 0; times < 6; times++) await look('nowhere', 16 * 60);

        const mails = mailbox.mails.slice(before).map(readMail);
        for (const name of names) {
          const ids = mails.filter(({ body }) => body.includes(`· ${name}\n`)).map(({ id }) => id);
          expect([name, new Set(ids).size]).toEqual([name, 1]);
        }
      }),
      { numRuns },
    ),
  );

  it('hands a mail in once where the server does not end just then', async () => {
    await server.context.db.system.deleteFrom('alert').execute();
    const owner = await person(server);
    await owner.call('PUT', 'notification_settings', { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true });
    const { id } = await addNamedVehicle(server, owner.accountId, '4127');
    await addAlert(server, owner.accountId, Number(id));
    const before = mailbox.mails.length;
    const at = Date.now();
    await lookOf('before-spreading', new Date(at));
    await lookOf('nowhere', new Date(at));
    await lookOf('before-handing-in', new Date(at + 20_000));
    await lookOf('nowhere', new Date(at + 30_000));
    await lookOf('nowhere', new Date(at + 120_000));
    expect(mailbox.mails.length - before).toBe(1);
  });
});
