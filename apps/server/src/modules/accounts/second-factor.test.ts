import { meSchema } from '@milepost/contract';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { auditOf, PASSWORD, type Person, person, signIn } from '../../../testing/people.ts';
import { makeSoftPasskey, type SoftPasskey, signWithSoftPasskey } from '../../../testing/soft-passkey.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

const PERIOD_MS = 30_000;
const app = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) });

/** A user with an authenticator app. `code` returns one not used before, which can be the next period's. */
async function withApp(options: Parameters<typeof person>[1] = {}) {
  const ann = await person(server, options);
  const started = await ann.call('POST', 'second_factor/totp', { password: PASSWORD });
  const { secret } = started.body as { secret: string };
  const confirmed = await ann.call('POST', 'second_factor/totp/confirm', { code: app(secret).generate() });
  expect(confirmed.status).toBe(200);
  const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
  const code = () => app(secret).generate({ timestamp: Date.now() + PERIOD_MS });
  return { ann, secret, recoveryCodes, code };
}

const ORIGIN = 'http://localhost:8080';

/** A user with a passkey. */
async function withPasskey(ann: Person, origin = ORIGIN) {
  const started = await ann.call('POST', 'second_factor/passkey/options', { password: PASSWORD });
  const { challengeId, options } = started.body as { challengeId: string; options: { challenge: string } };
  const { passkey, response } = makeSoftPasskey(options.challenge, 'localhost', origin);
  const made = await ann.call('POST', 'second_factor/passkey', { challengeId, name: 'Phone', response });
  return { passkey, made };
}

async function askForPasskey() {
  const { body } = await server.call('POST', '/api/v1/signin/passkey/options', { body: {} });
  return body as { challengeId: string; options: { challenge: string } };
}

const answerWith = (challengeId: string, response: unknown) =>
  server.call('POST', '/api/v1/signin/passkey', { body: { challengeId, response } });

async function signInWith(passkey: SoftPasskey, how: Parameters<typeof signWithSoftPasskey>[3] = {}, origin = ORIGIN) {
  const { challengeId, options } = await askForPasskey();
  return answerWith(challengeId, signWithSoftPasskey(passkey, options.challenge, origin, how));
}

