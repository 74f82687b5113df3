import { listAlerts } from '@milepost/contract';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import type { Person } from '../../../testing/people.ts';
import { outcome, type TwoPeople, twoPeople } from '../../../testing/two-people.ts';

/** Alerts of commands that can't be written the first time. */

let server: TestHttpServer;
let two: TwoPeople;
const logged: string[] = [];
beforeAll(async () => {
  server = await startHttpServer({ log: pino({ level: 'error' }, { write: line => void logged.push(line) }) });
});
afterAll(() => server.close());
beforeEach(async () => {
  two = await twoPeople(server);
  logged.length = 0;
});
afterEach(() => two.hangUp());

/** Runs `work` while a check constraint refuses its alert, and waits until the failure is logged. */
async function without(check: string, work: () => Promise<unknown>): Promise<void> {
  const { system } = server.context.db;
  await sql`alter table alert add constraint not_now check (${sql.raw(check)}) not valid`.execute(system);
  await work();
  await expect.poll(() => logged.join('')).toContain('Could not save the alert');
  await sql`alter table alert drop constraint not_now`.execute(system);
}

const alertsOf = async (who: Person) => listAlerts.response.parse((await who.call('GET', 'alert')).body).alerts;

describe('[R7.35] the request for a second person', () => {
  it('is announced within a minute even if its alert could not be written at first', async () => {
    await without('false', () => two.asked(two.first));
    expect(await alertsOf(two.second)).toEqual([]);
    await server.alerts.catchUp();
    expect(await alertsOf(two.second)).toMatchObject([{ kind: 'secondPerson', acknowledgedAt: null }]);
  });

  it('closes, no matter who decided, even if that could not be written at first', async () => {
    const command = await two.asked(two.first);
    await expect.poll(() => alertsOf(two.second)).toHaveLength(1);
    await without('acknowledged_at is null', async () => {
      expect(outcome(await two.agree(two.second, command))).toBe('200 ok');
    });
    expect(await alertsOf(two.second)).toMatchObject([{ acknowledgedAt: null }]);
    await server.alerts.catchUp();
    const decision = (await two.read(command)).steps.find(({ state }) => state === 'queued');
    expect(await alertsOf(two.second)).toMatchObject([
      { acknowledgedAt: decision?.at, closedAt: decision?.at, acknowledgedBy: { id: two.second.userId } },
    ]);
  });
});

it('a command that failed is announced within a minute even if its alert could not be written at first', async () => {
  const command = await two.asked(two.first);
  await expect.poll(() => alertsOf(two.second)).toHaveLength(1);
  const { system } = server.context.db;
  await without(`kind <> 'commandFailed'`, async () => {
    await system.updateTable('command').set({ state: 'expired' }).where('id', '=', command.id).execute();
    const { accountId } = two.first;
    const expired = { ...command, state: 'expired' as const };
    server.context.signals.emit('command-changed', {
      accountId,
      vehicleId: Number(command.deviceId),
      command: expired,
    });
  });
  await server.alerts.catchUp();
  await server.alerts.catchUp();
  const kinds = (await alertsOf(two.second)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['commandFailed', 'secondPerson']);
});
