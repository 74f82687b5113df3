import type { Alert, Command } from '@milepost/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../testing/control-password.ts';
import { startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { addNamedVehicle, limit } from '../../testing/organisation.ts';
import { auditOf, PASSWORD, type Person, person } from '../../testing/people.ts';
import { receivedPosition, storePositions } from '../../testing/stored-positions.ts';

let server: TestHttpServer;
let first: Person;
let second: Person;
let vehicle: { readonly id: string; readonly imei: string };
let names = 0;
const told: string[] = [];

beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  first = await person(server);
  second = await person(server, { accountId: first.accountId, role: 'admin' });
  await setTestControlPassword(server, first);
  vehicle = await addNamedVehicle(server, first.accountId, `Truck ${++names}`);
  await reports();
  told.length = 0;
  server.connections.add({
    imei: vehicle.imei,
    identity: vehicle.imei,
    vehicleId: Number(vehicle.id),
    protocol: 'suntech',
    encode: text => Buffer.from(text),
    send: bytes => void told.push(Buffer.from(bytes).toString()),
    close: () => {},
  });
});
afterEach(() => {
  vi.useRealTimers();
  const connection = server.connections.find(vehicle.imei);
  if (connection) server.connections.remove(connection);
});

/** What the vehicle's tracker says; parked unless told otherwise. */
const reports = (fields: Parameters<typeof receivedPosition>[1] = {}, at = Date.now() - 500) =>
  storePositions(server, first.accountId, Number(vehicle.id), [receivedPosition(at, fields)]);

const STOP = { action: 'engineStop', mode: 'immediate' } as const;
type Wanted = { readonly action: string; readonly mode?: string };
const confirm = (who: Person, wanted: Wanted = STOP, more: object = {}) =>
  who.call('POST', 'confirm_control_pass', {
    ...wanted,
    imei: vehicle.imei,
    controlPassword: TEST_CONTROL_PASSWORD,
    ...more,
  });
const grantOf = async (who: Person, wanted?: Wanted, more?: object) =>
  ((await confirm(who, wanted, more)).body as { grant?: string }).grant ?? '';
const ask = async (who: Person, wanted: Wanted = STOP) =>
  who.call('POST', 'command', {
    ...wanted,
    imei: vehicle.imei,
    reason: 'stolen',
    grant: await grantOf(who, wanted),
  });
const asked = async (who: Person, wanted?: Wanted): Promise<Command> => {
  const { status, body } = await ask(who, wanted);
  expect([status, body]).toMatchObject([201, { state: 'awaiting-second', sent: 0, confirmedBy: null }]);
  return body as Command;
};
const agreeWith = (who: Person, { id }: Command, grant: string) => who.call('POST', `command/${id}/agree`, { grant });
const agree = async (who: Person, command: Command, wanted: Wanted = STOP) =>
  agreeWith(who, command, await grantOf(who, wanted, { commandId: command.id }));
