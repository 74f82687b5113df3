import {
  OTAPI_MAX_DAYS,
  type OtapiLocation,
  otapiAvailability,
  otapiDriver,
  otapiFleetLatest,
  otapiFleetLocations,
  otapiHealth,
  otapiInfosFeed,
  otapiLocation,
  otapiLogEvent,
  otapiLogEventsFeed,
  otapiVehicle,
  otapiVehicleLocations,
} from '@milepost/contract';
import { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { readSpan } from '../../tracks/span.ts';
import { readLogs } from '../logbook/days/read-log.ts';
import { logOfDriver, readTermsOf } from '../logbook/settings/driver-terms.ts';
import { healthNow } from './health.ts';
import { arrivedLocations, latestLocations, locationsBetween, type Period, toLocation } from './locations.ts';
import { toLogEvent } from './log-event.ts';
import { arrivedLogEvents, findLogEvent, isSeen, ownerOf } from './log-events.ts';

const DAY_MS = 24 * 3_600_000;

const MAX = { data: [] as OtapiLocation[], timeResolution: 'TIMERESOLUTION_MAX' } as const;
/** The standard’s value for what it calls coarse. */
const COARSE = { ...MAX, timeResolution: 'TIMERESOLUTION_NOT_MAX' } as const;

/** The NMFTA Open Telematics API 1.0: docs/integrations.md. */
export function registerOpenTelematics(http: Http, context: Context, organisation: Organisation): void {
  const { config, db, health } = context;
  const { driving, visibility } = organisation;
  const providerId = new URL(config.http.publicUrl).hostname;

  const periodOf = ({ startTime, stopTime }: { readonly startTime: string; readonly stopTime: string }): Period => {
    const period = { from: new Date(startTime), before: new Date(stopTime) };
    if (period.before.getTime() - period.from.getTime() > OTAPI_MAX_DAYS * DAY_MS) {
      throw new AppError('answer-too-large');
    }
    return period;
  };
  const isSeenBy =
    (session: Session) =>
    (vehicle: DirectoryEntry, rfid: string | null, atMs: number): boolean =>
      visibility.seesPosition(session, vehicle, rfid, atMs);
  const pageOf = <T>(all: readonly T[], { count, page }: { readonly count: number; readonly page: number }): T[] =>
    all.slice((page - 1) * count, page * count);

  http.handle(otapiFleetLatest, ({ query, reply, session }) => {
    const all = latestLocations(session, organisation, providerId);
    reply.header('x-total-count', all.length);
    return { ...MAX, data: pageOf(all, query) };
  });

  http.handle(
    otapiFleetLocations,
    async ({ query, reply, session }) => {
      const period = periodOf(query);
      const vehicles = visibility.vehicles(session).toSorted((one, other) => one.id - other.id);
      const all = await db.asAccount(session.accountId, trx =>
        locationsBetween(trx, vehicles, period, isSeenBy(session), providerId),
      );
      reply.header('x-total-count', all.length);
      return { ...MAX, data: pageOf(all, query) };
    },
    { isLarge: true },
  );

  http.handle(otapiLocation, async ({ params, session }) => {
    const [, vehicleId, at] = /^([1-9]\d{0,9})-(\d{1,15})$/.exec(params.id) ?? [];
    if (vehicleId === undefined) throw new AppError('not-found');
    const vehicle = visibility.vehicle(session, Number(vehicleId));
    const moment = new Date(Number(at));
    const [fix] = await db.asAccount(session.accountId, trx =>
      readSpan(
        trx,
        { vehicleId: vehicle.id, from: moment, to: moment },
        { columns: ['lat', 'lon', 'received_at', 'rfid'], isBelieved: true },
      ),
    );
    if (!fix || !isSeenBy(session)(vehicle, fix.rfid, moment.getTime())) throw new AppError('not-found');
    return toLocation(providerId, vehicle.id, fix);
  });

  http.handle(otapiVehicle, async ({ params, session }) => {
    const { id, name } = visibility.vehicle(session, Number(params.id));
    const row = await db.asAccount(session.accountId, trx =>
      trx.selectFrom('vehicle').select(['vin', 'plate', 'created_at']).where('id', '=', id).executeTakeFirst(),
    );
    if (!row) throw new AppError('not-found');
    const serverTime = row.created_at.toISOString();
    return { id: String(id), providerId, serverTime, name, cmvVIN: row.vin, licensePlate: row.plate };
  });

  http.handle(
    otapiVehicleLocations,
    async ({ params, query, session }) => {
      const period = periodOf(query);
      const vehicle = visibility.vehicle(session, Number(params.vehicleId));
      const data = await db.asAccount(session.accountId, trx =>
        locationsBetween(trx, [vehicle], period, isSeenBy(session), providerId),
      );
      return { ...MAX, data };
    },
    { isLarge: true },
  );

  http.handle(
    otapiInfosFeed,
    async ({ query, session }) => {
      const { data, token } = await db.asAccount(session.accountId, trx =>
        arrivedLocations(trx, session, query.token, organisation, providerId),
      );
      return {
        token,
        feed: {
          coarseVehicleLocationTimeHistories: { ...COARSE, data },
          flaggedVehicleFaultEvents: [],
          vehiclePerformanceEvents: [],
          vehicleFaultCodeEvents: [],
        },
      };
    },
    { isLarge: true },
  );

  http.handle(otapiLogEventsFeed, ({ query, session }) =>
    db.asAccount(session.accountId, trx => arrivedLogEvents(trx, session, query.token, organisation, providerId)),
  );

  http.handle(otapiLogEvent, async ({ params, session }) => {
    if (!z.uuid().safeParse(params.id).success) throw new AppError('not-found');
    const found = await db.asAccount(session.accountId, trx =>
      findLogEvent(trx, session, params.id, organisation, providerId),
    );
    if (!found) throw new AppError('not-found');
    return found;
  });

  http.handle(otapiDriver, ({ params, session }) =>
    db.asAccount(session.accountId, async trx => {
      const terms = await readTermsOf(trx, Number(params.id));
      if (!terms || terms.archived || !isSeen(session, terms, visibility)) throw new AppError('not-found');
      const { created_at, user_name } = await trx
        .selectFrom('driver')
        .leftJoin('app_user', 'app_user.id', 'driver.user_id')
        .select(['driver.created_at', 'app_user.user_name'])
        .where('driver.id', '=', terms.driverId)
        .executeTakeFirstOrThrow();
      const region = /^[A-Z]{2}$/.exec(terms.licence.region ?? '')?.[0] ?? null;
      return {
        id: String(terms.driverId),
        providerId,
        serverTime: created_at.toISOString(),
        username: user_name,
        driverLicenseNumber: terms.licence.number,
        country: null,
        region,
        ...(terms.settings.keepsLog && { driverHomeTerminal: terms.terminal.name }),
      };
    }),
  );

  http.handle(
    otapiAvailability,
    async ({ params, query, session }) => {
      const period = periodOf(query);
      const [fromMs, beforeMs] = [period.from.getTime(), period.before.getTime()];
      return db.asAccount(session.accountId, async trx => {
        const terms = await readTermsOf(trx, Number(params.driverId));
        if (!terms || terms.archived || !isSeen(session, terms, visibility)) throw new AppError('not-found');
        const name = logOfDriver(terms.driverId);
        const records = (await readLogs(trx, [name], fromMs)).get(name)?.records() ?? [];
        const found = records.filter(({ event }) => event.at >= fromMs && event.at < beforeMs);
        // Where the driver was: at the wheel of a vehicle that the caller sees.
        const data = await locationsBetween(
          trx,
          visibility.vehicles(session),
          period,
          (vehicle, rfid, atMs) =>
            driving.at(vehicle, atMs, rfid)?.driver.id === terms.driverId &&
            visibility.seesPosition(session, vehicle, rfid, atMs),
          providerId,
        );
        return {
          logEvents: found.map(record => toLogEvent(record, ownerOf(terms, providerId))),
          vehicleFlaggedEvents: [],
          coarseVehicleLocationTimeHistory: { ...COARSE, data },
        };
      });
    },
    { isLarge: true },
  );

  http.handle(otapiHealth, async () => healthNow(await health.report(), providerId, new Date()));
}
