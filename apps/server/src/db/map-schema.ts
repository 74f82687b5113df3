import type { ColumnType, Generated } from 'kysely';

/** Driven roads and the choice of a base map; defined in `migrations/0042_maps.sql`. */
export interface MapTables {
  driven_road: DrivenRoadTable;
  driven_road_through: { account_id: number; vehicle_id: number; through_at: Date };
  map_setting: MapSettingTable;
}

interface DrivenRoadTable {
  account_id: number;
  vehicle_id: number;
  level: number;
  x: number;
  y: number;
  oldest_day: number;
  cells: Buffer;
}

interface MapSettingTable {
  singleton: Generated<boolean>;
  choice: ColumnType<unknown, string, string>;
  changed_at: Generated<Date>;
}