/** The same user with another session, of this kind. */
async function inAnotherSession(who: Person, columns: { kind?: 'api-token'; read_only?: true } = {}): Promise<Person> {
  const { token, sessionId } = await server.sessions.open(who);
  const system = server.context.db.system.updateTable('session');
  await system
    .set({ read_only: false, ...columns })
    .where('id', '=', sessionId)
    .execute();
  const call: Person['call'] = (method, path, body) =>
    server.call(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) });
  return { ...who, token, sessionId, call };
}
const read = async ({ id }: Command) => (await first.call('GET', `command/${id}`)).body as Command;
const lastStep = async (command: Command) => {
  const { state, reason } = (await read(command)).steps.at(-1) ?? {};
  return [state, reason];
};
const outcome = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { code?: string }).code ?? 'ok'}`;
const alertsOf = async (who: Person) =>
  ((await who.call('GET', 'alert?open=true')).body as { alerts: Alert[]; unacknowledged: { critical: number } }) ?? [];

describe('[R7.35] what acts at once or resets a tracker', () => {
  it('waits for a second person, and leaves once they have confirmed it with a grant of their own', async () => {
    const command = await asked(first);
    expect(told).toEqual([]);
    const { body } = await agree(second, command);
    expect(body).toMatchObject({
      state: 'published',
      createdBy: { name: first.userName },
      confirmedBy: { id: second.userId, name: second.userName },
    });
    expect(told).toHaveLength(1);
    expect((body as Command).steps).toMatchObject([
      { state: 'awaiting-second', reason: 'asked', by: first.userName },
      { state: 'queued', reason: 'agreed', by: second.userName },
      { state: 'published', interlock: { holds: true } },
    ]);
    const deeds = (await auditOf(server, first.accountId)).map(({ action, user_name }) => `${action} ${user_name}`);
    expect(deeds).toContain(`command.agreed ${second.userName}`);
    expect(outcome(await agree(second, command))).toBe('409 command-decided');
  });

  it.each<[Wanted, string]>([
    [{ action: 'engineStop', mode: 'nextStop' }, 'published'],
    [{ action: 'engineResume' }, 'published'],
    [{ action: 'outputOn', mode: 'immediate' }, 'awaiting-second'],
    [{ action: 'factoryReset' }, 'awaiting-second'],
  ])('is told by the catalogue: %j is %s', async (wanted, state) => {
    const params = wanted.action === 'outputOn' ? { output: 1 } : {};
    const { body } = await first.call('POST', 'command', {
      ...wanted,
      params,
      imei: vehicle.imei,
      reason: 'stolen',
      grant: await grantOf(first, wanted),
    });
    expect(body).toMatchObject({ state });
  });

  it('has ten minutes to be confirmed, and from then on ten to leave', async () => {
    const command = await asked(first);
    const late = await asked(first, { action: 'factoryReset' });
    vi.setSystemTime(Date.now() + 500_000);
    await reports();
    const { body } = await agree(second, command);
    expect(Date.parse((body as Command).expiresAt)).toBeGreaterThan(Date.now() + 590_000);
    vi.setSystemTime(Date.now() + 110_000);
    await vi.waitFor(async () => expect(await lastStep(late)).toEqual(['expired', 'no-second-person']), {
      timeout: 8000,
    });
    expect(outcome(await agree(second, late, { action: 'factoryReset' }))).toBe('409 command-decided');
    expect(told).toHaveLength(1);
  });

  it('ends where they decline, with their reason', async () => {
    const command = await asked(first);
    expect(outcome(await second.call('POST', `command/${command.id}/decline`, { reason: '' }))).toBe(
      '400 invalid-input',
    );
    const { body } = await second.call('POST', `command/${command.id}/decline`, { reason: 'the driver is on board' });
    expect(body).toMatchObject({ state: 'cancelled' });
    expect((body as Command).steps.at(-1)).toMatchObject({
      reason: 'declined',
      by: second.userName,
      note: 'the driver is on board',
    });
    expect(outcome(await agree(second, command))).toBe('409 command-decided');
    expect(told).toEqual([]);
  });

  it('is confirmed and leaves only while the vehicle stands', async () => {
    const command = await asked(first);
    const grant = await grantOf(second, STOP, { commandId: command.id });
    await reports({ speed: 12 as never, ignition: true }, Date.now());
    expect(outcome(await agreeWith(second, command, grant))).toBe('409 interlock-fails');
    expect(outcome(await confirm(second, STOP, { commandId: command.id }))).toBe('409 interlock-fails');
    expect(await read(command)).toMatchObject({ state: 'awaiting-second' });
    expect(told).toEqual([]);
  });

  it('is called back by the first, and ends with their rights', async () => {
    const command = await asked(second);
    expect(outcome(await second.call('POST', `command/${command.id}/cancel`))).toBe('200 ok');
    const other = await asked(second);
    await server.context.db.system
      .updateTable('app_user')
      .set({ role: 'viewer' })
      .where('id', '=', second.userId)
      .execute();
    server.context.signals.emit('users-changed', { userIds: [second.userId] });
    await vi.waitFor(async () => expect(await lastStep(other)).toEqual(['cancelled', 'sender-lost-rights']));
  });

  it('does not leave once the second person might not confirm it any more', async () => {
    const connection = server.connections.find(vehicle.imei);
    if (connection) server.connections.remove(connection);
    const command = await asked(first);
    expect((await agree(second, command)).body).toMatchObject({ state: 'queued', waitingFor: 'tracker' });
    await limit(server.context, second, { folders: ['2000000000'] });
    server.context.signals.emit('users-changed', { userIds: [second.userId] });
    await vi.waitFor(async () => expect(await lastStep(command)).toEqual(['cancelled', 'sender-lost-rights']));
  });

  it('makes nothing pointless before it is confirmed', async () => {
    await reports({ speed: 12 as never, ignition: true }, Date.now() - 400);
    const { body } = await ask(first, { action: 'engineStop', mode: 'nextStop' });
    await server.context.db.system.deleteFrom('position').where('vehicle_id', '=', Number(vehicle.id)).execute();
    expect(body).toMatchObject({ state: 'queued', waitingFor: 'safe-stop' });
    const reset = await asked(first, { action: 'factoryReset' });
    expect(await read(body as Command)).toMatchObject({ state: 'queued' });
    const again = await asked(second, { action: 'factoryReset' });
    expect(await lastStep(reset)).toEqual(['cancelled', 'no-longer-applies']);
    expect(await read(again)).toMatchObject({ state: 'awaiting-second' });
  });
});

describe('[R7.35] the second person', () => {
  it('is somebody else: no other session of the first, no program, no visitor of a demo', async () => {
    const command = await asked(first);
    const elsewhere = await inAnotherSession(first);
    for (const self of [first, elsewhere]) {
      expect(outcome(await confirm(self, STOP, { commandId: command.id }))).toBe('403 second-person-is-you');
      expect(outcome(await agreeWith(self, command, 'cg_x'))).toBe('403 second-person-is-you');
      expect(outcome(await self.call('POST', `command/${command.id}/decline`, { reason: 'x' }))).toBe(
        '403 second-person-is-you',
      );
    }
    const program = await inAnotherSession(second, { kind: 'api-token' });
    expect(outcome(await confirm(program, STOP, { commandId: command.id }))).toBe('403 sign-in-needed');
    expect(outcome(await agreeWith(program, command, 'cg_x'))).toBe('403 sign-in-needed');
    const visitor = await inAnotherSession(second, { read_only: true });
    expect(outcome(await confirm(visitor, STOP, { commandId: command.id }))).toBe('403 read-only');
    expect(outcome(await agreeWith(visitor, command, 'cg_x'))).toBe('403 read-only');
    expect(told).toEqual([]);
  });

  it('may control, and sees the vehicle', async () => {
    const command = await asked(first);
    const dispatcher = await person(server, { accountId: first.accountId, role: 'dispatcher' });
    expect(outcome(await agreeWith(dispatcher, command, 'cg_x'))).toBe('403 not-allowed');
    await limit(server.context, second, { folders: ['2000000000'] });
    expect(outcome(await confirm(second, STOP, { commandId: command.id }))).toBe('404 not-found');
    expect(outcome(await agreeWith(second, command, 'cg_x'))).toBe('404 not-found');
    expect(outcome(await agreeWith(await person(server), command, 'cg_x'))).toBe('404 not-found');
  });

  it('brings a grant for this command, of their own and once', async () => {
    const command = await asked(first);
    const other = await asked(first, { action: 'factoryReset' });
    const third = await person(server, { accountId: first.accountId, role: 'admin' });
    const wrong = {
      'made up': 'cg_made-up',
      'for asking': await grantOf(second),
      'for another command': await grantOf(second, { action: 'factoryReset' }, { commandId: other.id }),
      'of somebody else': await grantOf(third, STOP, { commandId: command.id }),
    };
    for (const [what, grant] of Object.entries(wrong)) {
      expect([what, outcome(await agreeWith(second, command, grant))]).toEqual([what, '403 grant-refused']);
    }
    const own = await grantOf(second, STOP, { commandId: command.id });
    // A confirmation is no request.
    const { status, body } = await second.call('POST', 'command', {
      ...STOP,
      imei: vehicle.imei,
      reason: 'x',
      grant: own,
    });
    expect(outcome({ status, body })).toBe('403 grant-refused');
    const answers = await Promise.all(Array.from({ length: 10 }, () => agreeWith(second, command, own)));
    expect(answers.map(outcome).filter(each => each === '200 ok')).toHaveLength(1);
    expect(told).toHaveLength(1);
    expect(outcome(await agreeWith(second, other, own))).toBe('403 grant-refused');
  });

  it('has wrong passwords counted like everybody', async () => {
    const command = await asked(first);
    const wrong = { commandId: command.id, controlPassword: 'open sesame' };
    for (let i = 0; i < 4; i++) await confirm(second, STOP, wrong);
    expect(outcome(await confirm(second, STOP, wrong))).toBe('429 controls-locked');
    expect(outcome(await confirm(second, STOP, { commandId: command.id }))).toBe('429 controls-locked');
  });

  it('is no way round the database: nothing that needs two leaves for one', async () => {
    const command = await asked(first);
    const row = server.context.db.system.updateTable('command').where('id', '=', command.id);
    await expect(row.set({ state: 'queued' }).execute()).rejects.toThrow(/check/);
    await expect(row.set({ state: 'published', sent: 1 }).execute()).rejects.toThrow(/check/);
    await expect(row.set({ second_by: first.userId, second_by_name: 'me' }).execute()).rejects.toThrow(/check/);
  });
});

describe('[R7.35] who hears that somebody is needed', () => {
  it('is whoever could be it, until it is decided', async () => {
    const dispatcher = await person(server, { accountId: first.accountId, role: 'dispatcher' });
    const command = await asked(first);
    await vi.waitFor(async () => expect((await alertsOf(second)).alerts).toHaveLength(1));
    const { alerts, unacknowledged } = await alertsOf(second);
    expect(alerts[0]).toMatchObject({
      kind: 'secondPerson',
      severity: 'critical',
      commandId: command.id,
      askedBy: { id: first.userId, name: first.userName },
      closedAt: command.expiresAt,
    });
    expect(unacknowledged.critical).toBe(1);
    for (const who of [first, dispatcher]) {
      expect(await alertsOf(who)).toMatchObject({ alerts: [], unacknowledged: { critical: 0 } });
      const { status } = await who.call('POST', 'alert/acknowledge', { ids: [alerts[0]?.id] });
      expect(status).toBe(404);
    }
    // It is decided, not acknowledged away.
    expect(outcome(await second.call('POST', 'alert/acknowledge', { ids: [alerts[0]?.id] }))).toBe('200 ok');
    expect((await alertsOf(second)).alerts).toHaveLength(1);
    const awaiting = await second.call('GET', 'command?state=awaiting-second');
    expect(awaiting.body).toMatchObject([{ id: command.id, reason: 'stolen' }]);

    await agree(second, command);
    await vi.waitFor(async () => expect((await alertsOf(second)).alerts).toEqual([]));
    const { body } = await second.call('GET', 'alert?open=false');
    expect(body).toMatchObject({ alerts: [{ kind: 'secondPerson', acknowledgedBy: { id: second.userId } }] });
  });

  it('a command that fails afterwards is another alert', async () => {
    const command = await asked(first);
    vi.setSystemTime(Date.now() + 601_000);
    await vi.waitFor(async () => expect(await lastStep(command)).toEqual(['expired', 'no-second-person']), {
      timeout: 8000,
    });
    await vi.waitFor(async () =>
      expect((await alertsOf(first)).alerts).toMatchObject([{ kind: 'commandFailed', commandId: command.id }]),
    );
  });
});

describe('[R7.35] the rule of the second person', () => {
  const rule = async (who: Person) => (await who.call('GET', 'control_rules')).body;
  const change = (who: Person, secondPerson: boolean, controlPassword: string = TEST_CONTROL_PASSWORD) =>
    who.call('PATCH', 'control_rules', { secondPerson, controlPassword });
  const offer = async (who: Person) => (await who.call('GET', `command/offer?deviceId=${vehicle.id}`)).body;

  it('asks nobody where there is but one who may control, and holds as soon as there are two', async () => {
    const change = (columns: object) =>
      server.context.db.system.updateTable('app_user').set(columns).where('id', '=', second.userId).execute();
    await change({ active: false });
    expect(await rule(first)).toEqual({ secondPerson: true, people: 1, changedAt: null, changedBy: null });
    expect(await offer(first)).toMatchObject({ secondPeople: null });
    expect((await ask(first)).body).toMatchObject({ state: 'published' });
    await change({ active: true });
    expect(await rule(first)).toMatchObject({ people: 2 });
    expect(await offer(first)).toMatchObject({ secondPeople: 1 });
    await reports();
    await asked(first);
  });

  it('counts nobody who was invited and has not come', async () => {
    const { userId } = second;
    const { system } = server.context.db;
    await system.updateTable('app_user').set({ password_hash: null }).where('id', '=', userId).execute();
    await first.call('POST', `user/${userId}/invitation`);
    await system
      .insertInto('invitation')
      .values({
        user_id: userId,
        account_id: first.accountId,
        token_hash: Buffer.from(userId),
        expires_at: new Date(Date.now() + 60_000),
      })
      .onConflict(conflict => conflict.doNothing())
      .execute();
    expect(await rule(first)).toMatchObject({ people: 1 });
  });

  it('says at once where nobody else could confirm', async () => {
    await limit(server.context, second, { folders: ['2000000000'] });
    expect(await offer(first)).toMatchObject({ secondPeople: 0 });
    expect(outcome(await ask(first))).toBe('409 no-second-person');
    expect(told).toEqual([]);
  });

  it('is switched by an owner in person, with the control password', async () => {
    expect(outcome(await change(second, false))).toBe('403 not-allowed');
    expect(outcome(await change(first, false, 'open sesame'))).toBe('400 control-password-wrong');
    expect(outcome(await change(first, false, PASSWORD))).toBe('400 control-password-wrong');
    expect(await rule(first)).toMatchObject({ secondPerson: true });
    const waiting = await asked(first);
    expect((await change(first, false)).body).toMatchObject({
      secondPerson: false,
      people: 2,
      changedAt: expect.any(String),
      changedBy: first.userName,
    });
    const [entry] = await auditOf(server, first.accountId);
    expect(entry).toMatchObject({
      action: 'control-rules.changed',
      changes: [{ field: 'secondPerson', from: true, to: false }],
    });
    // What was asked for under the rule stays under it.
    expect(await read(waiting)).toMatchObject({ state: 'awaiting-second' });
    expect((await ask(first)).body).toMatchObject({ state: 'published' });
    expect((await change(first, true)).body).toMatchObject({ secondPerson: true });
    const program = await inAnotherSession(first, { kind: 'api-token' });
    expect(outcome(await change(program, false))).toBe('403 sign-in-needed');
  });
});
