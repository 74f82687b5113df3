import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../../testing/control-password.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { auditOf, PASSWORD, type Person, person } from '../../../testing/people.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

let server: TestHttpServer;
let owner: Person;
let vehicle: { readonly id: string; readonly imei: string };
let names = 0;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await person(server);
  await setTestControlPassword(server, owner);
  vehicle = await newVehicle(owner);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Parked, with a tracker that reported a moment ago and is not connected. */
async function newVehicle({ accountId }: Person) {
  const made = await addNamedVehicle(server, accountId, `Truck ${++names}`);
  await storePositions(server, accountId, Number(made.id), [receivedPosition(Date.now() - 1000)]);
  return made;
}
const confirm = (who: Person, more: object = {}) =>
  who.call('POST', 'confirm_control_pass', {
    action: 'engineStop',
    imei: vehicle.imei,
    controlPassword: TEST_CONTROL_PASSWORD,
    ...more,
  });
const grantOf = async (who: Person, more: object = {}) => {
  const { status, body } = await confirm(who, more);
  expect([status, body]).toEqual([200, expect.anything()]);
  return (body as { grant: string }).grant;
};
const stop = (who: Person, grant: string | undefined, more: object = {}) =>
  who.call('POST', 'command', { action: 'engineStop', imei: vehicle.imei, reason: 'stolen', grant, ...more });
const outcome = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { code?: string }).code ?? 'ok',
];

describe('[R7.15] [R7.35] a grant', () => {
  it('is asked for with the control password, and opens one command once', async () => {
    const { body } = await confirm(owner);
    expect(body).toEqual({
      ok: true,
      grant: expect.stringMatching(/^cg_.{43}$/),
      expiresIn: 60,
      interlock: expect.objectContaining({ holds: true }),
    });
    const { grant } = body as { grant: string };
    expect(outcome(await stop(owner, grant))).toEqual([201, 'ok']);
    expect(outcome(await stop(owner, grant))).toEqual([403, 'grant-refused']);
  });

  it('is used by one of twenty that come at once', async () => {
    const grant = await grantOf(owner);
    const answers = await Promise.all(Array.from({ length: 20 }, () => stop(owner, grant)));
    expect(answers.map(outcome).filter(([status]) => status === 201)).toHaveLength(1);
    expect(answers.map(outcome).filter(([, code]) => code === 'grant-refused')).toHaveLength(19);
    const rows = await server.context.db.system
      .selectFrom('command')
      .select('id')
      .where('imei', '=', vehicle.imei)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('is needed, and so is a reason', async () => {
    expect(outcome(await stop(owner, undefined))).toEqual([403, 'grant-needed']);
    expect(outcome(await stop(owner, 'cg_made-up'))).toEqual([403, 'grant-refused']);
    const { status, body } = await stop(owner, await grantOf(owner), { reason: '' });
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'reason', message: 'Enter a reason.' }] }]);
  });

  it.each<[string, () => Promise<{ status: number; body: unknown }>]>([
    ['another command', async () => stop(owner, await grantOf(owner, { action: 'engineResume' }))],
    ['another way', async () => stop(owner, await grantOf(owner), { mode: 'immediate' })],
    [
      'another vehicle',
      async () => {
        const grant = await grantOf(owner);
        vehicle = await newVehicle(owner);
        return stop(owner, grant);
      },
    ],
    [
      'another user',
      async () => stop(await person(server, { accountId: owner.accountId, role: 'admin' }), await grantOf(owner)),
    ],
    [
      'another session of the same user',
      async () => {
        const { token } = await server.sessions.open(owner);
        const call: Person['call'] = (method, path, body) => server.call(method, `/api/v1/${path}`, { token, body });
        return stop({ ...owner, token, call }, await grantOf(owner));
      },
    ],
  ])('is good for nothing else: %s', async (_, use) => {
    expect(outcome(await use())).toEqual([403, 'grant-refused']);
  });

  it('ends after a minute, with a new control password, and with the session', async () => {
    const late = await grantOf(owner);
    vi.setSystemTime(Date.now() + 61_000);
    expect(outcome(await stop(owner, late))).toEqual([403, 'grant-refused']);
    vi.useRealTimers();
    const closed = await grantOf(owner);
    const change = { password: PASSWORD, controlPassword: 'quite another' };
    expect(outcome(await owner.call('PATCH', 'control_pass', change))).toEqual([200, 'ok']);
    expect(outcome(await stop(owner, closed))).toEqual([403, 'grant-refused']);
    await confirm(owner, { controlPassword: 'quite another' });
    await server.sessions.end([owner.sessionId]);
    expect(
      await server.context.db.system
        .selectFrom('control_grant')
        .selectAll()
        .where('user_id', '=', owner.userId)
        .execute(),
    ).toEqual([]);
  });

  it('is no way round the database: without one there is no control command, and no grant twice', async () => {
    const { system } = server.context.db;
    await stop(owner, await grantOf(owner));
    const [row] = await system.selectFrom('command').selectAll().where('imei', '=', vehicle.imei).execute();
    if (!row) throw new Error('no command');
    const again = { ...row, params: '{}', steps: '[]', secrets: null, id: crypto.randomUUID() };
    await expect(system.insertInto('command').values(again).execute()).rejects.toThrow(/grant_hash/);
    await expect(
      system
        .insertInto('command')
        .values({ ...again, grant_hash: null })
        .execute(),
    ).rejects.toThrow(/check/);
  });

  it('is not given for now while the vehicle is not safely stopped', async () => {
    await storePositions(server, owner.accountId, Number(vehicle.id), [
      receivedPosition(Date.now(), { speed: 12 as never, ignition: true }),
    ]);
    expect(outcome(await confirm(owner, { mode: 'immediate' }))).toEqual([409, 'interlock-fails']);
    expect(outcome(await confirm(owner))).toEqual([200, 'ok']);
  });
});

