import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { CommandMode, NewCommand } from '@milepost/contract';
import { epochMs, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Action, history, type Op, Witness } from '../../../testing/command-histories.ts';
import { testContext } from '../../../testing/context.ts';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../../testing/control-password.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { signedIn } from '../../../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../../../testing/ingest.ts';
import { receivedPosition } from '../../../testing/stored-positions.ts';
import type { Context } from '../../context.ts';
import { openDirectory } from '../../fleet/directory.ts';
import { type LiveStates, loadLiveStates } from '../../fleet/live.ts';
import { type Organisation, openOrganisation } from '../../fleet/organisation.ts';
import { advance } from '../../fleet/vehicle-state.ts';
import type { Session } from '../../http/session.ts';
import { DeviceConnections } from '../../ingest/gateways/device-connections.ts';
import { ONLY_WAYS } from '../../ingest/gateways/ways.ts';
import { createSignals } from '../../lifecycle/signals.ts';
import { createAccount } from '../accounts/accounts.ts';
import { createSessions } from '../accounts/sessions.ts';
import type { By } from '../audit/by.ts';
import { createControlPasswords } from './control-password.ts';
import { createGrants } from './grants.ts';
import { createControlRules } from './rules.ts';
import { type Commands, createCommands } from './service.ts';

/**
 * Random histories of a vehicle: reports, lost connections, grants and their misuse, restarts, two people who ask and
 * confirm, all over one another, with the real service over the real database. Whatever happens, an engine is stopped
 * only where the model, which keeps its own account of what the vehicle last said, knows that it stands; and at once only
 * where it knows of two different people.
 */

let database: TestDatabase;
let context: Context;
let organisation: Organisation;
let live: LiveStates;
const delivered = { stops: 0, resumes: 0, held: 0, byTwo: 0, refusedSeconds: 0 };

beforeAll(async () => {
  database = await testDatabase();
  context = testContext(database.databases);
  live = await loadLiveStates(context.db.system);
  organisation = await openOrganisation(context, await openDirectory(context), live);
});
afterAll(() => database.close());

interface Given {
  readonly grant: string;
  readonly action: Action;
  readonly mode: CommandMode | undefined;
  readonly who: number;
  /** The command that it confirms; null: it is for asking. */
  readonly commandId: string | null;
}

/** One server over the database; a restart makes another. */
function start(vehicle: TestVehicle, witness: Witness, connections: DeviceConnections) {
  const signals = createSignals(context.log);
  const own: Context = { ...context, metrics: new Registry(), signals };
  const now = () => witness.now;
  const passwords = createControlPasswords(own, { confirm: async () => {} });
  const grants = createGrants(own, passwords, now);
  const isWaiting = () => witness.underWay > 0;
  const rules = createControlRules(own, grants, organisation.visibility);
  const commands = createCommands(own, {
    ...organisation,
    live,
    connections,
    isWaiting,
    believedSince: () => 0,
    ways: ONLY_WAYS,
    reportedElsewhere: () => {},
    now,
    grants,
    rules,
  });
  return { signals, commands, vehicle };
}

