import { ROUTES, type Route } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import type { RequestParts } from '../../../testing/cross-account/probe.ts';
import { probeOf } from '../../../testing/cross-account/probes.ts';
import { send } from '../../../testing/cross-account/send.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { LOOKS_OF_ROUTES } from './looks-of-routes.ts';

/**
 * Routes whose answers have places or files, and why reading them is no look at a driver. A new route whose answer may
 * show where a driver is fails the test until it is here or in the table.
 */
const NO_LOOKS: Readonly<Record<string, readonly string[]>> = {
  'noted by the share links, whose visitors have no session': ['readShared', 'readSharedTrail'],
  'alerts that the caller has listed': ['acknowledgeAlerts'],
  'the caller’s own': [
    'readMyDuty',
    'recordDuty',
    'listMyTasks',
    'readMyPerformance',
    'disputeEvidence',
    'readMyDocumentFile',
    'readHandedFile',
  ],
  'places of tasks, and when drivers will be there': [
    'listTasks',
    'createTask',
    'cancelTask',
    'reportTask',
    'addTaskProof',
    'readTaskFile',
  ],
  'points and minutes, without places': ['readPerformance', 'readDriverPerformance', 'answerDispute'],
  'sums of the fleet': ['readOverview', 'readFleetRoads', 'suggestGeofences'],
  'no positions': [
    'readCalendar',
    'createVehicle',
    'exportVehicles',
    'exportAudit',
    'findAddresses',
    'findTowns',
    'readImage',
    'readInspectionPhoto',
    'readDriverDocumentFile',
    'readVehicleDocumentFile',
  ],
  'of no vehicle': ['readUnknownFrame'],
};

/** Places, parts of frames, and geofences that vehicles are in. */
const SHOWS_PLACES = /"(lat|place|near|parts)":/;
const INSIDE = [/"geofenceId":/, /"deviceId":/];

function mayShowPlaces({ method, response, responseType }: Route): boolean {
  if (responseType) return true;
  const schema = JSON.stringify(z.toJSONSchema(response, { unrepresentable: 'any', io: 'output' }));
  return (
    (method === 'GET' || method === 'POST') && (SHOWS_PLACES.test(schema) || INSIDE.every(each => each.test(schema)))
  );
}

describe('[N8] every route whose answer may show where a driver is', () => {
  it('is in the table of looks, or has a reason why not', () => {
    const showing = Object.entries(ROUTES).filter(([, route]) => mayShowPlaces(route) && !LOOKS_OF_ROUTES.has(route));
    expect(Object.values(NO_LOOKS).flat().toSorted()).toEqual(showing.map(([name]) => name).toSorted());
  });
});

describe('[N8] a call', () => {
  let server: TestHttpServer;
  beforeAll(async () => {
    server = await startHttpServer({ demo: 'on' });
  });
  afterAll(() => server.close());

  /** The log of a driver who is someone else. */
  const withLog = (name: string) => async (me: UserWithData) => {
    const parts = await probeOf(name).call(me, me, server);
    const { context, organisation } = server;
    await context.db.system
      .updateTable('driver')
      .set({ user_id: null })
      .where('id', '=', Number(me.driverId))
      .execute();
    await context.feed.settled();
    await organisation.roster.settled();
    return parts;
  };
  /** Where the probe asks for a time without positions, or for the caller's own. */
  const CALLS: Readonly<Record<string, (me: UserWithData) => RequestParts | Promise<RequestParts>>> = {
    readFleetAt: () => ({ query: { at: new Date().toISOString() } }),
    readOutputFile: withLog('readOutputFile'),
    readVerifiableLog: withLog('readVerifiableLog'),
  };
  /** The answers to their probes show nothing, and nothing is noted; what they note is tested below. */
  const EMPTY: ReadonlySet<string> = new Set([
    'listFrames',
    'listRefusedFrames',
    'backtestRule',
    // Feeds begin with what comes in from now on.
    'otapiInfosFeed',
    'otapiLogEventsFeed',
  ]);
  const names = Object.entries(ROUTES).filter(([, route]) => LOOKS_OF_ROUTES.has(route));

  it.each(names)('of %s leaves an entry in the ledger of the driver', async (name, route) => {
    const me = await userWithData(server);
    const began = new Date();
    const parts = await (CALLS[name]?.(me) ?? probeOf(name).call(me, me, server));
    await server.figures.manager.catchUp(me.accountId, [Number(me.vehicleId)], 20_000);
    const answer = await send(server, route, parts, me.token);
    expect([name, answer.status]).toEqual([name, 200]);
    await server.looks.ledger.settled();
    const rows = await server.context.db.system
      .selectFrom('look')
      .select(['kind', 'driver_id', 'user_id'])
      .where('account_id', '=', me.accountId)
      .where('began_at', '>=', began)
      .execute();
    const isEmpty = EMPTY.has(name) || (name === 'listTaskFits' && !/"distanceM":\d/.test(answer.text));
    const expected = isEmpty ? [] : [{ driver_id: Number(me.driverId), user_id: me.userId }];
    expect([name, rows]).toMatchObject([name, expected]);
    expect(rows).toHaveLength(expected.length);
  });

  it('that shows frames, geofences or tested alerts of a vehicle is about its driver', async () => {
    const { accountId, userId, vehicleId } = await userWithData(server);
    const session = await server.sessions.open({ accountId, userId, readOnly: false });
    const parts = { ...server.organisation, figures: server.figures, db: server.context.db };
    const shown = async (name: string, call: object, answer: unknown) => {
      const route = ROUTES[name] as Route;
      return LOOKS_OF_ROUTES.get(route)?.({ session, ...call } as never, answer as never, parts);
    };
    const vehicle = server.directory.findById(Number(vehicleId));
    const of = { params: { id: vehicleId } };
    expect(await shown('listFrames', of, [{}])).toEqual({ kind: 'vehicle', now: [vehicle] });
    expect(await shown('listRefusedFrames', of, [{}])).toEqual({ kind: 'vehicle', now: [vehicle] });
    const inside = { inside: [{ deviceId: vehicleId }, { deviceId: vehicleId }] };
    expect(await shown('listInside', {}, inside)).toEqual({ kind: 'map', now: new Set([vehicle]) });
    const [beganAt, at] = ['2026-11-02T08:00:00.000Z', '2026-11-02T09:00:00.000Z'];
    const period = { fromMs: Date.parse(beganAt), toMs: Date.parse(at) };
    const tested = { alerts: [{ deviceId: vehicleId, beganAt, at }] };
    const fits = [
      { driver: { id: '7' }, distanceM: 900 },
      { driver: { id: '8' }, distanceM: null },
    ];
    const near = { kind: 'desk', drivers: [{ driverId: 7, period: null }] };
    expect(await shown('listTaskFits', {}, { drivers: fits })).toEqual(near);
    expect(await shown('backtestRule', {}, tested)).toEqual({ kind: 'search', seen: [{ vehicle, period }] });
  });
});
