import type { EldMalfunction } from '@milepost/contract';
import { type FaultCode, isMalfunction } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import { iso } from '../days/shown.ts';
import { readFaults } from './vehicle-faults.ts';

const DAY_MS = 24 * 3_600_000;
/** 49 CFR 395.34(d)(1) */
const REPAIR_MS = 8 * DAY_MS;
const SHOWN_MS = 30 * DAY_MS;

/** Malfunctions and data diagnostics of the vehicles that the viewer sees: open ones, and those of 30 days. */
export async function listMalfunctionsOf(
  trx: AccountTransaction,
  viewer: Viewer,
  { visibility }: Organisation,
  now: number,
): Promise<EldMalfunction[]> {
  const vehicles = new Map(visibility.vehicles(viewer).map(vehicle => [vehicle.id, vehicle]));
  const drivers = await trx.selectFrom('driver').select(['id', 'name']).execute();
  const nameOf = new Map(drivers.map(({ id, name }) => [`driver:${id}`, name]));
  const faults = await readFaults(trx, visibility.seesAll(viewer) ? null : [...vehicles.keys()]);
  return faults
    .filter(({ since, clearedAt }) => clearedAt === null || since >= now - SHOWN_MS)
    .toReversed()
    .flatMap(({ vehicleId, code, since, clearedAt, log }): EldMalfunction[] => {
      const vehicle = vehicles.get(vehicleId);
      if (!vehicle) return [];
      return [
        {
          vehicle: { id: String(vehicle.id), imei: vehicle.imei, deviceName: vehicle.name },
          code,
          since: iso(since),
          clearedAt: clearedAt === null ? null : iso(clearedAt),
          driverName: nameOf.get(log) ?? null,
          repairBy: isMalfunction(code as FaultCode) ? iso(since + REPAIR_MS) : null,
        },
      ];
    });
}
