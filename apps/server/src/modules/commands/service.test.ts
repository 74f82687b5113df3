import type { Command } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../../testing/control-password.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { auditOf, type Person, person } from '../../../testing/people.ts';
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
  vehicle = await newVehicle(owner);
});

/** Parked, heard over this protocol a moment ago, and not connected. */
async function newVehicle({ accountId }: Person, protocol: 'gt06' | 'osmand' | 'meitrack' = 'gt06') {
  const made = await addNamedVehicle(server, accountId, `Unit ${++names}`);
  await storePositions(server, accountId, Number(made.id), [receivedPosition(Date.now() - 1000, { protocol })]);
  return made;
}
const ask = (who: Person, body: object, imei = vehicle.imei) => who.call('POST', 'command', { imei, ...body });
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { code?: string }).code ?? 'ok'}`;
const colleague = (role: 'admin' | 'dispatcher' | 'viewer') => person(server, { accountId: owner.accountId, role });

describe('what is offered', () => {
  it('[R3.08] is what the tracker’s protocol has, with its maker’s names', async () => {
    const { body } = await owner.call('GET', `command/offer?deviceId=${vehicle.id}`);
    expect(body).toMatchObject({
      protocol: 'gt06',
      reachable: false,
      interlock: { holds: true },
      controlPasswordSet: false,
    });
    const { actions } = body as { actions: { action: string }[] };
    expect(actions).toContainEqual({
      action: 'engineStop',
      maker: 'RELAY',
      parameters: [],
      modes: ['nextStop', 'immediate'],
    });
    expect(actions.map(({ action }) => action)).not.toContain('lockDoors');
  });

  it('is nothing for a phone, which has no way back, nor for a tracker that never reported', async () => {
    const phone = await newVehicle(owner, 'osmand');
    expect((await owner.call('GET', `command/offer?deviceId=${phone.id}`)).body).toMatchObject({
      protocol: 'osmand',
      actions: [],
    });
    expect(codeOf(await ask(owner, { action: 'trackOnDemand' }, phone.imei))).toBe('409 command-not-offered');
    const silent = await addNamedVehicle(server, owner.accountId, 'Silent');
    expect((await owner.call('GET', `command/offer?deviceId=${silent.id}`)).body).toMatchObject({
      protocol: null,
      actions: [],
      interlock: { holds: false },
    });
  });

  it('is shown before it is sent, without its passwords', async () => {
    const meitrack = await newVehicle(owner, 'meitrack');
    const params = { host: 'track.example', port: 5020, apn: 'web', user: 'u', password: 's3cret' };
    const { body } = await owner.call('POST', 'command/preview', { imei: meitrack.imei, action: 'setServer', params });
    expect(body).toMatchObject({
      topic: `user/${meitrack.imei}`,
      expiresInS: 86_400,
      text: expect.stringContaining('track.example'),
    });
    expect(JSON.stringify(body)).not.toContain('s3cret');
    const sent = await ask(owner, { action: 'setServer', params }, meitrack.imei);
    expect(sent.status).toBe(201);
    expect(sent.text).not.toContain('s3cret');
    expect(JSON.stringify(await auditOf(server, owner.accountId))).not.toContain('s3cret');
    const id = (sent.body as Command).id;
    const kept = () =>
      server.context.db.system.selectFrom('command').selectAll().where('id', '=', id).executeTakeFirst();
    expect((await kept())?.secrets).toEqual({ password: 's3cret' });
    await owner.call('POST', `command/${id}/cancel`);
    expect(JSON.stringify(await kept())).not.toContain('s3cret');
  });
});

describe('anyone who asks', () => {
  it('[R7.34] may read, set or control by their role, and where they see the vehicle', async () => {
    const [admin, dispatcher, viewer] = await Promise.all([
      colleague('admin'),
      colleague('dispatcher'),
      colleague('viewer'),
    ]);
    const interval = { action: 'setGprsInterval', params: { seconds: 60 } };
    expect(codeOf(await ask(dispatcher, { action: 'getStatus' }))).toBe('201 ok');
    expect(codeOf(await ask(dispatcher, interval))).toBe('403 not-allowed');
    expect(codeOf(await ask(dispatcher, { action: 'engineStop', reason: 'x' }))).toBe('403 not-allowed');
    expect(codeOf(await ask(viewer, { action: 'getVersion' }))).toBe('403 not-allowed');
    expect(codeOf(await ask(admin, interval))).toBe('201 ok');
    const refusals = (await auditOf(server, owner.accountId)).filter(({ action }) => action === 'command.refused');
    expect(refusals.map(({ user_name }) => user_name)).toEqual([dispatcher.userName, dispatcher.userName]);
    await limit(server.context, dispatcher, { folders: ['2000000000'] });
    expect(codeOf(await ask(dispatcher, { action: 'getVersion' }))).toBe('404 not-found');
    expect((await dispatcher.call('GET', 'command')).body).toEqual([]);
  });

  it('may not at all in the public demo', async () => {
    const { token } = await signedIn(server, { accountId: owner.accountId, readOnly: true });
    const answer = await server.call('POST', '/api/v1/command', {
      token,
      body: { imei: vehicle.imei, action: 'getStatus' },
    });
    expect(codeOf(answer)).toBe('403 read-only');
  });

  it('hears what is wrong beside its field', async () => {
    const { body } = await ask(owner, { action: 'setGprsInterval', params: { seconds: 3 } });
    expect(body).toMatchObject({
      errors: [{ field: 'params.seconds', message: 'Choose between 10 seconds and 24 hours.' }],
    });
    expect(codeOf(await ask(owner, { action: 'getStatus', mode: 'immediate' }))).toBe('400 invalid-input');
    expect(codeOf(await ask(owner, { action: 'fly' }))).toBe('400 invalid-input');
  });

  it('waits ten seconds before the same question, and for fewer open commands', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(owner, { action: 'getStatus' })));
    expect(answers.map(codeOf).sort()).toEqual(['201 ok', ...Array(5).fill('429 command-too-soon')]);
    expect(codeOf(await ask(owner, { action: 'getVersion' }))).toBe('201 ok');
    vi.setSystemTime(Date.now() + 10_000);
    const again = await ask(owner, { action: 'getStatus' });
    vi.useRealTimers();
    expect(codeOf(again)).toBe('201 ok');
    // The older one of two that wait is pointless.
    const { body } = await owner.call('GET', `command?deviceId=${vehicle.id}&open=true`);
    expect((body as Command[]).map(({ action }) => action).sort()).toEqual(['getStatus', 'getVersion']);
  });
});

describe('the list', () => {
  it('is read page by page, the newest first, of one vehicle or all', async () => {
    for (const action of ['getStatus', 'getVersion', 'getParams', 'trackOnDemand']) await ask(owner, { action });
    const other = await newVehicle(owner);
    await ask(owner, { action: 'getStatus' }, other.imei);
    const page = async (query: string) => (await owner.call('GET', `command?${query}`)).body as Command[];
    const first = await page(`deviceId=${vehicle.id}&limit=3`);
    const rest = await page(`deviceId=${vehicle.id}&limit=3&before=${first.at(-1)?.id}`);
    expect([...first, ...rest].map(({ action }) => action)).toEqual([
      'trackOnDemand',
      'getParams',
      'getVersion',
      'getStatus',
    ]);
    expect(await page('')).toHaveLength(5);
    expect(codeOf(await (await person(server)).call('GET', `command/${first[0]?.id}`))).toBe('404 not-found');
  });

  it('tells every step as it is taken', async () => {
    const told: Command[] = [];
    const stop = server.context.signals.on('command-changed', ({ accountId, command }) => {
      if (accountId === owner.accountId) told.push(command);
    });
    const { body } = await ask(owner, { action: 'getStatus' });
    await owner.call('POST', `command/${(body as Command).id}/cancel`);
    stop();
    expect(told.map(({ state, waitingFor }) => [state, waitingFor])).toEqual([
      ['queued', null],
      ['queued', 'tracker'],
      ['cancelled', null],
    ]);
  });
});

it('ends with its vehicle, and the audit log says so', async () => {
  await setTestControlPassword(server, owner);
  const wanted = { action: 'engineStop', imei: vehicle.imei };
  const confirmed = await owner.call('POST', 'confirm_control_pass', {
    ...wanted,
    controlPassword: TEST_CONTROL_PASSWORD,
  });
  await ask(owner, { ...wanted, grant: (confirmed.body as { grant: string }).grant, reason: 'sold' });
  const told: Command[] = [];
  const stop = server.context.signals.on('command-changed', ({ vehicleId, command }) => {
    if (String(vehicleId) === vehicle.id) told.push(command);
  });
  await owner.call('DELETE', `device/${vehicle.id}`);
  await expect.poll(() => told.at(-1)?.steps.at(-1)).toMatchObject({ state: 'cancelled', reason: 'vehicle-gone' });
  stop();
  const ended = (await auditOf(server, owner.accountId)).find(({ action }) => action === 'command.ended');
  expect(ended).toMatchObject({
    changes: expect.arrayContaining([{ field: 'reason', from: null, to: 'vehicle-gone' }]),
  });
});
