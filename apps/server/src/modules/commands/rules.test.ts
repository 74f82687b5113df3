import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TEST_CONTROL_PASSWORD } from '../../../testing/control-password.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { limit } from '../../../testing/organisation.ts';
import { auditOf, PASSWORD, type Person } from '../../../testing/people.ts';
import { inAnotherSession, outcome, type TwoPeople, twoPeople } from '../../../testing/two-people.ts';

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
    expect((await two.ask(first)).body).toMatchObject({ state: 'published' });
    await change({ active: true });
    expect(await rule(first)).toMatchObject({ people: 2 });
    expect(await offer(first)).toMatchObject({ secondPeople: 1 });
    await two.reports();
    await two.asked(first);
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
    expect(outcome(await two.ask(first))).toBe('409 no-second-person');
    expect(two.told).toEqual([]);
  });

  it('is switched by an owner in person, with the control password', async () => {
    expect(outcome(await change(second, false))).toBe('403 not-allowed');
    expect(outcome(await change(first, false, 'open sesame'))).toBe('400 control-password-wrong');
    expect(outcome(await change(first, false, PASSWORD))).toBe('400 control-password-wrong');
    expect(await rule(first)).toMatchObject({ secondPerson: true });
    const waiting = await two.asked(first);
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
    expect(await two.read(waiting)).toMatchObject({ state: 'awaiting-second' });
    expect((await two.ask(first)).body).toMatchObject({ state: 'published' });
    expect((await change(first, true)).body).toMatchObject({ secondPerson: true });
    const program = await inAnotherSession(server, first, { kind: 'api-token' });
    expect(outcome(await change(program, false))).toBe('403 sign-in-needed');
  });
});
