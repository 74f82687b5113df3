import type { RouteAnswer, readBoard, UnidentifiedDriving } from '@milepost/contract';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { iso } from '../days/shown.ts';
import { readDriverTerms } from '../settings/driver-terms.ts';
import type { LogRoster } from '../settings/roster.ts';
import { queuePush } from './asked-for.ts';
import { logRefused } from './refused.ts';
import { declinesOf, neighborsOf, type UnidentifiedDrive, type UnidentifiedDrives } from './unidentified-drives.ts';

const DAY_MS = 24 * 3_600_000;
/** Longer than any record is kept. */
const SINCE_MS = 200 * DAY_MS;
/** What an officer sees: today and the seven days before. */
const SHOWN_MS = 8 * DAY_MS;
const MOST_CANDIDATES = 8;

/** Unidentified driving (49 CFR 395.32): what the desk sees of it, and whom it asks to take it. */
export function createUnidentified(drives: UnidentifiedDrives, roster: LogRoster, organisation: Organisation) {
  const { directory, driving, visibility } = organisation;
  const vehiclesOf = (viewer: Viewer): number[] => visibility.vehicles(viewer).map(({ id }) => id);

  const shown = async (
    trx: AccountTransaction,
    viewer: Viewer,
    list: readonly UnidentifiedDrive[],
    now: number,
  ): Promise<UnidentifiedDriving[]> => {
    const declines = await declinesOf(trx, now - SINCE_MS);
    const neighbors = await neighborsOf(
      trx,
      list.flatMap(({ record, takenBy }) => (takenBy === null ? [record] : [])),
    );
    const asked = new Map(
      (await trx.selectFrom('unidentified_assignment').select(['record', 'driver_id']).execute()).map(row => [
        row.record,
        row.driver_id,
      ]),
    );
    const terms = new Map((await readDriverTerms(trx, null)).map(one => [one.driverId, one]));
    const named = (id: number) => ({ driverId: String(id), name: terms.get(id)?.name ?? '' });
    const mayTake = (id: number): boolean => {
      const one = terms.get(id);
      if (!one?.settings.keepsLog || one.archived) return false;
      return visibility.seesDriver(viewer, { id, departmentId: one.departmentId, userId: one.userId });
    };

    return list.flatMap((drive): UnidentifiedDriving[] => {
      const vehicle = directory.findById(drive.vehicleId);
      if (!vehicle) return [];
      const declined = declines.get(drive.record) ?? [];
      const askedOf = asked.get(drive.record);
      const isAsked = askedOf !== undefined && !declined.includes(askedOf);
      const holder = drive.takenBy ?? (isAsked ? askedOf : null);
      const near = [
        ...(neighbors.get(drive.record) ?? []),
        ...(driving.of(vehicle) ? [driving.of(vehicle)?.driver.id ?? 0] : []),
        ...(vehicle.usualDriverId === null ? [] : [vehicle.usualDriverId]),
      ];
      const candidates = [...new Set(near)].filter(id => mayTake(id) && !declined.includes(id));
      return [
        {
          record: drive.record,
          vehicle: { id: String(vehicle.id), imei: vehicle.imei, deviceName: vehicle.name },
          from: iso(drive.from),
          to: drive.to === null ? null : iso(drive.to),
          miles: drive.miles,
          fromPlace: drive.fromPlace,
          toPlace: drive.toPlace,
          note: drive.note,
          state: drive.takenBy !== null ? 'claimed' : isAsked ? 'assigned' : drive.note === '' ? 'open' : 'annotated',
          driver: holder === null ? null : named(holder),
          declinedBy: declined.map(id => named(id).name),
          candidates: drive.takenBy === null ? candidates.slice(0, MOST_CANDIDATES).map(named) : [],
        },
      ];
    });
  };

  return {
    /** What nobody has claimed of the last eight days. */
    summary: async (
      trx: AccountTransaction,
      viewer: Viewer,
      now: number,
    ): Promise<RouteAnswer<typeof readBoard>['unidentified']> => {
      const all = await drives.of(trx, viewer.accountId, vehiclesOf(viewer), now);
      const open = all.filter(({ from, takenBy }) => takenBy === null && from >= now - SHOWN_MS);
      const minutes = open.reduce((sum, { from, to }) => sum + ((to ?? now) - from) / 60_000, 0);
      return {
        segments: open.length,
        vehicles: new Set(open.map(({ vehicleId }) => vehicleId)).size,
        minutes: Math.round(minutes),
      };
    },

    list: async (trx: AccountTransaction, viewer: Viewer, now: number): Promise<UnidentifiedDriving[]> =>
      shown(trx, viewer, await drives.of(trx, viewer.accountId, vehiclesOf(viewer), now), now),

    /** Asks a driver to take the driving; null: nobody any more. */
    assign: async (
      { db, feed, signals }: Pick<Context, 'db' | 'feed' | 'signals'>,
      { session, author }: By,
      about: { readonly vehicleId: number; readonly record: string; readonly driverId: number | null },
      now: number,
    ): Promise<UnidentifiedDriving> => {
      const { accountId, userId } = session;
      const { vehicleId, record, driverId } = about;
      const vehicle = visibility.heldVehicle(session, vehicleId);
      const answer = await db.asAccount(accountId, async trx => {
        const find = async () =>
          (await drives.of(trx, accountId, [vehicleId], now)).find(drive => drive.record === record);
        const drive = await find();
        if (!drive) throw new AppError('not-found');
        if (drive.takenBy !== null) throw logRefused('not-active');
        const terms = driverId === null ? null : await roster.seen(trx, session, driverId);
        if (terms && (!terms.settings.keepsLog || terms.archived)) throw new AppError('not-found');
        const key = { account_id: accountId, vehicle_id: vehicleId, record };
        if (terms) {
          const row = { driver_id: terms.driverId, asked_by: userId, asked_at: new Date(now) };
          await trx
            .insertInto('unidentified_assignment')
            .values({ ...key, ...row })
            .onConflict(conflict => conflict.columns(['account_id', 'vehicle_id', 'record']).doUpdateSet(row))
            .execute();
          await queuePush(trx, accountId, terms, 'unidentified', userId);
        } else {
          await trx
            .deleteFrom('unidentified_assignment')
            .where('vehicle_id', '=', vehicleId)
            .where('record', '=', record)
            .execute();
        }
        await audit(trx, author, {
          action: 'unidentified.assigned',
          target: { id: vehicleId, name: vehicle.name },
          changes: [
            { field: 'driver', from: null, to: terms?.name ?? null },
            { field: 'at', from: null, to: iso(drive.from) },
          ],
        });
        const [one] = await shown(trx, session, [drive], now);
        if (!one) throw new AppError('not-found');
        return one;
      });
      if (driverId !== null) signals.emit('driver-asked', { driverId });
      await feed.settled();
      return answer;
    },
  };
}
export type Unidentified = ReturnType<typeof createUnidentified>;
