import { randomUUID } from 'node:crypto';
import {
  listPrivateHours,
  openHiddenPositions,
  type PrivateHours,
  type RouteAnswer,
  type readMyPrivacy,
  setPrivateHours,
  switchPrivateDrive,
} from '@milepost/contract';
import { metresPerSecond, toKilometresPerHour } from '@milepost/units';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { timesOf } from '../../fleet/private-time.ts';
import type { RosterDriver } from '../../fleet/roster.ts';
import type { Http } from '../../http/server.ts';
import type { ReportContext } from '../../ingest/report.ts';
import { readPrivate } from '../../tracks/private.ts';
import { audit, authorOf } from '../audit/audit.ts';
import { importedAt } from '../audit/imported-at.ts';
import { readTermsOf } from '../logbook/settings/driver-terms.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { beginDrive, endDrives } from './private-drives.ts';

type Mine = RouteAnswer<typeof readMyPrivacy>['privateTime'];

export interface PrivateTimeParts extends Organisation {
  readonly reportContext: ReportContext;
}

const OPENINGS_SHOWN = 100;

export function registerPrivateTime(http: Http, context: Context, parts: PrivateTimeParts): void {
  const { db, mailer } = context;
  const { directory, driving, privateTime, reportContext, roster, visibility } = parts;

  http.handle(listPrivateHours, ({ session }) => db.asAccount(session.accountId, trx => readHours(trx)));

  http.handle(setPrivateHours, async ({ body, request, session }) => {
    const { accountId } = session;
    const driverId = body.driverId === null ? null : Number(body.driverId);
    const vehicleId = body.vehicleId === null ? null : Number(body.vehicleId);
    const driver = driverId === null ? null : roster.driver(accountId, driverId);
    const vehicle = vehicleId === null ? null : visibility.vehicle(session, vehicleId);
    if (driverId !== null && driver === null) throw new AppError('not-found');
    if (vehicle && body.times.length > 0 && privateTime.hasLog(accountId, vehicle.id)) {
      throw new AppError('private-time-with-log');
    }
    const hours = await db.asAccount(accountId, async trx => {
      const now = new Date();
      const [before] = await trx
        .updateTable('private_hours')
        .set({ valid_to: now })
        .where('valid_to', 'is', null)
        .$if(driverId !== null, query => query.where('driver_id', '=', driverId))
        .$if(vehicleId !== null, query => query.where('vehicle_id', '=', vehicleId))
        .returning('times')
        .execute();
      if (body.times.length > 0) {
        const row = {
          account_id: accountId,
          driver_id: driverId,
          vehicle_id: vehicleId,
          valid_from: now,
          valid_to: null,
        };
        const zone = await zoneOf(trx, driverId);
        await trx
          .insertInto('private_hours')
          .values({ ...row, zone, times: JSON.stringify(body.times) })
          .execute();
      }
      const target = driver ?? vehicle;
      await audit(trx, authorOf({ session, request }), {
        action: 'privacy.hours-changed',
        ...(target && { target: { id: target.id, name: target.name } }),
        changes: [
          { field: 'times', from: JSON.stringify(before ? timesOf(before.times) : []), to: JSON.stringify(body.times) },
        ],
      });
      return readHours(trx);
    });
    await privateTime.settled();
    return hours;
  });

  http.handle(switchPrivateDrive, async ({ body, request, session }) => {
    const { accountId, userId } = session;
    const driver = roster.driverOfUser(accountId, userId);
    const mine = driver && driveOfDriver(parts, accountId, driver);
    const placed = driver && driving.vehicleOf(accountId, driver);
    const vehicle = directory.findById((body.isOn ? placed?.id : (mine?.vehicleId ?? placed?.id)) ?? -1);
    if (!body.isOn && !mine) return { since: null };
    if (!driver || !vehicle) throw new AppError('no-vehicle-now');
    if (body.isOn && !privateTime.allowsDrives(accountId)) throw new AppError('private-drive-off');
    if (body.isOn && privateTime.hasLog(accountId, vehicle.id)) throw new AppError('private-time-with-log');
    await db.asAccount(accountId, async trx => {
      const now = new Date();
      if (body.isOn)
        await beginDrive(trx, { accountId, vehicleId: vehicle.id, driverId: driver.id, cause: 'switch' }, now);
      else if (!(await endDrives(trx, vehicle.id, 'switch', now))) return;
      await audit(trx, authorOf({ session, request }), {
        action: 'privacy.drive-switched',
        target: { id: vehicle.id, name: vehicle.name },
        changes: [{ field: 'privateDrive', from: !body.isOn, to: body.isOn }],
      });
    });
    await privateTime.settled();
    const since = driveOfDriver(parts, accountId, driver)?.fromMs ?? null;
    return { since: since === null ? null : new Date(since).toISOString() };
  });

  http.handle(openHiddenPositions, async ({ body, params, request, session }) => {
    const { accountId, userId, userName } = session;
    const vehicle = visibility.vehicle(session, Number(params.id));
    const [from, to] = [new Date(body.from), new Date(body.to)];
    const { drivers, positions } = await db.asAccount(accountId, async trx => {
      const rows = await readPrivate(trx, vehicle.id, from, new Date(to.getTime() + 1));
      const usual = vehicle.usualDriverId === null ? null : roster.driver(accountId, vehicle.usualDriverId);
      const found = new Set<RosterDriver | null>(
        rows.map(({ rfid }) => (rfid === null ? null : roster.driverOfCard(accountId, rfid)) ?? usual),
      );
      // The driver who switched a private drive on is notified as well: it is their time.
      const drives = await trx
        .selectFrom('private_drive')
        .select('driver_id')
        .where('vehicle_id', '=', vehicle.id)
        .where('began_at', '<=', to)
        .where(eb => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', from)]))
        .execute();
      for (const { driver_id } of drives) found.add(roster.driver(accountId, driver_id));
      // Nobody's time is opened without a trace either.
      const told = [...found].some(driver => driver !== null) ? [...found].filter(driver => driver !== null) : [usual];
      await trx
        .insertInto('private_opening')
        .values(
          told.map(driver => ({
            ...{ account_id: accountId, id: randomUUID(), opened_at: new Date(), user_id: userId, user_name: userName },
            ...{ vehicle_id: vehicle.id, vehicle_name: vehicle.name, driver_id: driver?.id ?? null },
            ...{ from_at: from, to_at: to, reason: body.reason },
          })),
        )
        .execute();
      await audit(trx, authorOf({ session, request }), {
        action: 'privacy.hidden-opened',
        target: { id: vehicle.id, name: vehicle.name },
        changes: [
          { field: 'reason', from: null, to: body.reason },
          { field: 'from', from: null, to: body.from },
          { field: 'to', from: null, to: body.to },
        ],
      });
      const users = told.flatMap(driver => driver?.userId ?? []);
      const addresses = await trx
        .selectFrom('app_user')
        .select(['display_name', 'email'])
        .where('id', 'in', users.length > 0 ? users : [userId])
        .where('id', '<>', userId)
        .execute();
      for (const { display_name, email } of addresses) {
        if (email === null) continue;
        const text = `${display_name},\n\n${userName} opened positions of ${vehicle.name} from your private time, ${body.from} to ${body.to}.\n\nReason: ${body.reason}\n\nMy privacy in Milepost lists it.\n`;
        mailer.send({ to: email, subject: 'Your private time was opened', text });
      }
      return { drivers: told.flatMap(driver => (driver ? [String(driver.id)] : [])), positions: rows };
    });
    return {
      drivers,
      positions: positions
        .filter(({ valid }) => valid)
        .map(({ fix_at, lat, lon, speed }) => ({
          at: fix_at.toISOString(),
          lat,
          lon,
          speed: speed === null ? null : Math.round(toKilometresPerHour(metresPerSecond(speed)) * 10) / 10,
          address: reportContext.placeOf(lat, lon)?.address ?? null,
        })),
    };
  });
}

/** A driver's own private drive that is under way, in whatever vehicle. */
function driveOfDriver({ directory, privateTime }: Organisation, accountId: number, { id }: RosterDriver) {
  if (!privateTime.isUsed(accountId)) return null;
  for (const vehicle of directory.ofAccount(accountId)) {
    const drive = privateTime.driveOf(accountId, vehicle.id);
    if (drive?.driverId === id && drive.cause === 'switch') return drive;
  }
  return null;
}

/** What My privacy says of private time. */
export async function privateTimeOf(
  trx: AccountTransaction,
  parts: Organisation,
  accountId: number,
  driver: RosterDriver,
): Promise<Mine> {
  const { directory, driving, live, privateTime } = parts;
  const placed = driving.vehicleOf(accountId, driver);
  const vehicle = placed && directory.findById(placed.id);
  const hours = await readHours(trx);
  const openings = await trx
    .selectFrom('private_opening')
    .selectAll()
    .where('driver_id', '=', driver.id)
    .orderBy('opened_at', 'desc')
    .limit(OPENINGS_SHOWN)
    .execute();
  const since = driveOfDriver(parts, accountId, driver)?.fromMs ?? null;
  return {
    isNow: vehicle !== null && live.latestOf(vehicle.id).live.private === true,
    driveSince: since === null ? null : new Date(since).toISOString(),
    noDrive: !privateTime.allowsDrives(accountId)
      ? 'not-allowed'
      : vehicle === null
        ? 'no-vehicle'
        : privateTime.hasLog(accountId, vehicle.id)
          ? 'with-log'
          : null,
    personalUse: privateTime.hidesPersonalUse(accountId),
    hours: hours.filter(each => each.driver?.id === String(driver.id) || each.vehicle?.id === String(vehicle?.id)),
    openings: openings.map(row => ({
      ...{ id: row.id, at: row.opened_at.toISOString(), by: row.user_name, vehicle: row.vehicle_name },
      ...{ reason: row.reason, from: row.from_at.toISOString(), to: row.to_at.toISOString() },
      ...importedAt(row),
    })),
  };
}

/** The hours that count now, drivers first. */
async function readHours(trx: AccountTransaction): Promise<PrivateHours[]> {
  const rows = await trx
    .selectFrom('private_hours')
    .leftJoin('driver', 'driver.id', 'private_hours.driver_id')
    .leftJoin('vehicle', 'vehicle.id', 'private_hours.vehicle_id')
    .select(['driver_id', 'vehicle_id', 'zone', 'times', 'valid_from'])
    .select(['driver.name as driver', 'vehicle.name as vehicle'])
    .where('valid_to', 'is', null)
    .orderBy('driver.name')
    .orderBy('vehicle.name')
    .execute();
  return rows.map(row => ({
    driver: row.driver_id === null ? null : { id: String(row.driver_id), name: row.driver ?? '' },
    vehicle: row.vehicle_id === null ? null : { id: String(row.vehicle_id), name: row.vehicle ?? '' },
    ...{ zone: row.zone, times: timesOf(row.times), since: row.valid_from.toISOString() },
  }));
}

/** Drivers with a log live by their home terminal's clocks, everyone else by the account's. */
async function zoneOf(trx: AccountTransaction, driverId: number | null): Promise<string> {
  const terms = driverId === null ? null : await readTermsOf(trx, driverId);
  if (terms?.settings.keepsLog) return terms.terminal.timeZone;
  return (await readAccountSettings(trx)).settings.timeZone;
}