async function play(steps: readonly (readonly [Op, boolean])[]): Promise<void> {
  const accountId = await createAccount(context.db, { name: 'A fleet' });
  const sessions = createSessions(context);
  const someone = await signedIn({ context, sessions }, { accountId });
  const other = await signedIn({ context, sessions }, { accountId });
  const asBy = async (user: typeof someone, token: string): Promise<By> => ({
    session: (await sessions.findByToken(token)) as Session,
    author: { ...user, via: 'session', address: '192.0.2.1' },
  });
  const people = [await asBy(someone, someone.token), await asBy(other, other.token)] as const;
  const elsewhere = await Promise.all(
    [someone, other].map(async user => asBy(user, (await sessions.open({ accountId, userId: user.userId })).token)),
  );
  const personOf = (who: number): By => people[who] ?? people[0];
  const vehicle = await addVehicle(context, accountId);
  await organisation.directory.settled();
  await setTestControlPassword({ context }, someone);

  const witness = new Witness();
  const wrong: string[] = [];
  const sent: string[] = [];
  const given: Given[] = [];
  /** Who came to confirm which command, and whose request it was, by the model's own account. */
  const agreed = new Map<string, { readonly by: string; readonly grant: string }>();
  const begun = { calm: 0, byTwo: 0 };
  let accepted = 0;
  let stops = 0;
  let connections = new DeviceConnections();
  let server = start(vehicle, witness, connections);

  const connect = (): void => {
    const to = server;
    connections.add({
      imei: vehicle.imei,
      identity: vehicle.imei,
      vehicleId: vehicle.id,
      protocol: 'teltonika',
      address: null,
      encode: text => Buffer.from(text),
      send: bytes => {
        const text = Buffer.from(bytes).toString();
        sent.push(text);
        if (to !== server) wrong.push('a server that was stopped sent something');
        if (text !== 'setdigout 1') return void delivered.resumes++;
        delivered.stops++;
        stops++;
        if (stops > begun.calm + begun.byTwo) wrong.push('stopped for more than was asked for or confirmed');
        if (!witness.stands()) wrong.push(`stopped while ${JSON.stringify({ ...witness })}`);
      },
      close: () => {},
    });
    server.signals.emit('tracker-reachable', { vehicleId: vehicle.id });
  };

  const disconnect = (): void => {
    const connection = connections.find(vehicle.imei);
    if (connection) connections.remove(connection);
  };

  const report = async ({ gapS, speed, ignition, old }: Extract<Op, { kind: 'report' }>): Promise<void> => {
    if (!old) witness.now += gapS * 1000;
    const at = old ? witness.now - 400_000 : witness.now;
    witness.said(at, speed, ignition);
    witness.underWay++;
    await turn();
    const before = live.of(vehicle.id);
    const fields = { receivedAt: epochMs(witness.now), speed: metresPerSecond(speed), ignition };
    const message = { receivedAt: epochMs(witness.now), positions: [receivedPosition(at, fields)] };
    const next = advance(before, message, () => {});
    live.set(accountId, vehicle.id, next);
    witness.underWay--;
    server.signals.emit('positions-committed', { changes: [{ vehicle, before, after: next, positions: 1 }] });
  };

  const ask = async (commands: Commands, { action, mode, which, who }: Extract<Op, { kind: 'ask' }>): Promise<void> => {
    const used = given.at(-1 - which);
    if (action === 'engineStop' && mode !== 'immediate') begun.calm++;
    const wanted: NewCommand = {
      imei: vehicle.imei,
      action,
      reason: 'a try',
      ...(mode && action === 'engineStop' && { mode }),
      ...(used && { grant: used.grant }),
    };
    try {
      const command = await commands.ask(personOf(who), wanted as never);
      accepted++;
      const isImmediateStop = action === 'engineStop' && mode === 'immediate';
      if (isImmediateStop && command.sent > 0) wrong.push('an immediate stop left for one person');
      if (used?.who !== who || used.commandId !== null) wrong.push('asked with a grant of or for something else');
      const asAsked =
        action === used?.action && (action === 'engineResume' || (mode ?? 'nextStop') === (used.mode ?? 'nextStop'));
      if (!used || !asAsked) wrong.push(`accepted ${action} ${mode} with a grant for ${used?.action} ${used?.mode}`);
    } catch {}
  };

  const rights = async (role: 'owner' | 'viewer', who: number): Promise<void> => {
    const { userId } = personOf(who).session;
    await context.db.system.updateTable('app_user').set({ role }).where('id', '=', userId).execute();
    server.signals.emit('users-changed', { userIds: [userId] });
  };

  const confirm = async (
    commands: Commands,
    { action, mode, right, who }: Extract<Op, { kind: 'confirm' }>,
  ): Promise<void> => {
    const wanted = { action, imei: vehicle.imei, ...(mode && action === 'engineStop' && { mode }) };
    const answer = await commands
      .confirm(personOf(who), { ...wanted, controlPassword: right ? TEST_CONTROL_PASSWORD : 'wrong' })
      .catch(() => null);
    if (answer) given.push({ grant: answer.grant, action, mode, who, commandId: null });
    if (answer && !right) wrong.push('a wrong password was taken');
  };

  /** Someone comes to confirm what waits, with a grant of theirs or with one that must not do. */
  const agree = async (commands: Commands, { who, pass }: Extract<Op, { kind: 'agree' }>): Promise<void> => {
    const me = personOf(who);
    const [waiting] = await commands.list(me.session, { state: 'awaiting-second', limit: 5 });
    if (!waiting) return;
    const { action, id, imei, createdBy } = waiting;
    const holder =
      pass === 'of another session' ? elsewhere[who] : pass === 'of the other one' ? personOf(1 - who) : me;
    const own = { action, imei, mode: 'immediate', controlPassword: TEST_CONTROL_PASSWORD } as const;
    const grant =
      pass === 'used'
        ? ([...agreed.values()].at(-1)?.grant ?? '')
        : await commands
            .confirm(holder ?? me, pass === 'for asking' ? own : { ...own, commandId: id })
            .then(answer => answer.grant)
            .catch(() => '');
    const isRight = pass === 'own' && createdBy?.id !== me.session.userId;
    if (isRight) begun.byTwo++;
    if (pass === 'own' && grant) given.push({ grant, action: 'engineStop', mode: 'immediate', who, commandId: id });
    try {
      await commands.agree(me, id, grant);
      agreed.set(id, { by: me.session.userId, grant });
      if (!isRight) wrong.push(`confirmed with a grant ${pass}, by ${who}`);
    } catch {
      delivered.refusedSeconds++;
    }
  };

  const doIt = async (step: Op): Promise<void> => {
    const { commands, signals } = server;
    if (step.kind === 'report') await report(step);
    else if (step.kind === 'connect') connect();
    else if (step.kind === 'disconnect') disconnect();
    else if (step.kind === 'demote') await rights('viewer', step.who);
    else if (step.kind === 'promote') await rights('owner', step.who);
    else if (step.kind === 'agree') await agree(commands, step);
    else if (step.kind === 'ask') await ask(commands, step);
    else if (step.kind === 'wait') {
      witness.now += step.seconds * 1000;
      await commands.dispatcher.tick();
    } else if (step.kind === 'answer') {
      const reply = { protocol: 'teltonika', text: step.refused ? 'ERROR' : 'DOUT1:1', reference: null } as const;
      signals.emit('tracker-replied', { vehicleId: vehicle.id, reply });
    } else if (step.kind === 'cancel') {
      const open = await commands.list(people[0].session, { open: 'true', limit: 5 });
      for (const { id } of open.slice(0, 1)) await commands.cancel(people[0], id).catch(() => {});
    } else if (step.kind === 'decline') {
      const [waiting] = await commands.list(people[0].session, { state: 'awaiting-second', limit: 1 });
      if (waiting) await commands.decline(personOf(step.who), waiting.id, 'not now').catch(() => {});
    } else if (step.kind === 'confirm') {
      await confirm(commands, step);
    } else if (step.kind === 'order') {
      await confirm(commands, { ...step, kind: 'confirm', right: true });
      await ask(commands, { ...step, kind: 'ask', which: 0 });
    } else if (step.kind === 'together') {
      const stop = { action: 'engineStop', mode: 'immediate' } as const;
      await confirm(commands, { ...step, ...stop, kind: 'confirm', right: true });
      await ask(commands, { ...step, ...stop, kind: 'ask', which: 0 });
      await agree(commands, { kind: 'agree', who: 1 - step.who, pass: 'own' });
    } else if (step.kind === 'restart') {
      // As a crash: whatever was under way is left where it was, the connections are gone, nothing of the old one sends.
      const old = server;
      connections = new DeviceConnections();
      server = start(vehicle, witness, connections);
      await Promise.all([old.commands.dispatcher.stop(), server.commands.dispatcher.takeUp()]);
    }
  };

  connect();
  await report({ kind: 'report', gapS: 1, speed: 0, ignition: false, old: false });
  const running: Promise<void>[] = [];
  for (const [step, rush] of steps) {
    const done = doIt(step);
    running.push(done);
    if (!rush || step.kind === 'restart') await Promise.all(running.splice(0));
  }
  await Promise.all(running);
  await server.commands.dispatcher.stop();

  const rows = await context.db.system.selectFrom('command').selectAll().where('vehicle_id', '=', vehicle.id).execute();
  const hashes = rows.map(({ grant_hash }) => grant_hash?.toString('hex'));
  const knownGrants = given.map(({ grant }) => createHash('sha256').update(grant).digest('hex'));
  delivered.held += rows.filter(({ steps }) => JSON.stringify(steps).match(/interlock-failed|safe-stop|armed/)).length;
  for (const row of rows) {
    if (row.action !== 'engineStop' || row.mode !== 'immediate' || row.sent === 0) continue;
    delivered.byTwo++;
    const second = agreed.get(row.id)?.by;
    if (second === undefined || second === row.created_by) wrong.push(`${row.id} left without a second person`);
  }
  expect(wrong).toEqual([]);
  expect(rows).toHaveLength(accepted);
  expect(new Set(hashes).size).toBe(rows.length);
  expect(knownGrants).toEqual(expect.arrayContaining(hashes));
  const seconds = rows.flatMap(({ second_grant_hash }) => second_grant_hash?.toString('hex') ?? []);
  expect(new Set([...hashes, ...seconds]).size).toBe(hashes.length + seconds.length);
  // A control is sent once at most: what the tracker heard is no more than what stands written.
  for (const { sent: times } of rows) expect(times).toBeLessThanOrEqual(1);
  expect(sent.length).toBeLessThanOrEqual(rows.reduce((sum, { sent: times }) => sum + times, 0));
}

it('[R7.35] [I4] no history stops the engine of a moving vehicle, stops it at once for one person, controls without a grant, or uses one twice', async () => {
  await fc.assert(fc.asyncProperty(history, play), { numRuns: 30 });
  // Something was at stake.
  expect(delivered.stops).toBeGreaterThan(5);
  expect(delivered.resumes).toBeGreaterThan(5);
  expect(delivered.held).toBeGreaterThan(5);
  expect(delivered.byTwo).toBeGreaterThan(5);
  expect(delivered.refusedSeconds).toBeGreaterThan(5);
}, 300_000);
