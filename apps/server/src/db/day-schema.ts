import type { ColumnType, Generated } from 'kysely';

/**
 * Figures calculated from positions, by vehicle and day, as Kysely sees them; defined in
 * `migrations/0025_vehicle_day.sql` and `migrations/0049_trip.sql`.
 */
export interface DayTables {
  vehicle_day: VehicleDayTable;
  vehicle_day_stale: VehicleDayStaleTable;
  trip_day: CountedDayTable;
  trip_part: TripPartTable;
  day_zone: { account_id: number; zone: string };
}

/** What every table of counted days has. */
interface CountedDayTable {
  account_id: number;
  vehicle_id: number;
  day: string;
  from_at: Date;
  to_at: Date;
  until_at: Date;
  through_at: Date;
  open: boolean;
  count: ColumnType<unknown, string | null, string | null>;
}

interface VehicleDayTable extends CountedDayTable {
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
}

interface VehicleDayStaleTable {
  account_id: number;
  vehicle_id: number;
  day: string;
  first_at: Date;
  last_at: Date;
  marks: Generated<string>;
}

interface TripPartTable {
  account_id: number;
  vehicle_id: number;
  day: string;
  from_at: Date;
  to_at: Date;
  kind: string;
  millimetres: number;
  moving_ms: number;
  idling_ms: number;
  stopped_ms: number;
  max_speed: number | null;
  fixes: number;
  start_at: Date | null;
  start_lat: number | null;
  start_lon: number | null;
  end_at: Date | null;
  end_lat: number | null;
  end_lon: number | null;
  odometer: number[] | null;
  fuel: number[] | null;
  cards: string[];
}
