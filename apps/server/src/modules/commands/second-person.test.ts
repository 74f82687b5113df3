import type { Alert, Command } from '@milepost/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { limit } from '../../../testing/organisation.ts';
import { auditOf, type Person, person } from '../../../testing/people.ts';
import {
  inAnotherSession,
  outcome,
  STOP,
  type TwoPeople,
  twoPeople,
  type Wanted,
} from '../../../testing/two-people.ts';

let server: TestHttpServer;
let two: TwoPeople;
let first: Person;
let second: Person;
let vehicle: TwoPeople['vehicle'];

beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  two = await twoPeople(server);
  ({ first, second, vehicle } = two);
});
afterEach(() => {
  vi.useRealTimers();
  two.hangUp();
});

const alertsOf = async (who: Person) =>
  ((await who.call('GET', 'alert?open=true')).body as { alerts: Alert[]; unacknowledged: { critical: number } }) ?? [];

describe('[R7.35] what acts at once or resets a tracker', () => {
  it('waits for a second person, and leaves once they have confirmed it with a grant of their own', async () => {
    const command = await two.asked(first);
    expect(two.told).toEqual([]);
    const { body } = await two.agree(second, command);
    expect(body).toMatchObject({
      state: 'published',
      createdBy: { name: first.userName },
      confirmedBy: { id: second.userId, name: second.userName },
    });
    expect(two.told).toHaveLength(1);
    expect((body as Command).steps).toMatchObject([
      { state: 'awaiting-second', reason: 'asked', by: first.userName },
      { state: 'queued', reason: 'agreed', by: second.userName },
      { state: 'published', interlock: { holds: true } },
    ]);
    const deeds = (await auditOf(server, first.accountId)).map(({ action, user_name }) => `${action} ${user_name}`);
    expect(deeds).toContain(`command.agreed ${second.userName}`);
    expect(outcome(await two.agree(second, command))).toBe('409 command-decided');
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
      grant: await two.grantOf(first, wanted),
    });
    expect(body).toMatchObject({ state });
  });

  it('has ten minutes to be confirmed, and from then on ten to leave', async () => {
    const command = await two.asked(first);
    const late = await two.asked(first, { action: 'factoryReset' });
    vi.setSystemTime(Date.now() + 500_000);
    await two.reports();
    const { body } = await two.agree(second, command);
    expect(Date.parse((body as Command).expiresAt)).toBeGreaterThan(Date.now() + 590_000);
    vi.setSystemTime(Date.now() + 110_000);
    await vi.waitFor(async () => expect(await two.lastStep(late)).toEqual(['expired', 'no-second-person']), {
      timeout: 35_000,
    });
    expect(outcome(await two.agree(second, late, { action: 'factoryReset' }))).toBe('409 command-decided');
    expect(two.told).toHaveLength(1);
  });

  it.each(['agree', 'decline'])(
    'is over after its ten minutes, however late the clock is looked at: %s',
    async decision => {
      // The dispatcher's own clock stands still.
      vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
      const own = await startHttpServer();
      try {
        const late = await twoPeople(own);
        const command = await late.asked(late.first);
        vi.setSystemTime(Date.now() + 590_000);
        await late.reports();
        const grant = await late.grantOf(late.second, STOP, { commandId: command.id });
        vi.setSystemTime(Date.now() + 10_000);
        await late.reports();
        expect(await late.lastStep(command)).toEqual(['awaiting-second', 'asked']);
        const body = decision === 'agree' ? { grant } : { reason: 'too late' };
        const answer = await late.second.call('POST', `command/${command.id}/${decision}`, body);
        expect(outcome(answer)).toBe('409 command-decided');
        expect(await late.lastStep(command)).toEqual(['expired', 'no-second-person']);
        expect(late.told).toEqual([]);
      } finally {
        await own.close();
      }
    },
  );

  it('ends where they decline, with their reason', async () => {
    const command = await two.asked(first);
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
    expect(outcome(await two.agree(second, command))).toBe('409 command-decided');
    expect(two.told).toEqual([]);
  });

  it('is confirmed and leaves only while the vehicle stands', async () => {
    const command = await two.asked(first);
    const grant = await two.grantOf(second, STOP, { commandId: command.id });
    await two.reports({ speed: 12 as never, ignition: true }, Date.now());
    expect(outcome(await two.agreeWith(second, command, grant))).toBe('409 interlock-fails');
    expect(outcome(await two.confirm(second, STOP, { commandId: command.id }))).toBe('409 interlock-fails');
    expect(await two.read(command)).toMatchObject({ state: 'awaiting-second' });
    expect(two.told).toEqual([]);
  });

  it('is called back by the first, and ends with their rights', async () => {
    const command = await two.asked(second);
    expect(outcome(await second.call('POST', `command/${command.id}/cancel`))).toBe('200 ok');
    const other = await two.asked(second);
    await server.context.db.system
      .updateTable('app_user')
      .set({ role: 'viewer' })
      .where('id', '=', second.userId)
      .execute();
    server.context.signals.emit('users-changed', { userIds: [second.userId] });
    await expect.poll(() => two.lastStep(other)).toEqual(['cancelled', 'sender-lost-rights']);
  });

  it('does not leave once the second person might not confirm it any more', async () => {
    two.hangUp();
    const command = await two.asked(first);
    expect((await two.agree(second, command)).body).toMatchObject({ state: 'queued', waitingFor: 'tracker' });
    await limit(server.context, second, { folders: ['2000000000'] });
    server.context.signals.emit('users-changed', { userIds: [second.userId] });
    await expect.poll(() => two.lastStep(command)).toEqual(['cancelled', 'sender-lost-rights']);
  });

  it('makes nothing pointless before it is confirmed', async () => {
    await two.reports({ speed: 12 as never, ignition: true }, Date.now() - 400);
    const { body } = await two.ask(first, { action: 'engineStop', mode: 'nextStop' });
    await server.context.db.system.deleteFrom('position').where('vehicle_id', '=', Number(vehicle.id)).execute();
    expect(body).toMatchObject({ state: 'queued', waitingFor: 'safe-stop' });
    const reset = await two.asked(first, { action: 'factoryReset' });
    expect(await two.read(body as Command)).toMatchObject({ state: 'queued' });
    const again = await two.asked(second, { action: 'factoryReset' });
    expect(await two.lastStep(reset)).toEqual(['cancelled', 'no-longer-applies']);
    expect(await two.read(again)).toMatchObject({ state: 'awaiting-second' });
  });
});

