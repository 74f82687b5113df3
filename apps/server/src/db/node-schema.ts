import type { Generated } from 'kysely';

/** Of the installation, not of an account. */
export interface NodeTables {
  bus_name: { singleton: Generated<boolean>; name: Generated<string> };
  first_owner_link: { hash: Buffer; node: string; offered_at: Generated<Date> };
  node: NodeTable;
  shared_folder: { singleton: Generated<boolean>; id: string };
  tracker_way: { vehicle_id: number; account_id: number; node: string; wanted_by: string | null };
  vehicle_owner: { vehicle_id: number; account_id: number; node: string };
}

interface NodeTable {
  id: string;
  version: string;
  address: string;
  started_at: Generated<Date>;
  seen_at: Generated<Date>;
  fence: Generated<string>;
  lock_key: Generated<number>;
  name: Generated<string>;
  bus_away_since: Date | null;
  clock_ahead_ms: Generated<number>;
}
