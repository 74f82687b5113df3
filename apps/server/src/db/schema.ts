import type { ColumnType, Generated } from 'kysely';
import type { PeopleTables } from './people-schema.ts';

/** The tables as Kysely sees them; the truth is in `migrations/`. */
export interface Database extends PeopleTables {
  installation: { singleton: Generated<boolean>; kind: 'demo' | 'own'; created_at: Generated<Date> };
  account: AccountTable;
  vehicle: VehicleTable;
  vehicle_state: VehicleStateTable;
  position: PositionTable;
  unknown_tracker: UnknownTrackerTable;
}

interface AccountTable {
  id: Generated<number>;
  name: string;
  demo: Generated<boolean>;
  operator: Generated<boolean>;
  created_at: Generated<Date>;
  second_factor_policy: Generated<string>;
}

interface VehicleTable {
  id: Generated<number>;
  account_id: number;
  imei: string;
  name: string;
  plate: string | null;
  vin: string | null;
  model: string | null;
  protocol: string | null;
  device_key_hash: Buffer;
  created_at: Generated<Date>;
}

/** A jsonb column: read as a value, written as JSON text. */
type Json = ColumnType<unknown, string, string>;

interface VehicleStateTable {
  vehicle_id: number;
  account_id: number;
  heard_at: Date;
  live: Json;
  newest: Json | null;
}

interface PositionTable {
  account_id: number;
  vehicle_id: number;
  fix_at: Date;
  received_at: Date;
  lat: number;
  lon: number;
  speed: number | null;
  course: number | null;
  altitude: number | null;
  odometer: number | null;
  fuel: number | null;
  temperature: number | null;
  hdop: number | null;
  satellites: number | null;
  gsm: number | null;
  valid: boolean;
  ignition: boolean | null;
  late: boolean;
  doubts: number;
  protocol: string;
  event: string | null;
  rfid: string | null;
  attributes: Json | null;
}

interface UnknownTrackerTable {
  imei: string;
  protocol: string;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  connections: Generated<number>;
  remote_address: string | null;
}
