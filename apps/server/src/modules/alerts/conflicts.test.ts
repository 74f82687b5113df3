import type { Alert } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aCommand } from '../../../testing/commands.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, callerOf } from '../../../testing/organisation.ts';
import type { AlertConflict } from '../../db/alert-schema.ts';

let server: TestHttpServer;
let owner: SignedIn;
let vehicle: { readonly id: number; readonly imei: string };
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  const { id, imei } = await addNamedVehicle(server, owner.accountId, 'Truck');
  vehicle = { id: Number(id), imei };
});

const HOUR = 3_600_000;
const REFUSED: AlertConflict = {
  ...{ cause: 'protocol', protocol: 'osmand', address: '203.0.113.7', own: 'teltonika' },
  ...{ speeds: null, metres: null },
};
const APART = { ...REFUSED, protocol: 'teltonika', speeds: [0, 20], metres: 5210 } as const;

const contradict = (conflict: AlertConflict) =>
  server.context.signals.emit('tracker-contradicted', {
    ...{ accountId: owner.accountId, vehicleId: vehicle.id, conflict },
  });
const alerts = async (): Promise<Alert[]> => {
  await server.alerts.conflicts.write();
  return ((await callerOf(server, owner)('GET', '/alert')).body as { alerts: Alert[] }).alerts;
};

it('is one alert while it lasts, with a count and the last conflict', async () => {
  for (let i = 0; i < 500; i++) contradict(REFUSED);
  expect(await alerts()).toMatchObject([
    {
      ...{ kind: 'conflictingReports', severity: 'warning', count: 500, closedAt: null, deviceName: 'Truck' },
      conflict: {
        ...{ cause: 'protocol', protocol: 'osmand', own: 'teltonika', address: '203.0.113.7' },
        speeds: null,
      },
    },
  ]);
  contradict({ ...APART, cause: 'connection' });
  expect(await alerts()).toMatchObject([
    { count: 501, conflict: { cause: 'connection', speeds: [0, 72], distanceKm: 5.2 } },
  ]);
});

it('is acknowledged like any other, and reopens only after an hour without conflicts', async () => {
  contradict(REFUSED);
  const [first] = await alerts();
  await callerOf(server, owner)('POST', '/alert/acknowledge', { ids: [first?.id] });
  contradict(REFUSED);
  expect(await alerts()).toMatchObject([{ id: first?.id, count: 2, acknowledgedBy: { id: owner.userId } }]);
  await server.alerts.conflicts.close(Date.now() + HOUR - 60_000);
  expect(await alerts()).toMatchObject([{ closedAt: null }]);
  await server.alerts.conflicts.close(Date.now() + HOUR + 60_000);
  contradict(REFUSED);
  expect((await alerts()).map(({ closedAt, count }) => [closedAt === null, count])).toEqual([
    [true, 1],
    [false, 2],
  ]);
});

it('is announced for a contradicting tracker when that canceled a command', async () => {
  contradict({ ...APART, cause: 'itself' });
  expect(await alerts()).toEqual([]);
  const command = aCommand(vehicle, { action: 'engineStop', category: 'control', state: 'cancelled' });
  const step = { at: new Date().toISOString(), state: 'cancelled', by: null, interlock: null } as const;
  server.context.signals.emit('command-changed', {
    ...{ accountId: owner.accountId, vehicleId: vehicle.id },
    command: { ...command, steps: [{ ...step, reason: 'contradicting-reports' }] },
  });
  expect(await alerts()).toMatchObject([{ conflict: { cause: 'itself', distanceKm: 5.2 } }]);
});
