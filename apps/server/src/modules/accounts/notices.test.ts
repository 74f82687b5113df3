import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { startMailServer } from '../../../testing/mail-server.ts';
import type { Mailbox } from '../../../testing/mailbox.ts';
import { PASSWORD, type Person, person } from '../../../testing/people.ts';

let mailbox: Mailbox;
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ mailbox, server, close } = await startMailServer());
});
afterAll(() => close());

const giveApp = ({ userId, accountId }: Person) =>
  server.context.db.system
    .insertInto('totp')
    .values({ user_id: userId, account_id: accountId, secret: Buffer.alloc(20), confirmed_at: new Date() })
    .execute();

it.each<[string, string, (ann: Person, owner: Person) => Promise<unknown>]>([
  [
    'the password was changed',
    'Your password was changed.',
    ann => ann.call('PATCH', 'new_pass', { oldPassword: PASSWORD, newPassword: 'another sentence nobody guesses' }),
  ],
  [
    'mail goes nowhere any more, at the address before',
    'The email address of your account was changed',
    ann => ann.call('PATCH', 'update_me', { email: '', password: PASSWORD }),
  ],
  [
    'someone who manages users has taken the address away',
    'The email address of your account was changed',
    (ann, owner) => owner.call('PATCH', `update_my_user/${ann.userId}`, { email: '' }),
  ],
  [
    'a second factor was removed',
    'A second factor was removed from your account.',
    async ann => {
      await giveApp(ann);
      await ann.call('POST', 'second_factor/totp/remove', { password: PASSWORD });
    },
  ],
  [
    'someone has removed all second factors',
    'A user manager removed all second factors',
    async (ann, owner) => {
      await giveApp(ann);
      await owner.call('POST', `reset_second_factor_of_my_user/${ann.userId}`);
    },
  ],
])('tells someone by mail that %s', async (_, sentence, act) => {
  const owner = await person(server);
  const ann = await person(server, { accountId: owner.accountId, role: 'viewer' });
  await act(ann, owner);
  const mail = await mailbox.take();
  expect(mail.to).toEqual([ann.email]);
  expect(mail.text).toContain(sentence);
  expect(mail.text).not.toContain(PASSWORD);
});
