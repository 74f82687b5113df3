import type { GeofenceShape } from '@milepost/contract';
import type { Generated, JSONColumnType } from 'kysely';

/** The tables of geofences, as Kysely sees them; part of `schema.ts`. */
export interface GeofenceTables {
  geofence_group: GeofenceGroupTable;
  geofence: GeofenceTable;
  geofence_vehicle: GeofenceVehicleTable;
}

interface GeofenceGroupTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  color: string;
  detention_free_minutes: number | null;
  detention_per_hour: number | null;
}

interface GeofenceTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  group_id: number | null;
  color: string;
  is_restricted: boolean;
  is_on: boolean;
  shape: JSONColumnType<GeofenceShape>;
  buffer_m: number;
  min_fixes: number;
  min_seconds: number;
  is_for_all: boolean;
  note: string | null;
  detention_free_minutes: number | null;
  detention_per_hour: number | null;
  speed_limit_kmh: number | null;
  created_at: Generated<Date>;
  created_by: string | null;
  changed_at: Generated<Date>;
}

interface GeofenceVehicleTable {
  account_id: number;
  geofence_id: number;
  folder_id: number | null;
  vehicle_id: number | null;
}
