import { randomUUID } from 'node:crypto';
import type { MyDuty } from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { inspectionReport, unidentifiedDrive } from '../../../../testing/cross-account/kept-log.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';

const MINUTE = 60_000;

let server: TestHttpServer;
/** Whose own log is announced as changed; their phones read it again at once. */
const heard = new Set<string>();
beforeAll(async () => {
  server = await startHttpServer();
  server.context.feed.follow('after', changes => {
    for (const { kind, userId } of changes) if (kind === 'logbook' && userId !== null) heard.add(userId);
  });
});
afterAll(() => server.close());

/** A driver with a log, of that account. */
async function driver(accountId?: number): Promise<UserWithData> {
  const me = await userWithData(server, {
    role: 'driver',
    drives: true,
    ...(accountId !== undefined && { accountId }),
  });
  await server.context.db.system
    .insertInto('log_setting')
    .values({ account_id: me.accountId, driver_id: Number(me.driverId), keeps_log: true })
    .execute();
  return me;
}

async function send(me: UserWithData, minutesAgo: number, action: object): Promise<MyDuty> {
  const inputs = [{ id: randomUUID(), at: new Date(Date.now() - minutesAgo * MINUTE).toISOString(), action }];
  const { body } = await server.call('POST', '/api/v1/eld/duty', { token: me.token, body: { inputs } });
  expect(body).toMatchObject({ outcomes: [{ refusal: null }] });
  return (body as { readonly duty: MyDuty }).duty;
}

/** Those of these drivers who hear of what is done. */
async function hear(drivers: Readonly<Record<string, UserWithData>>, doing: () => Promise<unknown>): Promise<string[]> {
  await server.context.feed.settled();
  heard.clear();
  await doing();
  await server.context.feed.settled();
  return Object.keys(drivers).filter(name => heard.has(drivers[name]?.userId ?? ''));
}

it('[R2.14] drivers hear at once of what others do about the vehicle they are in, and of no other vehicle', async () => {
  const ann = await driver();
  const [ben, cora] = [await driver(ann.accountId), await driver(ann.accountId)];
  const all = { ann, ben, cora };
  await send(cora, 60, { kind: 'sign-in', vehicleId: cora.vehicleId });
  await send(ann, 60, { kind: 'sign-in', vehicleId: ann.vehicleId });

  const ask = { kind: 'ask-co-driver', coDriverId: ben.driverId };
  expect(await hear(all, () => send(ann, 50, ask))).toEqual(['ann', 'ben']);
  const no = { kind: 'decline-co-driver', driverId: ann.driverId };
  expect(await hear(all, () => send(ben, 49, no))).toEqual(['ann', 'ben']);
  await send(ann, 48, ask);
  const signIn = { kind: 'sign-in', vehicleId: ann.vehicleId, asCoDriver: true };
  expect(await hear(all, () => send(ben, 47, signIn))).toEqual(['ann', 'ben']);

  // Cora reported a defect of Ann's vehicle, and is in another one now.
  const id = await inspectionReport(server, { ...cora, vehicleId: ann.vehicleId });
  const desk = await signedIn(server, { accountId: ann.accountId, role: 'owner' });
  const certify = () =>
    server.call('POST', `/api/v1/eld/inspection/${id}`, { token: desk.token, body: { repaired: true } });
  expect(await hear(all, certify)).toEqual(['ann', 'ben', 'cora']);
  expect(await hear(all, () => send(ben, 0, { kind: 'review-inspection', report: id }))).toEqual([
    'ann',
    'ben',
    'cora',
  ]);
  expect(await hear(all, () => unidentifiedDrive(server, cora))).toEqual(['cora']);
  expect(await hear(all, () => unidentifiedDrive(server, ann))).toEqual(['ann', 'ben']);

  expect(await hear(all, () => send(ben, 0, { kind: 'sign-out', status: 'OFF' }))).toEqual(['ann', 'ben']);
  expect(await hear(all, () => inspectionReport(server, ann))).toEqual(['ann']);
});

it('[R2.14] a vehicle that nobody is in any more is recorded again after a failure', async () => {
  const me = await driver();
  await send(me, 60, { kind: 'sign-in', vehicleId: me.vehicleId });
  await send(me, 50, { kind: 'sign-out', status: 'OFF' });
  const fold = server.context.db.system.updateTable('recorder_fold').where('vehicle_id', '=', Number(me.vehicleId));
  await fold.set({ failing_since: new Date(), failing_code: 'error' }).execute();
  expect(await hear({ me }, () => fold.set({ failing_since: null, failing_code: null }).execute())).toEqual([]);
});
