import { RECOVERY_TRIES } from '@milepost/contract';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { type Mailbox, type ReceivedMail, startMailbox } from '../../../testing/mailbox.ts';
import { auditOf, PASSWORD, type Person, person, signIn } from '../../../testing/people.ts';

const NEW_PASSWORD = 'another sentence nobody guesses';
const OTHER = 'a third sentence nobody guesses';
let mailbox: Mailbox;
let server: TestHttpServer;
let asked = 0;

beforeAll(async () => {
  mailbox = await startMailbox();
  // A different IP address for each request: limits by address have their own tests.
  server = await startHttpServer({
    config: {
      smtpUrl: mailbox.url,
      http: { host: '127.0.0.1', port: 0, publicUrl: 'http://localhost:8080', trustedProxies: ['127.0.0.1'] },
    },
  });
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});
const extra: TestHttpServer[] = [];
afterEach(async () => {
  await Promise.all(extra.splice(0).map(each => each.close()));
});

const ask = (userName: string, from = server) =>
  from.call('POST', '/api/v1/user-forgot-password', {
    body: { userName },
    headers: { 'x-forwarded-for': `203.0.113.${asked++ % 250}` },
  });
const verifyData = ({ body }: { readonly body: unknown }) =>
  (body as { data: { verifyData: { id: string; token: string; expiresAt: string } } }).data.verifyData;
const verify = ({ id, token }: { id: string; token: string }, code: string, from = server) =>
  from.call('POST', `/api/v1/verify-code/${id}/${token}`, { body: { code } });
