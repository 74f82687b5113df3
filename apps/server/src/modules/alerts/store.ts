import type { Alert, AlertKind, Severity } from '@milepost/contract';
import { metresPerSecond, toKilometresPerHour } from '@milepost/units';
import type { Kysely, Selectable } from 'kysely';
import type { AlertConflict, AlertFigures, AlertTable } from '../../db/alert-schema.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Directory, DirectoryEntry } from '../../fleet/directory.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { nearOf, type ReportContext } from '../../ingest/report.ts';
import type { AboutAlert } from './audience.ts';

export type AlertRow = Selectable<AlertTable> & {
  readonly acknowledger: string | null;
  readonly driver_name: string | null;
  readonly asked_by: string | null;
  readonly asked_by_name: string | null;
  readonly task_by: string | null;
};

/** Selects alerts with the names of users and drivers. */
export const selectAlerts = (db: AccountTransaction | Kysely<Database>) =>
  db
    .selectFrom('alert')
    .leftJoin('person', join =>
      join.onRef('person.account_id', '=', 'alert.account_id').onRef('person.id', '=', 'alert.acknowledged_by'),
    )
    .leftJoin('named_driver', join =>
      join.onRef('named_driver.account_id', '=', 'alert.account_id').onRef('named_driver.id', '=', 'alert.driver_id'),
    )
    .leftJoin('command', 'command.id', 'alert.command_id')
    .leftJoin('task', 'task.id', 'alert.task_id')
    .selectAll('alert')
    .select('task.created_by as task_by')
    .select(['person.display_name as acknowledger', 'named_driver.name as driver_name'])
    .select(['command.created_by as asked_by', 'command.created_by_name as asked_by_name']);

export const toFigures = (figures: AlertFigures | null): Alert['figures'] => ({
  speed: figures?.speed === undefined ? null : rounded(toKilometresPerHour(metresPerSecond(figures.speed))),
  temp: figures?.temperature === undefined ? null : rounded(figures.temperature),
  battery: figures?.battery ?? null,
  supply: figures?.supply === undefined ? null : rounded(figures.supply),
  fuelLost: figures?.fuel === undefined ? null : rounded(figures.fuel),
});

const toConflict = (conflict: AlertConflict | null): Alert['conflict'] => {
  if (conflict === null) return null;
  const { speeds, metres, ...rest } = conflict;
  const [first = null, second = null] = speeds ?? [];
  return {
    ...rest,
    speeds: speeds && [kilometresPerHour(first), kilometresPerHour(second)],
    distanceKm: metres === null ? null : rounded(metres / 1000),
  };
};

const kilometresPerHour = (speed: number | null): number | null =>
  speed === null ? null : rounded(toKilometresPerHour(metresPerSecond(speed)));

const rounded = (figure: number): number => Math.round(figure * 10) / 10;

/** Which other vehicles a reader may see. */
export type SeesOther = (vehicleId: number) => boolean;

/** Nobody learns by an alert where a vehicle was that they don't see; one that is deleted is seen by who sees all. */
export const seesOther =
  (viewer: Viewer, { directory, visibility }: Pick<Organisation, 'directory' | 'visibility'>): SeesOther =>
  id => {
    const vehicle = directory.findById(id);
    return visibility.seesAll(viewer) || (vehicle !== null && visibility.holdsVehicle(viewer, vehicle));
  };

/** The alert without the other vehicle, unless its reader sees that one. */
export const toldTo = (alert: Alert, sees: SeesOther): Alert =>
  alert.rule?.other && !sees(Number(alert.rule.other.deviceId))
    ? { ...alert, rule: { ...alert.rule, other: null } }
    : alert;

/** What decides who may know of it. */
export const aboutOf = (
  row: Pick<AlertRow, 'kind' | 'vehicle_id' | 'driver_id' | 'task_by' | 'asked_by'>,
): AboutAlert => ({
  ...{ kind: row.kind as AlertKind, vehicleId: row.vehicle_id, driverId: row.driver_id },
  ...{ taskBy: row.task_by, askedBy: row.asked_by },
});

/** The vehicle of an alert, null if it is about none; undefined if it is gone. */
export const vehicleOf = (
  { vehicle_id }: Pick<AlertRow, 'vehicle_id'>,
  directory: Pick<Directory, 'findById'>,
): DirectoryEntry | null | undefined => (vehicle_id === null ? null : (directory.findById(vehicle_id) ?? undefined));

/** The alert in the contract's form, for a reader who sees these other vehicles. */
export function toAlert(
  row: AlertRow,
  vehicle: DirectoryEntry | null,
  { placeOf }: Pick<ReportContext, 'placeOf'>,
  sees: SeesOther,
): Alert {
  const { lat, lon } = row;
  const place = lat === null || lon === null ? null : placeOf(lat, lon);
  return {
    id: row.id,
    kind: row.kind as AlertKind,
    severity: row.severity as Severity,
    deviceId: vehicle && String(vehicle.id),
    imei: vehicle?.imei ?? null,
    deviceName: vehicle?.name ?? null,
    driver: row.driver_id === null ? null : { id: String(row.driver_id), name: row.driver_name ?? '' },
    event: row.event,
    openedAt: row.opened_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    count: row.count,
    closedAt: row.closed_at?.toISOString() ?? null,
    late: row.late,
    muted: row.is_muted,
    lat,
    lon,
    address: place?.address ?? null,
    near: nearOf(place),
    figures: toFigures(row.figures),
    rule: row.rule && {
      id: row.rule_id === null ? null : String(row.rule_id),
      name: row.rule.name,
      action: row.rule.action,
      needsNote: row.rule.needsNote ?? false,
      geofence: row.rule.geofence,
      crossing: row.rule.crossing ?? null,
      expected: row.rule.expected ?? null,
      other:
        row.rule.other && sees(row.rule.other.id)
          ? { deviceId: String(row.rule.other.id), name: row.rule.other.name }
          : null,
      about: row.rule.about ? { ...row.rule.about, titles: [...row.rule.about.titles] } : null,
      message: row.rule.message ?? null,
    },
    geofence: row.geofence_name,
    task: row.task && { ...row.task, id: row.task_id === null ? null : String(row.task_id) },
    conflict: toConflict(row.conflict),
    escalation: row.escalation && { at: row.escalation.at, to: [...row.escalation.to] },
    acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
    acknowledgedBy: row.acknowledged_by === null ? null : { id: row.acknowledged_by, name: row.acknowledger ?? '' },
    note: row.note,
    commandId: row.command_id,
    askedBy: row.asked_by === null ? null : { id: row.asked_by, name: row.asked_by_name ?? '' },
  };
}
