import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { LocalBus } from '../../bus/local-bus.ts';
import { AS_BUILT } from '../../fleet/built-in-alerts.ts';
import { loadLiveStates } from '../../fleet/live.ts';
import { Silence } from './silence.ts';

/** The alert `silent` where several nodes run: what this one knows may be behind. */

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** A bus with other nodes on it, of which nothing is heard. */
class CutOff extends LocalBus {
  override readonly isShared = true;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

it('does not call a vehicle silent that another node has heard, and knows the alerts that others opened', async () => {
  const { context, directory } = server;
  const owner = await signedIn(server);
  const [heard, quiet, known] = [
    await addNamedVehicle(server, owner.accountId, 'Heard elsewhere'),
    await addNamedVehicle(server, owner.accountId, 'Quiet'),
    await addNamedVehicle(server, owner.accountId, 'Known to be quiet'),
  ];
  const now = Date.now();
  for (const { id } of [heard, quiet, known]) {
    await storePositions(server, owner.accountId, Number(id), [receivedPosition(now - 48 * HOUR)]);
  }
  // As this node remembers it.
  const live = await loadLiveStates(context.db.system);
  const silence = await Silence.watch(
    { ...context, bus: new CutOff(pino({ level: 'silent' })) },
    { builtIns: AS_BUILT, driverOf: () => null, directory, live, changed: () => {} },
    now - HOUR,
  );
  await storePositions(server, owner.accountId, Number(heard.id), [receivedPosition(now - MINUTE)]);
  const others = await addAlert(server, owner.accountId, Number(known.id), { kind: 'silent', event: null });
  await silence.look(now);
  const alerts = await context.db.system
    .selectFrom('alert')
    .select(['id', 'vehicle_id'])
    .where('account_id', '=', owner.accountId)
    .where('kind', '=', 'silent')
    .orderBy('vehicle_id')
    .execute();
  expect(alerts.map(({ vehicle_id }) => vehicle_id)).toEqual([Number(quiet.id), Number(known.id)]);
  expect(alerts.at(-1)?.id).toBe(others);
});
