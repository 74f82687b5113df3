import type { EmailState } from '@milepost/contract';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { type Mailbox, type ReceivedMail, startMailbox } from '../../../testing/mailbox.ts';
import { auditOf, PASSWORD, type Person, person, signIn } from '../../../testing/people.ts';

const NEW_PASSWORD = 'another sentence nobody guesses';
const HOUR_MS = 3_600_000;
const PROXIED = { host: '127.0.0.1', port: 0, publicUrl: 'https://fleet.example.com', trustedProxies: ['127.0.0.1'] };
let mailbox: Mailbox;
let server: TestHttpServer;
let callers = 0;

beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startHttpServer({ config: { smtpUrl: mailbox.url, http: PROXIED } });
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});
const extra: TestHttpServer[] = [];
afterEach(async () => {
  await Promise.all(extra.splice(0).map(each => each.close()));
});

/** A different IP address for each call, so that limits by address don't interfere. */
const fromElsewhere = () => ({ 'x-forwarded-for': `203.0.113.${callers++ % 250}` });
const change = (who: Person, email: string | null, headers: Record<string, string> = fromElsewhere()) =>
  server.call('PATCH', '/api/v1/update_me', { token: who.token, body: { email, password: PASSWORD }, headers });
const confirm = (token: string, options: { token?: string; headers?: Record<string, string> } = {}) =>
  server.call('POST', '/api/v1/confirm_email', { headers: fromElsewhere(), ...options, body: { token } });
const stateOf = async (who: Person) => (await who.call('GET', 'email_change')).body as EmailState;

/** Waits for the newest mail to an address with a subject; mails can overtake each other. */
async function mailTo(address: string, subject: string): Promise<ReceivedMail> {
  const found = () => mailsTo(address).findLast(mail => mail.text.includes(`Subject: ${subject}`) && !read.has(mail));
  await expect.poll(found, { timeout: 30_000 }).toBeDefined();
  const mail = found();
  if (!mail) throw new Error('It was there a moment ago');
  read.add(mail);
  return mail;
}
const read = new Set<ReceivedMail>();
/** Ignores case, because the host part is lowercased on the way. */
const mailsTo = (address: string) =>
  mailbox.mails.filter(({ to }) => to.some(each => each.toLowerCase() === address.toLowerCase()));
const linkMail = (address: string) => mailTo(address, 'Confirm your email address');
/** Decodes the line breaks and equal signs of quoted-printable mail. */
const textOf = ({ text }: ReceivedMail): string => text.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
const tokenIn = (mail: ReceivedMail): string => /#email=([\w-]{43})/.exec(textOf(mail))?.[1] ?? '';

/** A user with a pending email address, and the token of the link sent to it. */
async function asking(options: Parameters<typeof person>[1] = {}) {
  const ann = await person(server, options);
  const email = `new-${ann.userName}@example.com`;
  expect((await change(ann, email)).body).toEqual({ ok: true, pendingEmail: email });
  return { ann, email, token: tokenIn(await linkMail(email)) };
}

const over = { status: 400, body: { code: 'email-link-over' } };

