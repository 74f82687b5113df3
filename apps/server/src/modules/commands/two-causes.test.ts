import type { Command } from '@milepost/contract';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { auditOf, type Person, person } from '../../../testing/people.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { ONLY_WAYS } from '../../ingest/gateways/ways.ts';
import { CommandQueue } from './command-queue.ts';
import type { CommandRecord } from './record.ts';
import { createRelease } from './release.ts';
import { createSteps } from './steps.ts';
import { readOpen } from './store.ts';

let server: TestHttpServer;
let owner: Person;
let entry: DirectoryEntry;
let record: CommandRecord;
let line: CommandQueue;
let told: Command[];
let names = 0;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await person(server);
  const { id, imei } = await addNamedVehicle(server, owner.accountId, `Unit ${++names}`);
  await storePositions(server, owner.accountId, Number(id), [
    receivedPosition(Date.now() - 1000, { protocol: 'gt06' }),
  ]);
  const { body } = await owner.call('POST', 'command', { imei, action: 'getStatus' });
  const records = await readOpen(server.context.db.system);
  const found = records.find(each => each.id === (body as Command).id);
  if (!found) throw new Error('The command was not written down');
  record = found;
  entry = {
    ...{ id: Number(id), accountId: owner.accountId, imei, trackerId: null, name: `Unit ${names}`, protocol: null },
    ...{ folderId: null, usualDriverId: null, trackerAddresses: [], odometerOffset: 0, speedLimitKmh: null },
  };
  line = new CommandQueue(entry.id, error => {
    throw error;
  });
  line.put(record);
  told = [];
});

/** The commands' own steps and release beside the server's, whose directory says what `known` is. */
function beside(known: DirectoryEntry | null, now = Date.now) {
  const signals: TestHttpServer['context']['signals'] = Object.create(server.context.signals);
  signals.emit = (name, news) => {
    if (name === 'command-changed') told.push((news as { command: Command }).command);
  };
  const context = { ...server.context, metrics: new Registry(), signals };
  const directory = { ...server.directory, settled: async () => {}, findById: () => known };
  const steps = createSteps(context, { directory, now });
  const parts = {
    ...{
      directory,
      now,
      isWaiting: () => false,
      believedSince: () => 0,
      roster: { settled: async () => {} },
      live: server.live,
    },
    ...{ visibility: server.organisation.visibility, connections: { find: () => null } },
    ...{ ways: ONLY_WAYS, reportedElsewhere: () => {} },
  };
  return { steps, release: createRelease(context, parts, steps) };
}
const lastStep = () => told.at(-1)?.steps.at(-1);
const nobody = async () => null;

it.each(['rightsLost', 'superseded', 'expired', 'cancelled', 'unsupported', 'asleep'] as const)(
  'a command whose vehicle was deleted ends with it, though it is about to be %s',
  async event => {
    const { steps } = beside(entry);
    await server.context.db.system.deleteFrom('vehicle').where('id', '=', entry.id).execute();
    expect(await steps.take(line, record, event)).toBeNull();
    expect(lastStep()).toMatchObject({ state: 'cancelled', reason: 'vehicle-gone' });
    await steps.vehicleGone(line);
    expect(told).toHaveLength(1);
    const ended = (await auditOf(server, owner.accountId)).filter(({ action }) => action === 'command.ended');
    expect(ended).toContainEqual(
      expect.objectContaining({
        changes: expect.arrayContaining([{ field: 'reason', from: null, to: 'vehicle-gone' }]),
      }),
    );
  },
);

it('a command of an account that is gone ends without a word', async () => {
  const { steps } = beside(entry);
  await server.context.db.system.deleteFrom('account').where('id', '=', entry.accountId).execute();
  await steps.vehicleGone(line);
  expect(line.all()).toEqual([]);
  expect(told).toEqual([]);
});

it.each([
  ['of a sender who may no more', () => entry, Date.now, 'sender-lost-rights'],
  ['whose vehicle has another tracker besides', () => ({ ...entry, imei: '1' }), Date.now, 'no-longer-applies'],
  ['whose time is over besides', () => entry, () => Date.now() + 172_800_000, 'too-late'],
] as const)('[R7.34] a command %s says why it ended', async (_which, known, now, reason) => {
  await beside(known(), now).release.recheck(line, nobody);
  expect(lastStep()).toMatchObject({ reason });
});

it('a command of a sender who may no more is left to the end of its vehicle', async () => {
  await beside(null).release.recheck(line, nobody);
  expect(told).toEqual([]);
});
