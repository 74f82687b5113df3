import type { ColumnType, Generated } from 'kysely';

/** What follows from positions, by vehicle and day; the truth is in `migrations/0025_vehicle_day.sql`. */
export interface DayTables {
  vehicle_day: VehicleDayTable;
  vehicle_day_stale: VehicleDayStaleTable;
  day_zone: { account_id: number; zone: string };
}

interface VehicleDayTable {
  account_id: number;
  vehicle_id: number;
  day: string;
  from_at: Date;
  to_at: Date;
  until_at: Date;
  distance: number;
  moving: number;
  idling: number;
  stopped: number;
  gap: number;
  stops: number;
  max_speed: number | null;
  first_move_at: Date | null;
  last_stop_at: Date | null;
  fixes: number;
  left_out: number;
  hours: number[] | null;
  through_at: Date;
  open: boolean;
  count: ColumnType<unknown, string | null, string | null>;
}

interface VehicleDayStaleTable {
  account_id: number;
  vehicle_id: number;
  day: string;
  first_at: Date;
  last_at: Date;
  marks: Generated<string>;
}
