import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import type { Change } from '../../ingest/change.ts';

let server: TestHttpServer;
let owner: Person;
beforeAll(async () => {
  server = await startHttpServer();
  owner = await person(server);
});
afterAll(() => server.close());

/** An ingest batch that counts how often it was read. */
function batch(vehicleId: number) {
  let looks = 0;
  const before = server.live.of(vehicleId);
  const change = { vehicle: { id: vehicleId }, before, after: before } as unknown as Change;
  const changes: Iterable<Change> = {
    [Symbol.iterator]: () => {
      looks++;
      return [change][Symbol.iterator]();
    },
  };
  return { changes: changes as readonly Change[], looks: () => looks };
}

it('costs ingest nothing while no command is open', async () => {
  const vehicle = await addNamedVehicle(server, owner.accountId, 'Unit 1');
  const id = Number(vehicle.id);
  await storePositions(server, owner.accountId, id, [receivedPosition(Date.now() - 1000)]);
  const { signals } = server.context;
  const quiet = batch(id);
  signals.emit('positions-committed', { changes: quiet.changes });
  const alone = quiet.looks();

  const { body } = await owner.call('POST', 'command', { imei: vehicle.imei, action: 'getStatus' });
  const busy = batch(id);
  signals.emit('positions-committed', { changes: busy.changes });
  expect(busy.looks()).toBe(alone + 1);

  await owner.call('POST', `command/${(body as { id: string }).id}/cancel`);
  // The clock forgets what is at its end, and the batches are left alone again.
  await vi.waitFor(
    () => {
      const after = batch(id);
      signals.emit('positions-committed', { changes: after.changes });
      expect(after.looks()).toBe(alone);
    },
    { timeout: 30_000 },
  );
});