describe('[R7.15] wrong control passwords', () => {
  const wrong = (who: Person) => confirm(who, { controlPassword: 'open sesame' });

  it('are counted down, then lock controls for 15 minutes, whatever comes after', async () => {
    const left: unknown[] = [];
    for (let i = 0; i < 4; i++) left.push(((await wrong(owner)).body as { params: { left: number } }).params.left);
    expect(left).toEqual([4, 3, 2, 1]);
    const fifth = await wrong(owner);
    expect(outcome(fifth)).toEqual([429, 'controls-locked']);
    expect(fifth.headers.get('retry-after')).toBe('900');
    expect(outcome(await confirm(owner))).toEqual([429, 'controls-locked']);
    expect((await owner.call('GET', `command/offer?deviceId=${vehicle.id}`)).body).toMatchObject({
      controlsLockedUntil: expect.any(String),
    });
    const refusals = (await auditOf(server, owner.accountId)).filter(({ action }) => action === 'control.refused');
    expect(refusals).toHaveLength(6);
    vi.setSystemTime(Date.now() + 901_000);
    expect(outcome(await confirm(owner))).toEqual([200, 'ok']);
  });

  it('lock for no longer because someone is impatient', async () => {
    const began = Date.now();
    const at = (minutes: number) => vi.setSystemTime(began + minutes * 60_000);
    at(0);
    for (let i = 0; i < 4; i++) await wrong(owner);
    at(5);
    expect((await wrong(owner)).headers.get('retry-after')).toBe('900');
    // The first tries no longer count; the lock lasts until minute 20.
    at(19);
    for (let i = 0; i < 6; i++) expect((await confirm(owner)).headers.get('retry-after')).toBe('60');
    at(20);
    expect((await wrong(owner)).body).toMatchObject({ params: { left: 4 } });
    expect(outcome(await confirm(owner))).toEqual([200, 'ok']);
  });

  it('lock the one who guesses and nobody else', async () => {
    for (let i = 0; i < 5; i++) await wrong(owner);
    expect(outcome(await confirm(await person(server, { accountId: owner.accountId })))).toEqual([200, 'ok']);
  });

  it('lock nobody else either when anyone who guesses goes on and on', async () => {
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    for (let i = 0; i < 60; i++) await wrong(admin);
    expect(outcome(await confirm(owner))).toEqual([200, 'ok']);
  });

  it('gain nothing by coming all at once', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => wrong(owner)));
    expect(answers.map(outcome).filter(([, code]) => code === 'control-password-wrong')).toHaveLength(4);
    expect(outcome(await confirm(owner))[1]).toBe('controls-locked');
  });

  it('are forgotten by a right one', async () => {
    for (let i = 0; i < 4; i++) await wrong(owner);
    expect(outcome(await confirm(owner))).toEqual([200, 'ok']);
    expect((await wrong(owner)).body).toMatchObject({ params: { left: 4 } });
  });

  it('say nothing about vehicles: one out of sight, another’s and none are the same', async () => {
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    await limit(server.context, admin, { folders: ['2000000000'] });
    const foreign = await newVehicle(await person(server));
    const answers = [];
    for (const imei of [vehicle.imei, foreign.imei, '352093081452251']) {
      for (const controlPassword of [TEST_CONTROL_PASSWORD, 'wrong'])
        answers.push(outcome(await confirm(admin, { imei, controlPassword })));
    }
    expect(new Set(answers.map(String))).toEqual(new Set(['404,not-found']));
  });
});

describe('the control password', () => {
  it('is set with one’s own, and is another one', async () => {
    const set = async (body: object) => owner.call('PATCH', 'control_pass', body);
    expect(outcome(await set({ password: 'not mine', controlPassword: 'abcdef' }))).toEqual([400, 'wrong-password']);
    expect(outcome(await set({ password: PASSWORD, controlPassword: PASSWORD }))).toEqual([
      400,
      'control-password-is-own',
    ]);
    expect(outcome(await set({ password: PASSWORD, controlPassword: 'abc' }))).toEqual([400, 'invalid-input']);
    expect(outcome(await set({ password: PASSWORD, controlPassword: 'abcdef' }))).toEqual([200, 'ok']);
    expect((await owner.call('GET', 'control_pass')).body).toEqual({
      set: true,
      setAt: expect.any(String),
      setBy: owner.userName,
      demoPassword: null,
    });
    const [entry] = await auditOf(server, owner.accountId);
    expect(entry).toMatchObject({ action: 'control-password.changed', changes: [{ to: '•••' }] });
  });

  it('is whole accounts’, and there are none without one', async () => {
    const other = await person(server);
    vehicle = await newVehicle(other);
    expect(outcome(await confirm(other))).toEqual([409, 'control-password-missing']);
  });

  it('ends when the user who set it leaves, or may set none any more', async () => {
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    await setTestControlPassword(server, admin);
    expect(outcome(await confirm(owner))).toEqual([200, 'ok']);
    const change = (columns: object) =>
      server.context.db.system.updateTable('app_user').set(columns).where('id', '=', admin.userId).execute();
    await change({ role: 'dispatcher' });
    expect(outcome(await confirm(owner))).toEqual([409, 'control-password-missing']);
    await change({ role: 'admin', active: false });
    expect((await owner.call('GET', 'control_pass')).body).toMatchObject({ set: false });
    await server.context.db.system.deleteFrom('app_user').where('id', '=', admin.userId).execute();
    expect(
      await server.context.db.system
        .selectFrom('control_password')
        .selectAll()
        .where('account_id', '=', owner.accountId)
        .execute(),
    ).toEqual([]);
  });
});
