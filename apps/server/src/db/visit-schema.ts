import type { FollowerState } from '@milepost/geo';
import type { Generated, JSONColumnType } from 'kysely';

/** The tables of visits, as Kysely sees them; part of `schema.ts`. Described in `migrations/0056_visit.sql`. */
export interface VisitTables {
  geofence_version: GeofenceVersionTable;
  geofence_deleted: GeofenceDeletedTable;
  visit_fold: VisitFoldTable;
  visit_day: VisitDayTable;
  visit: VisitTable;
}

interface GeofenceVersionTable {
  geofence_id: number;
  account_id: number;
  settings: string;
  version: Generated<string>;
  since_day: string;
}

/** Described in `migrations/0070_restricted_geofence.sql`. */
interface GeofenceDeletedTable {
  account_id: number;
  geofence_id: number;
  name: string;
  kind: string;
  color: string;
  deleted_at: Generated<Date>;
}

interface VisitFoldTable {
  account_id: number;
  vehicle_id: number;
  since_day: string;
  through_at: Date;
  version: string;
  assigned: number[];
  state: JSONColumnType<FollowerState>;
  late: JSONColumnType<{ readonly from: number; readonly until: number }> | null;
  added: JSONColumnType<KeptAdded> | null;
}

/** Geofences that are counted from a day on: with a newer version than `above`, or one of these. */
export interface KeptAdded {
  readonly from: number;
  /** Nothing is known of them before that day. */
  readonly since: number;
  readonly above: number | null;
  readonly ids: readonly number[];
}

interface VisitDayTable {
  account_id: number;
  vehicle_id: number;
  day: string;
  state: JSONColumnType<FollowerState>;
  box: number[] | null;
}

export interface VisitTable {
  account_id: number;
  vehicle_id: number;
  geofence_id: number;
  in_at: Date;
  in_after: Date | null;
  in_before: Date;
  in_known_at: Date;
  in_confidence: number;
  in_lat: number;
  in_lon: number;
  out_at: Date | null;
  out_after: Date | null;
  out_before: Date | null;
  out_known_at: Date | null;
  out_confidence: number | null;
  out_lat: number | null;
  out_lon: number | null;
  is_pass: boolean;
}