describe('an authenticator app', () => {
  it('is asked for at sign-in once a code has shown that it is set up', async () => {
    const ann = await person(server);
    const started = await ann.call('POST', 'second_factor/totp', { password: PASSWORD });
    const { secret, uri } = started.body as { secret: string; uri: string };
    expect(uri).toMatch(/^otpauth:\/\/totp\/Milepost:.*secret=/);
    expect((await signIn(server, ann.userName)).status).toBe(200);
    expect((await ann.call('POST', 'second_factor/totp/confirm', { code: '000000' })).body).toMatchObject({
      code: 'wrong-code',
    });
    expect((await signIn(server, ann.userName)).status).toBe(200);
    await ann.call('POST', 'second_factor/totp/confirm', { code: app(secret).generate() });

    expect(await signIn(server, ann.userName)).toMatchObject({
      status: 401,
      body: { code: 'second-factor-needed', params: { methods: 'code' } },
    });
    const next = app(secret).generate({ timestamp: Date.now() + PERIOD_MS });
    const spaced = `${next.slice(0, 3)} ${next.slice(3)}`;
    expect((await signIn(server, ann.userName, { code: spaced })).status).toBe(200);
    expect((await ann.call('GET', 'second_factor')).body).toMatchObject({
      totp: { createdAt: expect.any(String) },
      recoveryCodesLeft: 10,
    });
  });

  it('is not asked for before the password is right', async () => {
    const { ann, code } = await withApp();
    expect((await signIn(server, ann.userName, { password: 'wrong', code: code() })).body).toMatchObject({
      code: 'wrong-credentials',
    });
  });

  it('accepts a code once, even in parallel, and no old ones', async () => {
    const { ann, secret, code } = await withApp();
    const next = code();
    const answers = await Promise.all([1, 2, 3].map(() => signIn(server, ann.userName, { code: next })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const old = app(secret).generate({ timestamp: Date.now() - 4 * PERIOD_MS });
    expect((await signIn(server, ann.userName, { code: old })).status).not.toBe(200);
  });

  it('limits guesses of codes', async () => {
    const { ann, code } = await withApp();
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push((await signIn(server, ann.userName, { code: `00000${i}` })).status);
    expect(statuses.slice(0, 5)).toEqual([400, 400, 400, 400, 400]);
    expect(statuses.slice(5)).toEqual([429, 429]);
    // Even the right code is refused for a while.
    expect((await signIn(server, ann.userName, { code: code() })).status).toBe(429);
  });

  it('is set up, replaced and removed only with the password', async () => {
    const { ann } = await withApp();
    expect((await ann.call('POST', 'second_factor/totp', { password: 'wrong' })).body).toMatchObject({
      code: 'wrong-password',
      errors: [{ field: 'password' }],
    });
    // A stolen session is not enough to replace the app.
    expect((await ann.call('POST', 'second_factor/totp', { password: PASSWORD })).body).toMatchObject({
      code: 'already-there',
    });
    expect((await ann.call('POST', 'second_factor/totp/remove', { password: 'wrong' })).status).toBe(400);
    expect((await ann.call('POST', 'second_factor/totp/remove', { password: PASSWORD })).status).toBe(200);
    expect((await signIn(server, ann.userName)).status).toBe(200);
    expect((await ann.call('GET', 'second_factor')).body).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
  });

  it('keeps its secret out of every answer but the first', async () => {
    const { ann, secret } = await withApp();
    for (const path of ['second_factor', 'read_me', 'read_my_users', 'audit']) {
      expect((await ann.call('GET', path)).text).not.toContain(secret);
    }
  });
});

describe('recovery codes', () => {
  it('work once each, in any spelling, and are counted', async () => {
    const { ann, recoveryCodes } = await withApp();
    expect(recoveryCodes).toHaveLength(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    const [first = ''] = recoveryCodes;
    expect((await signIn(server, ann.userName, { code: first.toLowerCase().replaceAll('-', '') })).status).toBe(200);
    expect((await signIn(server, ann.userName, { code: first })).body).toMatchObject({ code: 'wrong-code' });
    expect((await ann.call('GET', 'second_factor')).body).toMatchObject({ recoveryCodesLeft: 9 });
  });

  it('end when new ones are made', async () => {
    const { ann, recoveryCodes } = await withApp();
    const { body } = await ann.call('POST', 'second_factor/recovery_codes', { password: PASSWORD });
    const [renewed = ''] = (body as { recoveryCodes: string[] }).recoveryCodes;
    expect((await signIn(server, ann.userName, { code: recoveryCodes[0] })).status).toBe(400);
    expect((await signIn(server, ann.userName, { code: renewed })).status).toBe(200);
  });

  it('are kept as hashes', async () => {
    const { recoveryCodes } = await withApp();
    const stored = JSON.stringify(await server.context.db.system.selectFrom('recovery_code').selectAll().execute());
    for (const code of recoveryCodes) expect(stored).not.toContain(code);
  });
});

describe('a passkey', () => {
  it('signs in on its own, as password and second factor in one', async () => {
    const ann = await person(server);
    const { passkey, made } = await withPasskey(ann);
    expect(made).toMatchObject({ status: 201, body: { passkey: { name: 'Phone' }, recoveryCodes: expect.any(Array) } });
    const answer = await signInWith(passkey);
    expect(answer.status).toBe(200);
    const { token } = answer.body as { token: string };
    const me = meSchema.parse((await server.call('GET', '/api/v1/read_me', { token })).body);
    expect(me.userName).toBe(ann.userName);
    expect(await signIn(server, ann.userName)).toMatchObject({
      body: { code: 'second-factor-needed', params: { methods: 'passkey' } },
    });
    expect((await auditOf(server, ann.accountId))[0]).toMatchObject({
      action: 'session.opened',
      via: 'sign-in',
      changes: [{ field: 'with', to: 'passkey' }],
    });
  });

  it.each([
    ['from another site', (passkey: SoftPasskey) => signInWith(passkey, {}, 'https://evil.example')],
    ['without its owner being asked', (passkey: SoftPasskey) => signInWith(passkey, { flags: 0b1 })],
    ['for another host', (passkey: SoftPasskey) => signInWith({ ...passkey, rpId: 'evil.example' })],
    [
      'with another key',
      (passkey: SoftPasskey) => signInWith({ ...makeSoftPasskey('x', 'localhost', ORIGIN).passkey, id: passkey.id }),
    ],
    ['that nobody has', () => signInWith(makeSoftPasskey('x', 'localhost', ORIGIN).passkey)],
  ])('is refused %s, in the same words', async (_, attempt) => {
    const { passkey } = await withPasskey(await person(server));
    const { status, body } = await attempt(passkey);
    expect([status, body]).toMatchObject([400, { code: 'passkey-refused' }]);
  });

  it('answers a challenge once, and none of someone else', async () => {
    const [ann, eve] = [await person(server), await person(server)];
    const { passkey } = await withPasskey(ann);
    const { challengeId, options } = await askForPasskey();
    const response = signWithSoftPasskey(passkey, options.challenge, ORIGIN);
    expect((await answerWith(challengeId, response)).status).toBe(200);
    expect((await answerWith(challengeId, response)).status).toBe(400);

    // Eve can't use the challenge for Ann's new passkey, not even to sign in.
    const started = await ann.call('POST', 'second_factor/passkey/options', { password: PASSWORD });
    const hers = started.body as { challengeId: string; options: { challenge: string } };
    const made = makeSoftPasskey(hers.options.challenge, 'localhost', ORIGIN).response;
    const body = { challengeId: hers.challengeId, name: 'Mine', response: made };
    expect((await eve.call('POST', 'second_factor/passkey', body)).status).toBe(400);
  });

  it('that was copied is detected by its counter', async () => {
    const { passkey } = await withPasskey(await person(server));
    expect((await signInWith(passkey, { counter: 5 })).status).toBe(200);
    expect((await signInWith(passkey, { counter: 5 })).status).toBe(400);
    expect((await signInWith(passkey, { counter: 6 })).status).toBe(200);
  });

  it('is renamed, and removed with the password only', async () => {
    const ann = await person(server);
    const { passkey, made } = await withPasskey(ann);
    const { id } = (made.body as { passkey: { id: string } }).passkey;
    expect((await ann.call('PATCH', `second_factor/passkey/${id}`, { name: 'Key ring' })).body).toMatchObject({
      name: 'Key ring',
    });
    const remove = (password: string) => ann.call('POST', `second_factor/passkey/${id}/remove`, { password });
    expect((await remove('wrong')).status).toBe(400);
    expect((await remove(PASSWORD)).status).toBe(200);
    expect((await signInWith(passkey)).status).toBe(400);
    expect((await signIn(server, ann.userName)).status).toBe(200);
  });

  it('does not sign in a user whose access has ended', async () => {
    const ann = await person(server);
    const { passkey } = await withPasskey(ann);
    await server.context.db.system
      .updateTable('app_user')
      .set({ active: false })
      .where('id', '=', ann.userId)
      .execute();
    expect((await signInWith(passkey)).body).toMatchObject({ code: 'passkey-refused' });
  });
});

describe('a policy', () => {
  it('lets nobody go on who has no second factor, until they have one', async () => {
    const owner = await person(server);
    const viewer = await person(server, { accountId: owner.accountId, role: 'viewer' });
    const asked = await owner.call('PATCH', 'security_policy', { secondFactor: 'managers' });
    expect(asked.body).toEqual({ secondFactor: 'managers', missing: 1 });
    expect((await viewer.call('GET', 'device')).status).toBe(200);
    expect((await owner.call('GET', 'device')).body).toMatchObject({ code: 'must-set-up-second-factor' });
    expect((await owner.call('GET', 'read_me')).body).toMatchObject({
      duty: 'set-up-second-factor',
      permissions: ['profile.read', 'profile.write'],
    });
    expect((await owner.call('GET', 'second_factor')).body).toMatchObject({ required: true });
    await withPasskey(owner);
    expect((await owner.call('GET', 'read_me')).body).toMatchObject({ duty: null });
    expect((await owner.call('GET', 'device')).status).toBe(200);

    await owner.call('PATCH', 'security_policy', { secondFactor: 'everybody' });
    expect((await viewer.call('GET', 'device')).body).toMatchObject({ code: 'must-set-up-second-factor' });
  });
});
