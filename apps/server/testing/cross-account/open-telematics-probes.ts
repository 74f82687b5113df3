import { createHash, randomBytes } from 'node:crypto';
import { CALENDAR_PARTS } from '@milepost/contract';
import type { TestHttpServer } from '../http-server.ts';
import type { UserWithData } from './account-data.ts';
import { namesNothing, ownThing, type Probe, type Probes, type RequestParts } from './probe.ts';

const YESTERDAY = {
  startTime: new Date(Date.now() - 86_400_000).toISOString(),
  stopTime: new Date(Date.now() + 60_000).toISOString(),
};

async function locationOf({ vehicleId }: UserWithData, { context }: TestHttpServer): Promise<string> {
  const row = await context.db.system
    .selectFrom('position')
    .select('fix_at')
    .where('vehicle_id', '=', Number(vehicleId))
    .executeTakeFirst();
  return `${vehicleId}-${row?.fix_at.getTime() ?? 0}`;
}

async function recordOf({ driverId }: UserWithData, { context }: TestHttpServer): Promise<string> {
  const row = await context.db.system
    .selectFrom('duty_entry')
    .select('id')
    .where('log', '=', `driver:${driverId}`)
    .executeTakeFirst();
  return row?.id ?? crypto.randomUUID();
}

async function calendarOf({ accountId, marker, userId }: UserWithData, { context }: TestHttpServer) {
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest();
  const row = { account_id: accountId, user_id: userId, name: marker, parts: [...CALENDAR_PARTS], token_hash: hash };
  const insert = context.db.system.insertInto('calendar_link').values(row).returning('id');
  return { id: (await insert.executeTakeFirstOrThrow()).id, file: `${token}.ics` };
}

const ofDriver: Probe['call'] = ({ driverId }) => ({ params: { driverId }, query: YESTERDAY });

export const openTelematicsProbes: Probes = {
  otapiFleetLatest: namesNothing,
  otapiFleetLocations: { call: () => ({ query: YESTERDAY }), aboutOthers: 200 },
  otapiLocation: {
    call: async (of, _caller, server) => ({ params: { id: await locationOf(of, server) } }),
    aboutOthers: 404,
  },
  otapiVehicle: { call: ({ vehicleId }) => ({ params: { id: vehicleId } }), aboutOthers: 404 },
  otapiVehicleLocations: {
    call: ({ vehicleId }) => ({ params: { vehicleId }, query: YESTERDAY }),
    aboutOthers: 404,
  },
  otapiInfosFeed: namesNothing,
  otapiLogEventsFeed: namesNothing,
  otapiLogEvent: {
    call: async (of, _caller, server) => ({ params: { id: await recordOf(of, server) } }),
    aboutOthers: 404,
  },
  otapiDriver: { call: ({ driverId }) => ({ params: { id: driverId } }), aboutOthers: 404 },
  otapiAvailability: { call: ofDriver, aboutOthers: 404 },
  otapiHealth: namesNothing,
  readGeoJson: {
    // Geofences are for everyone in the account who may see any.
    call: (of, caller): RequestParts =>
      of !== caller && of.accountId === caller.accountId ? { query: { include: 'vehicles' } } : {},
    aboutOthers: 200,
  },
  listCalendars: namesNothing,
  createCalendar: ownThing(() => ({ name: 'Documents', include: ['documents'] }), 201),
  deleteCalendar: {
    call: async (of, _caller, server) => ({ params: { id: (await calendarOf(of, server)).id } }),
    aboutOthers: 404,
  },
  // The address is the secret: anyone who has it can read it, and it shows what its user sees.
  readCalendar: {
    call: async (of, caller, server) => ({
      params: { file: of === caller ? (await calendarOf(of, server)).file : `${'a'.repeat(43)}.ics` },
    }),
    aboutOthers: 404,
  },
  followEvents: { call: () => ({ query: { follow: 'false' } }), aboutOthers: 200 },
};