describe('a new e-mail address', () => {
  it('waits until its link is opened; until then the previous one signs in', async () => {
    const ann = await person(server);
    const email = `new-${ann.email}`;
    expect((await change(ann, email)).body).toEqual({ ok: true, pendingEmail: email });
    const link = await linkMail(email);
    expect(link.to).toEqual([email]);
    const told = await mailTo(ann.email, 'A new email address was requested for your account');
    expect(textOf(told)).toContain('If you did not do this');
    expect(textOf(told)).not.toContain('#email=');

    const { pending, ...state } = await stateOf(ann);
    expect(state).toEqual({ email: ann.email, confirmed: false, canSend: true });
    expect(pending?.email).toBe(email);
    expect(Date.parse(pending?.expiresAt ?? '') - Date.parse(pending?.sentAt ?? '')).toBe(24 * HOUR_MS);
    expect((await signIn(server, email)).status).toBe(401);
    expect((await signIn(server, ann.email)).status).toBe(200);

    expect(await confirm(tokenIn(link))).toMatchObject({ status: 200, body: { email } });
    expect(await stateOf(ann)).toEqual({ email, confirmed: true, pending: null, canSend: true });
    expect((await signIn(server, email)).status).toBe(200);
    expect((await signIn(server, ann.email)).status).toBe(401);
    await mailTo(ann.email, 'The email address of your account was changed');
    expect((await auditOf(server, ann.accountId)).map(({ action, changes }) => [action, changes])).toEqual(
      expect.arrayContaining([
        ['email.change-asked', [{ field: 'email', from: ann.email, to: email }]],
        ['email.confirmed', [{ field: 'email', from: ann.email, to: email }]],
      ]),
    );
  });

  it('is saved with the other changes, which apply immediately', async () => {
    const ann = await person(server);
    const body = { displayName: 'Ann Novák', email: `new-${ann.email}`, password: PASSWORD };
    expect((await ann.call('PATCH', 'update_me', body)).status).toBe(200);
    expect((await ann.call('GET', 'read_me')).body).toMatchObject({ displayName: 'Ann Novák', email: ann.email });
  });

  it('can be canceled or requested again, which ends the previous link', async () => {
    const { ann, email, token } = await asking();
    const again = await ann.call('POST', 'email_change');
    expect(again).toMatchObject({ status: 200, body: { pending: { email } } });
    const second = tokenIn(await linkMail(email));
    expect(await confirm(token)).toMatchObject(over);
    expect((await ann.call('DELETE', 'email_change')).body).toMatchObject({ email: ann.email, pending: null });
    expect(await confirm(second)).toMatchObject(over);
    expect((await ann.call('DELETE', 'email_change')).body).toMatchObject({ code: 'nothing-to-confirm' });
    expect((await auditOf(server, ann.accountId))[0]).toMatchObject({ action: 'email.change-cancelled' });
  });

  it('in the place of one that waits is the only one that can be confirmed', async () => {
    const { ann, token } = await asking();
    const other = `other-${ann.email}`;
    await change(ann, other);
    expect(await confirm(token)).toMatchObject(over);
    expect((await confirm(tokenIn(await linkMail(other)))).status).toBe(200);
    expect((await stateOf(ann)).email).toBe(other);
  });

  it('that is none holds at once, and ends what waited', async () => {
    const { ann, token } = await asking();
    expect((await change(ann, '')).body).toEqual({ ok: true, pendingEmail: null });
    expect(await stateOf(ann)).toMatchObject({ email: null, confirmed: false, pending: null });
    expect(await confirm(token)).toMatchObject(over);
  });

  it('confirms the address that someone has already, too', async () => {
    const ann = await person(server);
    expect((await ann.call('POST', 'email_change')).body).toMatchObject({ pending: { email: ann.email } });
    expect((await confirm(tokenIn(await linkMail(ann.email)))).status).toBe(200);
    expect(await stateOf(ann)).toMatchObject({ email: ann.email, confirmed: true, pending: null });
    expect((await ann.call('POST', 'email_change')).body).toMatchObject({ code: 'nothing-to-confirm' });
    // Nothing was changed, so no email is sent.
    expect(mailsTo(ann.email)).toHaveLength(1);
  });
});

describe('anyone who manages users', () => {
  it('asks for the address of someone who has joined, and changes it for who has not', async () => {
    const owner = await person(server);
    const ann = await person(server, { accountId: owner.accountId, role: 'viewer' });
    const email = `new-${ann.email}`;
    const answer = await owner.call('PATCH', `update_my_user/${ann.userId}`, { email, displayName: 'Ann' });
    expect(answer.body).toMatchObject({ data: { email: ann.email, pendingEmail: email, displayName: 'Ann' } });
    await mailTo(ann.email, 'A new email address was requested for your account');
    expect(await stateOf(ann)).toMatchObject({ email: ann.email, pending: { email } });
    const [entry] = (await auditOf(server, owner.accountId)).filter(({ action }) => action === 'email.change-asked');
    expect(entry).toMatchObject({ user_name: owner.userName, target_name: ann.userName });

    const invited = await owner.call('POST', 'register_user', {
      ...{ userName: `${ann.userName}.guest`, displayName: 'Guest', role: 'viewer', email: `guest-${ann.email}` },
    });
    const { id } = (invited.body as { data: { id: string } }).data;
    const direct = await owner.call('PATCH', `update_my_user/${id}`, { email: `other-${ann.email}` });
    expect(direct.body).toMatchObject({ data: { email: `other-${ann.email}`, pendingEmail: null } });
  });

  it('learns nothing of addresses that others have', async () => {
    const [owner, stranger] = [await person(server), await person(server)];
    const ann = await person(server, { accountId: owner.accountId, role: 'viewer' });
    const taken = await owner.call('PATCH', `update_my_user/${ann.userId}`, { email: stranger.email });
    expect(taken).toMatchObject({ status: 200, body: { data: { email: ann.email, pendingEmail: stranger.email } } });
    await mailTo(stranger.email, 'Your email address was requested');
  });
});

