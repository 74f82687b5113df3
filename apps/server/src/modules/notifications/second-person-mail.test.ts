import { DEFAULT_NOTIFICATION_SETTINGS } from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { startMailServer } from '../../../testing/mail-server.ts';
import { type Mailbox, readMail } from '../../../testing/mailbox.ts';
import { twoPeople } from '../../../testing/two-people.ts';

let mailbox: Mailbox;
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, server, close } = await startMailServer());
});
afterAll(() => close());

it('[R7.35] asks the other one to be the second person of a command that waits, and says until when', async () => {
  const two = await twoPeople(server);
  const { first, second } = two;
  await first.call('PUT', 'notification_settings', { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true });
  const { expiresAt } = await two.asked(first);
  await expect
    .poll(async () => (await second.call('GET', 'alert')).body)
    .toMatchObject({ alerts: [{ kind: 'secondPerson', closedAt: expiresAt }] });
  const now = Date.now();
  await server.notifications.look(new Date(now));
  await server.notifications.look(new Date(now + 15_000));
  two.hangUp();

  expect(mailbox.mails.map(({ to }) => to)).toEqual([[second.email]]);
  const { subject, body } = readMail(await mailbox.take());
  expect(subject).toEqual(expect.stringContaining('Critical · Second person needed · '));
  const until = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: 'America/Chicago', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(Date.parse(expiresAt));
  expect(body).toMatch(new RegExp(`Needs a decision by .*${until}`));
  expect(body).not.toMatch(/Ended .*\./);
});