const reset = (id: string, body: unknown) => server.call('PATCH', `/api/v1/user-reset-password/${id}`, { body });
/** The next mail with a code; skips notices from other tests. */
async function codeMail(): Promise<ReceivedMail> {
  const mail = await mailbox.take();
  return isCodeMail(mail) ? mail : codeMail();
}
const isCodeMail = ({ text }: ReceivedMail): boolean => text.includes('Subject: Your password reset code');
const codeIn = (text: string) => /(\d{3}) (\d{3})/.exec(text)?.slice(1).join('') ?? '';
const proofOf = ({ body }: { readonly body: unknown }) => (body as { data: { proof: string } }).data.proof;
const member = ({ accountId }: Person) => person(server, { accountId, role: 'viewer' });
async function confirmAnotherAddress({ email, token }: Person) {
  const body = { email: `other-${email}`, password: PASSWORD };
  const asked = await server.call('PATCH', '/api/v1/update_me', { token, body });
  expect(asked.body).toMatchObject({ pendingEmail: body.email });
  const link = () => mailbox.mails.find(({ to }) => to.includes(body.email))?.text.replace(/=\r?\n/g, '') ?? '';
  await expect.poll(link).toContain('#email=3D');
  return server.call('POST', '/api/v1/confirm_email', { body: { token: /#email=3D([\w-]{43})/.exec(link())?.[1] } });
}
const rowOf = (id: string) =>
  server.context.db.system.selectFrom('password_recovery').selectAll().where('id', '=', id).executeTakeFirst();

describe('[R4.15] a forgotten password', () => {
  it('[R7.08] [R7.09] [R7.10] is asked for, proved by the code in a mail, and set again', async () => {
    const ann = await person(server);
    const data = verifyData(await ask(ann.userName));
    const mail = await codeMail();
    expect(mail.to).toEqual([ann.email]);
    const code = codeIn(mail.text);
    const proof = proofOf(await verify(data, `${code.slice(0, 3)} ${code.slice(3)}`));
    expect(await reset(data.id, { proof, password: NEW_PASSWORD })).toMatchObject({ status: 200, body: { ok: true } });

    expect((await mailbox.take()).text).toContain('Your password was changed.');

    expect((await signIn(server, ann.userName, { password: NEW_PASSWORD })).status).toBe(200);
    expect((await signIn(server, ann.userName)).status).toBe(401);
    // The old password's sessions have ended.
    expect((await ann.call('GET', 'read_me')).status).toBe(401);
    expect((await auditOf(server, ann.accountId)).map(entry => entry.action)).toEqual(
      expect.arrayContaining(['password.recovery-asked', 'password.recovered']),
    );
  });

  it('is found by e-mail address, too, whatever its capitals', async () => {
    const ann = await person(server);
    const data = verifyData(await ask(ann.email.toUpperCase()));
    expect((await verify(data, codeIn((await codeMail()).text))).status).toBe(200);
  });

  it('signs nobody in, and still requires the second factor', async () => {
    const ann = await person(server);
    await server.context.db.system
      .insertInto('totp')
      .values({
        user_id: ann.userId,
        account_id: ann.accountId,
        secret: Buffer.alloc(20),
        confirmed_at: new Date(),
      })
      .execute();
    const data = verifyData(await ask(ann.userName));
    const proof = proofOf(await verify(data, codeIn((await codeMail()).text)));
    const answer = await reset(data.id, { proof, password: NEW_PASSWORD });
    expect(answer.text).toBe('{"ok":true}');
    expect((await signIn(server, ann.userName, { password: NEW_PASSWORD })).body).toMatchObject({
      code: 'second-factor-needed',
    });
  });

  it('refuses common passwords, and allows another try', async () => {
    const ann = await person(server);
    const data = verifyData(await ask(ann.userName));
    const proof = proofOf(await verify(data, codeIn((await codeMail()).text)));
    for (const password of ['short', 'qwertyqwerty', `${ann.userName} and more`, 'milepost milepost', '123456123456']) {
      const { status, body } = await reset(data.id, { proof, password });
      expect([password, status, body]).toMatchObject([password, 400, { errors: [{ field: 'password' }] }]);
    }
    expect((await reset(data.id, { proof, password: NEW_PASSWORD })).status).toBe(200);
  });
});

describe('anyone who guesses', () => {
  it('learns from no answer whether someone exists', async () => {
    const ann = await person(server);
    const gone = await person(server);
    await server.context.db.system
      .updateTable('app_user')
      .set({ active: false })
      .where('id', '=', gone.userId)
      .execute();
    const mails = mailbox.mails.filter(isCodeMail).length;
    const known = await ask(ann.userName);
    const answers = [known, await ask('nobody.at.all'), await ask('nobody@example.com'), await ask(gone.userName)];
    await codeMail();
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(Object.keys(verifyData(answer))).toEqual(['id', 'token', 'expiresAt']);
      expect(answer.text.length).toBe(known.text.length);
    }
    const wrong = await Promise.all(answers.map(answer => verify(verifyData(answer), '000000')));
    const words = wrong.map(({ status, body }) => [status, { ...(body as object), instance: '' }]);
    expect(words[0]).toMatchObject([400, { code: 'recovery-code-wrong' }]);
    for (const each of words) expect(each).toEqual(words[0]);
    // The same work for each: a code is hashed and stored for unknown names, too.
    for (const answer of answers) {
      expect((await rowOf(verifyData(answer).id))?.code_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    }
    expect(mailbox.mails.filter(isCodeMail).length).toBe(mails + 1);
  });

  it('finds no code in responses, the database or the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: line => void lines.push(line) });
    const own = await startHttpServer({ config: { smtpUrl: mailbox.url }, log });
    extra.push(own);
    const ann = await person(own);
    const answer = await ask(ann.userName, own);
    const code = codeIn((await codeMail()).text);
    expect(code).toMatch(/^\d{6}$/);
    expect(answer.text).not.toContain(code);
    const stored = await own.context.db.system.selectFrom('password_recovery').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(code);
    await verify(verifyData(answer), code, own);
    expect(lines.join('')).toContain('/api/v1/user-forgot-password');
    for (const secret of [code, verifyData(answer).token, ann.email, PASSWORD]) {
      expect(lines.join('')).not.toContain(secret);
    }
  });

  it('has five tries, also at once, and then not even the right code helps', async () => {
    const ann = await person(server);
    const data = verifyData(await ask(ann.userName));
    const code = codeIn((await codeMail()).text);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const guesses = await Promise.all(Array.from({ length: 20 }, () => verify(data, wrong)));
    expect(guesses.every(({ status }) => status === 400 || status === 429)).toBe(true);
    expect((await rowOf(data.id))?.tries).toBeLessThanOrEqual(RECOVERY_TRIES);
    expect((await verify(data, code)).status).not.toBe(200);
  });

  it.each<[string, (ann: Person, owner: Person) => Promise<unknown>]>([
    [
      'a new password of their own',
      ann => ann.call('PATCH', 'new_pass', { oldPassword: PASSWORD, newPassword: OTHER }),
    ],
    [
      'one that was set for them',
      (ann, owner) => owner.call('PATCH', `update_my_user/${ann.userId}`, { password: OTHER }),
    ],
    ['an address that was taken away', ann => ann.call('PATCH', 'update_me', { email: '', password: PASSWORD })],
    ['an address that was confirmed', confirmAnotherAddress],
  ])('gets no further with a code or a proof from before %s', async (_, change) => {
    const owner = await person(server);
    const [asking, proving] = [await member(owner), await member(owner)];
    const asked = verifyData(await ask(asking.userName));
    const code = codeIn((await codeMail()).text);
    const proved = verifyData(await ask(proving.userName));
    const proof = proofOf(await verify(proved, codeIn((await codeMail()).text)));
    for (const ann of [asking, proving]) expect(await change(ann, owner)).toMatchObject({ status: 200 });
    expect(await verify(asked, code)).toMatchObject({ status: 400, body: { code: 'recovery-code-wrong' } });
    expect(await reset(proved.id, { proof, password: NEW_PASSWORD })).toMatchObject({
      status: 400,
      body: { code: 'recovery-code-wrong' },
    });
  });

  it('has ten minutes for the code, and ten for the password', async () => {
    const ann = await person(server);
    const data = verifyData(await ask(ann.userName));
    const code = codeIn((await codeMail()).text);
    const left = Date.parse(data.expiresAt) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(600_000);
    const age = (expires: Date) =>
      server.context.db.system
        .updateTable('password_recovery')
        .set({ expires_at: expires })
        .where('id', '=', data.id)
        .execute();
    await age(new Date(Date.now() - 1));
    expect((await verify(data, code)).status).toBe(400);
    await age(new Date(Date.now() + 60_000));
    const proof = proofOf(await verify(data, code));
    await age(new Date(Date.now() - 1));
    expect((await reset(data.id, { proof, password: NEW_PASSWORD })).status).toBe(400);
    expect((await signIn(server, ann.userName)).status).toBe(200);
  });

  it('uses a code once, and a proof once, also at once', async () => {
    const ann = await person(server);
    const data = verifyData(await ask(ann.userName));
    const code = codeIn((await codeMail()).text);
    const verified = await Promise.all([verify(data, code), verify(data, code), verify(data, code)]);
    expect(verified.filter(({ status }) => status === 200)).toHaveLength(1);
    const proof = proofOf(verified.find(({ status }) => status === 200) ?? { body: {} });
    const passwords = ['one sentence nobody guesses', 'two sentences nobody guesses'];
    const resets = await Promise.all(passwords.map(password => reset(data.id, { proof, password })));
    expect(resets.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await verify(data, code)).status).toBe(400);
  });

  it('gets nowhere with the bare id, a made-up proof, or the proof of another', async () => {
    const [ann, eve] = [await person(server), await person(server)];
    const annas = verifyData(await ask(ann.userName));
    await codeMail();
    const eves = verifyData(await ask(eve.userName));
    const proof = proofOf(await verify(eves, codeIn((await codeMail()).text)));
    for (const [id, body] of [
      [annas.id, { password: NEW_PASSWORD }],
      [annas.id, { proof: '', password: NEW_PASSWORD }],
      [annas.id, { proof: annas.token, password: NEW_PASSWORD }],
      [annas.id, { proof, password: NEW_PASSWORD }],
      [ann.userId, { proof, password: NEW_PASSWORD }],
      [eves.id, { proof, password: NEW_PASSWORD, userId: ann.userId }],
    ] as const) {
      expect((await reset(id, body)).status).toBe(400);
    }
    expect((await verify({ id: annas.id, token: eves.token }, '123456')).status).toBe(400);
    expect((await signIn(server, ann.userName)).status).toBe(200);
  });

  it('asks for a few codes and then waits, without a word on whether there is such a user', async () => {
    const ann = await person(server);
    for (const name of [ann.userName, 'nobody.of.that.name']) {
      const statuses: number[] = [];
      for (let i = 0; i < 7; i++) {
        statuses.push((await server.call('POST', '/api/v1/user-forgot-password', { body: { userName: name } })).status);
      }
      expect([name, statuses]).toEqual([name, [200, 200, 200, 429, 429, 429, 429]]);
    }
    for (let i = 0; i < 3; i++) await codeMail();
  });

  it('keeps its code when another user requests one for the same name', async () => {
    const ann = await person(server);
    const anns = verifyData(await ask(ann.userName));
    const code = codeIn((await codeMail()).text);
    for (let i = 0; i < 3; i++) await ask(ann.userName);
    for (let i = 0; i < 3; i++) await codeMail();
    expect((await verify(anns, code)).status).toBe(200);
  });

  it('works from an address the user signed in from, no matter how often others request it in their name', async () => {
    const ann = await person(server);
    const home = { 'x-forwarded-for': '198.51.100.7' };
    const body = { userName: ann.userName, password: PASSWORD };
    expect((await server.call('POST', '/api/v1/signin', { body, headers: home })).status).toBe(200);
    const statuses: number[] = [];
    for (let i = 0; i < 8; i++) statuses.push((await ask(i % 2 === 0 ? ann.userName : ann.email)).status);
    // Requests by user name and by email address are counted together.
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    const own = { body: { userName: ann.userName }, headers: home };
    expect((await server.call('POST', '/api/v1/user-forgot-password', own)).status).toBe(200);
    for (let i = 0; i < 7; i++) await codeMail();
  });
});

describe('without a mail server', () => {
  const logged = async (options: Parameters<typeof startHttpServer>[0]): Promise<string> => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: line => void lines.push(line) });
    const own = await startHttpServer({ ...options, log });
    extra.push(own);
    const ann = await person(own, { email: null });
    await ask(ann.userName, own);
    return lines.join('');
  };

  it('writes the code to the log of a demo and of a development server', async () => {
    expect(await logged({ demo: 'on' })).toMatch(/"code":"\d{6}"/);
    expect(await logged({ config: { development: true } })).toMatch(/"code":"\d{6}"/);
  });

  it('writes nothing that lets anybody in to the log of an installation, and says what to do', async () => {
    const text = await logged({});
    expect(text).not.toMatch(/"code":"\d{6}"/);
    expect(text).toContain('SMTP_URL is not set');
  });
});
