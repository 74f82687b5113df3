import {
  casesOf,
  type GeofenceVehicles,
  isAboutOthers,
  type RuleConditions,
  type RuleTrigger,
  type RuleWhen,
} from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';

export type RuleRow = Selectable<Database['rule']>;

export interface RuleParts {
  readonly geofenceIds: readonly string[];
  readonly vehicles: GeofenceVehicles;
}

/** The geofences and vehicles of rules. */
export async function readParts(
  trx: AccountTransaction,
  ids: readonly number[],
): Promise<(id: number, isSeen?: (vehicleId: string) => boolean) => RuleParts> {
  const ofThese = sql<boolean>`rule_id = any (${ids}::int4[])`;
  const geofences = await trx
    .selectFrom('rule_geofence')
    .selectAll()
    .where(ofThese)
    .orderBy('place')
    .orderBy('geofence_id')
    .execute();
  const vehicles = await trx
    .selectFrom('rule_vehicle')
    .selectAll()
    .where(ofThese)
    .orderBy('folder_id')
    .orderBy('vehicle_id')
    .execute();
  const geofencesOf = Map.groupBy(geofences, row => row.rule_id);
  const vehiclesOf = Map.groupBy(vehicles, row => row.rule_id);
  return (id, isSeen = () => true) => ({
    geofenceIds: (geofencesOf.get(id) ?? []).map(row => String(row.geofence_id)),
    vehicles: {
      folderIds: (vehiclesOf.get(id) ?? []).flatMap(row => (row.folder_id === null ? [] : String(row.folder_id))),
      deviceIds: (vehiclesOf.get(id) ?? [])
        .flatMap(row => (row.vehicle_id === null ? [] : String(row.vehicle_id)))
        .filter(isSeen),
    },
  });
}

/** What a row and its parts say. */
export const termsOfRow = (row: RuleRow, geofenceIds: readonly string[]) => ({
  trigger: triggerOfRow(row.trigger as RuleTrigger),
  when: row.when as RuleWhen | null,
  conditions: conditionsOfRow(row.conditions as RuleConditions | null),
  geofenceIds: row.is_any_geofence ? null : [...geofenceIds],
  where: row.is_inside ? ('inside' as const) : ('outside' as const),
  repeatMinutes: row.repeat_minutes,
});

/** Rules of earlier versions named no folders of other vehicles. */
const triggerOfRow = (kept: RuleTrigger): RuleTrigger =>
  isAboutOthers(kept) ? { ...kept, otherFolderIds: kept.otherFolderIds ?? [] } : kept;

const NO_MORE = { vehicles: null, when: null, places: null, minutes: null } as const;

/** Those of earlier versions were fewer. */
function conditionsOfRow(kept: RuleConditions | null): RuleConditions | null {
  return kept && { ...NO_MORE, ...kept, or: kept.or ?? [] };
}

/** Without the drivers and the other vehicles that the viewer doesn't see. */
export function onlyTold<T extends { readonly conditions: RuleConditions | null; readonly trigger: RuleTrigger }>(
  rule: T,
  isTold: (driverId: string) => boolean,
  isSeen: (vehicleId: string) => boolean,
): T {
  const trigger = isAboutOthers(rule.trigger)
    ? { ...rule.trigger, otherIds: rule.trigger.otherIds.filter(id => isSeen(id)) }
    : rule.trigger;
  const [first, ...or] = casesOf(rule.conditions).map(({ drivers, vehicles, ...others }) => ({
    ...others,
    drivers: drivers && { ...drivers, driverIds: drivers.driverIds.filter(isTold) },
    vehicles: vehicles && { ...vehicles, deviceIds: vehicles.deviceIds.filter(isSeen) },
  }));
  return { ...rule, trigger, conditions: first ? { ...first, or } : null };
}

/** Whom a rule is for; null: all vehicles. */
export async function writeVehicles(
  trx: AccountTransaction,
  accountId: number,
  id: number,
  vehicles: GeofenceVehicles | null,
): Promise<void> {
  await trx.deleteFrom('rule_vehicle').where('rule_id', '=', id).execute();
  const row = { account_id: accountId, rule_id: id, folder_id: null, vehicle_id: null };
  const values = [
    ...[...new Set(vehicles?.folderIds)].map(folder => ({ ...row, folder_id: Number(folder) })),
    ...[...new Set(vehicles?.deviceIds)].map(device => ({ ...row, vehicle_id: Number(device) })),
  ];
  if (values.length > 0) await trx.insertInto('rule_vehicle').values(values).execute();
}