describe('[R7.35] the second person', () => {
  it('is someone else: no other session of the first, no program, no visitor of a demo', async () => {
    const command = await two.asked(first);
    const elsewhere = await inAnotherSession(server, first);
    for (const self of [first, elsewhere]) {
      expect(outcome(await two.confirm(self, STOP, { commandId: command.id }))).toBe('403 second-person-is-you');
      expect(outcome(await two.agreeWith(self, command, 'cg_x'))).toBe('403 second-person-is-you');
      expect(outcome(await self.call('POST', `command/${command.id}/decline`, { reason: 'x' }))).toBe(
        '403 second-person-is-you',
      );
    }
    const program = await inAnotherSession(server, second, { kind: 'api-token' });
    expect(outcome(await two.confirm(program, STOP, { commandId: command.id }))).toBe('403 sign-in-needed');
    expect(outcome(await two.agreeWith(program, command, 'cg_x'))).toBe('403 sign-in-needed');
    const visitor = await inAnotherSession(server, second, { read_only: true });
    expect(outcome(await two.confirm(visitor, STOP, { commandId: command.id }))).toBe('403 read-only');
    expect(outcome(await two.agreeWith(visitor, command, 'cg_x'))).toBe('403 read-only');
    expect(two.told).toEqual([]);
  });

  it('may control, and sees the vehicle', async () => {
    const command = await two.asked(first);
    const dispatcher = await person(server, { accountId: first.accountId, role: 'dispatcher' });
    expect(outcome(await two.agreeWith(dispatcher, command, 'cg_x'))).toBe('403 not-allowed');
    await limit(server.context, second, { folders: ['2000000000'] });
    expect(outcome(await two.confirm(second, STOP, { commandId: command.id }))).toBe('404 not-found');
    expect(outcome(await two.agreeWith(second, command, 'cg_x'))).toBe('404 not-found');
    expect(outcome(await two.agreeWith(await person(server), command, 'cg_x'))).toBe('404 not-found');
  });

  it('brings a grant for this command, of their own and once', async () => {
    const command = await two.asked(first);
    const other = await two.asked(first, { action: 'factoryReset' });
    const third = await person(server, { accountId: first.accountId, role: 'admin' });
    const wrong = {
      'made up': 'cg_made-up',
      'for asking': await two.grantOf(second),
      'for another command': await two.grantOf(second, { action: 'factoryReset' }, { commandId: other.id }),
      'of someone else': await two.grantOf(third, STOP, { commandId: command.id }),
    };
    for (const [what, grant] of Object.entries(wrong)) {
      expect([what, outcome(await two.agreeWith(second, command, grant))]).toEqual([what, '403 grant-refused']);
    }
    const own = await two.grantOf(second, STOP, { commandId: command.id });
    // A confirmation is no request.
    const { status, body } = await second.call('POST', 'command', {
      ...STOP,
      imei: vehicle.imei,
      reason: 'x',
      grant: own,
    });
    expect(outcome({ status, body })).toBe('403 grant-refused');
    const answers = await Promise.all(Array.from({ length: 10 }, () => two.agreeWith(second, command, own)));
    expect(answers.map(outcome).filter(each => each === '200 ok')).toHaveLength(1);
    expect(two.told).toHaveLength(1);
    expect(outcome(await two.agreeWith(second, other, own))).toBe('403 grant-refused');
  });

  it('has wrong passwords counted like everybody', async () => {
    const command = await two.asked(first);
    const wrong = { commandId: command.id, controlPassword: 'open sesame' };
    for (let i = 0; i < 4; i++) await two.confirm(second, STOP, wrong);
    expect(outcome(await two.confirm(second, STOP, wrong))).toBe('429 controls-locked');
    expect(outcome(await two.confirm(second, STOP, { commandId: command.id }))).toBe('429 controls-locked');
  });

  it('is no way round the database: nothing that needs two leaves for one', async () => {
    const command = await two.asked(first);
    const row = server.context.db.system.updateTable('command').where('id', '=', command.id);
    await expect(row.set({ state: 'queued' }).execute()).rejects.toThrow(/check/);
    await expect(row.set({ state: 'published', sent: 1 }).execute()).rejects.toThrow(/check/);
    await expect(row.set({ second_by: first.userId, second_by_name: 'me' }).execute()).rejects.toThrow(/check/);
  });
});

describe('[R7.35] who hears that someone is needed', () => {
  it('is anyone who could be it, until it is decided', async () => {
    const dispatcher = await person(server, { accountId: first.accountId, role: 'dispatcher' });
    const command = await two.asked(first);
    await expect.poll(async () => (await alertsOf(second)).alerts).toHaveLength(1);
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

    await two.agree(second, command);
    await expect.poll(async () => (await alertsOf(second)).alerts).toEqual([]);
    const { body } = await second.call('GET', 'alert?open=false');
    expect(body).toMatchObject({ alerts: [{ kind: 'secondPerson', acknowledgedBy: { id: second.userId } }] });
  });

  it('a command that fails afterwards is another alert', async () => {
    const command = await two.asked(first);
    vi.setSystemTime(Date.now() + 601_000);
    await vi.waitFor(async () => expect(await two.lastStep(command)).toEqual(['expired', 'no-second-person']), {
      timeout: 35_000,
    });
    await expect
      .poll(async () => (await alertsOf(first)).alerts)
      .toMatchObject([{ kind: 'commandFailed', commandId: command.id }]);
  });
});
