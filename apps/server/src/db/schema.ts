import type { ColumnType, Generated } from 'kysely';
import type { AlertTable } from './alert-schema.ts';
import type { CommandTables } from './command-schema.ts';
import type { DayTables } from './day-schema.ts';
import type { GeofenceTables } from './geofence-schema.ts';
import type { JobTables } from './job-schema.ts';
import type { LogbookDeskTables } from './logbook-desk-schema.ts';
import type { LogbookTables } from './logbook-schema.ts';
import type { MapTables } from './map-schema.ts';
import type { NodeTables } from './node-schema.ts';
import type { NotificationTables } from './notification-schema.ts';
import type { PeopleTables } from './people-schema.ts';
import type { PrivacyTables } from './privacy-schema.ts';
import type { PushTables } from './push-schema.ts';
import type { RecorderTables } from './recorder-schema.ts';
import type { ReportTables } from './report-schema.ts';
import type { RuleTables } from './rule-schema.ts';
import type { ShareTables } from './share-schema.ts';
import type { SignOnTables } from './sign-on-schema.ts';
import type { TaskTables } from './task-schema.ts';
import type { ViewTables } from './view-schema.ts';
import type { VisitTables } from './visit-schema.ts';
import type { WebhookTables } from './webhook-schema.ts';

/** The tables as Kysely sees them; defined in `migrations/`. */
export interface Database
  extends DayTables,
    ViewTables,
    CommandTables,
    GeofenceTables,
    VisitTables,
    JobTables,
    ReportTables,
    LogbookTables,
    LogbookDeskTables,
    RecorderTables,
    MapTables,
    NodeTables,
    NotificationTables,
    PeopleTables,
    PrivacyTables,
    RuleTables,
    TaskTables,
    ShareTables,
    SignOnTables,
    WebhookTables,
    PushTables {
  installation: { singleton: Generated<boolean>; kind: 'demo' | 'own'; created_at: Generated<Date> };
  account: AccountTable;
  vehicle: VehicleTable;
  vehicle_state: VehicleStateTable;
  position: PositionTable;
  private_position: PositionTable;
  sealed_day: SealedDayTable;
  unknown_tracker: UnknownTrackerTable;
  unknown_frame: UnknownFrameTable;
  refused_report: RefusedReportTable;
  refused_frame: RefusedFrameTable;
  folder: GroupTable;
  department: GroupTable;
  driver: DriverTable;
  subscription: SubscriptionTable;
  tenant: TenantTable;
  account_setting: AccountSettingTable;
  document: DocumentTable;
  alert: AlertTable;
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
  type: string | null;
  make: string | null;
  year: number | null;
  fuel_type: string | null;
  tank_litres: number | null;
  speed_limit_kmh: number | null;
  odometer_offset: Generated<number>;
  tags: Generated<string[]>;
  notes: string | null;
  tracker_model: string | null;
  sim_number: string | null;
  tracker_id: string | null;
  tracker_addresses: Generated<string[]>;
  folder_id: number | null;
  usual_driver_id: number | null;
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

interface SealedDayTable {
  account_id: number;
  vehicle_id: number;
  day: string;
  from_at: Date;
  to_at: Date;
  positions: number;
  believed: number;
  track: Buffer;
}

interface UnknownTrackerTable {
  imei: string;
  protocol: string;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  connections: Generated<number>;
  remote_address: string | null;
}

interface RefusedFrameTable {
  id: Generated<string>;
  account_id: number;
  vehicle_id: number;
  protocol: string;
  cause: string;
  remote_address: string | null;
  received_at: Date;
  frame: Buffer;
  length: number;
}

interface RefusedReportTable {
  account_id: number;
  vehicle_id: number;
  protocol: string;
  cause: string;
  remote_address: string | null;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  times: number;
}

interface UnknownFrameTable {
  id: Generated<number>;
  protocol: string;
  imei: string | null;
  remote_address: string | null;
  received_at: Generated<Date>;
  code: string;
  at: number;
  frame: Buffer;
  length: number;
}

/** Folders and departments. */
interface GroupTable {
  id: Generated<number>;
  account_id: number;
  parent_id: number | null;
  name: string;
  created_at: Generated<Date>;
}

/** A date without a time is read as text, because it has no time zone. */
type Day = ColumnType<string, string, string>;

interface DriverTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  phone: string | null;
  email: string | null;
  licence_number: string | null;
  licence_region: string | null;
  licence_class: string | null;
  licence_expires_on: Day | null;
  card: string | null;
  department_id: number | null;
  user_id: string | null;
  notes: string | null;
  archived: Generated<boolean>;
  created_at: Generated<Date>;
}

interface SubscriptionTable {
  id: Generated<number>;
  account_id: number;
  imei: string;
  created_at: Generated<Date>;
}

interface TenantTable {
  account_id: number;
  logo: string | null;
  splash: string | null;
  splash_on: Generated<boolean>;
  primary_colour: string | null;
  secondary_colour: string | null;
  active_colour: string | null;
  host_name: string | null;
}

interface AccountSettingTable {
  account_id: number;
  name: string;
  value: Json;
  changed_at: Generated<Date>;
  changed_by: string | null;
}

interface DocumentTable {
  id: Generated<number>;
  account_id: number;
  vehicle_id: number | null;
  driver_id: number | null;
  kind: string;
  title: string;
  expires_on: Day | null;
  notes: string | null;
  file_name: string;
  file: string;
  type: string;
  bytes: number;
  created_at: Generated<Date>;
  created_by: string | null;
}