describe('anyone who attacks', () => {
  it('does not reveal whether an address is in use; only its owner gets an email, without a link', async () => {
    const [ann, bob] = [await person(server), await person(server)];
    const [free, taken] = [await change(ann, `free-${ann.email}`), await change(ann, bob.email.toUpperCase())];
    expect([taken.status, taken.body]).toEqual([
      free.status,
      { ...(free.body as object), pendingEmail: bob.email.toUpperCase() },
    ]);
    const told = await mailTo(bob.email.toUpperCase(), 'Your email address was requested');
    for (const secret of ['#email=', ann.userName, ann.email]) expect(textOf(told)).not.toContain(secret);
    expect(Object.keys(await stateOf(ann)).sort()).toEqual(['canSend', 'confirmed', 'email', 'pending']);
  });

  it('gets no address that another user has taken meanwhile', async () => {
    const { ann, email, token } = await asking();
    await person(server, { email: email.toUpperCase() });
    expect(await confirm(token)).toMatchObject(over);
    expect((await stateOf(ann)).email).toBe(ann.email);
  });

  it('uses a link once, also at once', async () => {
    const { token } = await asking();
    const answers = await Promise.all([confirm(token), confirm(token), confirm(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await confirm(token)).toMatchObject(over);
  });

  it('gets the same answer for a wrong, used, expired or invalid link', async () => {
    const { ann, token } = await asking();
    await server.context.db.system
      .updateTable('email_change')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('user_id', '=', ann.userId)
      .execute();
    const used = await asking();
    await confirm(used.token);
    const answers = await Promise.all([token, used.token, 'A'.repeat(43), '', 'no link'].map(each => confirm(each)));
    const words = answers.map(({ status, body }) => [status, { ...(body as object), instance: '' }]);
    for (const each of words) expect(each).toEqual(words[0]);
    expect(answers[0]).toMatchObject(over);
    expect(await stateOf(ann)).toMatchObject({ email: ann.email, pending: null });
  });

  it('with the link of another changes what the link is for, and nothing of their own', async () => {
    const { ann, email, token } = await asking();
    const bob = await person(server);
    expect((await confirm(token, { token: bob.token })).body).toEqual({ email });
    expect((await stateOf(ann)).email).toBe(email);
    expect((await stateOf(bob)).email).toBe(bob.email);
    // The link only confirms the address; it does not sign in.
    expect((await server.call('GET', '/api/v1/read_me', { token })).status).toBe(401);
  });

  it('guesses twenty times from an address, and then waits; others are not kept from theirs', async () => {
    const headers = fromElsewhere();
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await confirm(`${i}`.padEnd(43, 'x'), { headers })).status);
    expect(statuses.slice(0, 20).every(status => status === 400)).toBe(true);
    expect(statuses.slice(20)).toEqual([429, 429]);
    const { token } = await asking();
    expect((await confirm(token, { headers })).status).toBe(429);
    expect((await confirm(token)).status).toBe(200);
  });

  it('fills nobody’s mailbox: a few links to an address, no matter who asks, and a few for a user', async () => {
    const victim = 'victim@example.com';
    const headers = fromElsewhere();
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await change(await person(server), victim, headers)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const ann = await person(server);
    const own: number[] = [];
    for (let i = 0; i < 5; i++) own.push((await change(ann, `a${i}-${ann.email}`, headers)).status);
    expect(own).toEqual([200, 200, 200, 429, 429]);
    expect((await ann.call('POST', 'email_change')).body).toMatchObject({ pending: { email: `a2-${ann.email}` } });
  });

  it('gets no more links by asking in two places: for themselves, and as anyone who manages them', async () => {
    const owner = await person(server);
    const ann = await person(server, { accountId: owner.accountId, role: 'viewer' });
    const headers = fromElsewhere();
    const set = (email: string) =>
      server.call('PATCH', `/api/v1/update_my_user/${ann.userId}`, { token: owner.token, body: { email }, headers });
    const statuses: number[] = [];
    for (let i = 0; i < 2; i++) {
      statuses.push((await change(ann, `own${i}-${ann.email}`, headers)).status);
      statuses.push((await set(`set${i}-${ann.email}`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('chooses with no header of theirs where the link leads', async () => {
    const ann = await person(server);
    const email = `new-${ann.email}`;
    await change(ann, email, {
      ...{ host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
      ...{ forwarded: 'host=evil.example', origin: 'https://evil.example', referer: 'https://evil.example/' },
      ...fromElsewhere(),
    });
    const text = textOf(await linkMail(email));
    expect(text).toContain('https://fleet.example.com/login#email=');
    expect(text).not.toContain('evil');
  });

  it('at a screen left open gets no address in without the password, and none past a new password', async () => {
    const ann = await person(server);
    const body = { email: `eve-${ann.email}` };
    expect((await ann.call('PATCH', 'update_me', body)).body).toMatchObject({ code: 'wrong-password' });
    expect((await stateOf(ann)).pending).toBeNull();

    const changed = await asking();
    await changed.ann.call('PATCH', 'new_pass', { oldPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect(await confirm(changed.token)).toMatchObject(over);

    const owner = await person(server);
    const set = await asking({ accountId: owner.accountId, role: 'viewer' });
    await owner.call('PATCH', `update_my_user/${set.ann.userId}`, { password: NEW_PASSWORD });
    expect(await confirm(set.token)).toMatchObject(over);
  });

  it('finds no token in responses, the database or the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: line => void lines.push(line) });
    const own = await startHttpServer({ config: { smtpUrl: mailbox.url }, log });
    extra.push(own);
    const ann = await person(own);
    const email = `log-${ann.email}`;
    const answer = await ann.call('PATCH', 'update_me', { email, password: PASSWORD });
    const token = tokenIn(await linkMail(email));
    const stored = await own.context.db.system.selectFrom('email_change').selectAll().execute();
    expect(stored).toHaveLength(1);
    await own.call('POST', '/api/v1/confirm_email', { body: { token } });
    expect(lines.join('')).toContain('/api/v1/confirm_email');
    for (const text of [answer.text, JSON.stringify(stored), lines.join('')]) expect(text).not.toContain(token);
  });
});

describe('without a mail server', () => {
  const changed = async (options: Parameters<typeof startHttpServer>[0]) => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: line => void lines.push(line) });
    const own = await startHttpServer({ ...options, log });
    extra.push(own);
    const ann = await person(own);
    const answer = await ann.call('PATCH', 'update_me', { email: `new-${ann.email}`, password: PASSWORD });
    return { own, ann, answer, state: await stateOf(ann), log: lines.join('') };
  };

  it.each([{ demo: 'on' as const }, { config: { development: true } }])(
    'writes the link to the log of a demo and of a development server: %o',
    async options => {
      const { own, ann, log, state } = await changed(options);
      expect(state).toMatchObject({ email: ann.email, pending: { email: `new-${ann.email}` }, canSend: true });
      const token = /#email=([\w-]{43})/.exec(log)?.[1];
      expect((await own.call('POST', '/api/v1/confirm_email', { body: { token } })).status).toBe(200);
    },
  );

  it('an address holds at once, says that it is not confirmed, and no link is in the log', async () => {
    const { ann, answer, state, log } = await changed({});
    expect(answer.body).toEqual({ ok: true, pendingEmail: null });
    expect(state).toEqual({ email: `new-${ann.email}`, confirmed: false, pending: null, canSend: false });
    expect(log).not.toContain('#email=');
    expect((await ann.call('POST', 'email_change')).body).toMatchObject({ code: 'nothing-to-confirm' });
  });
});
