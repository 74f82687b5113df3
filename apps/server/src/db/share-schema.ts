import type { Generated } from 'kysely';

/** The tables of share links, as Kysely sees them; part of `schema.ts`. */
export interface ShareTables {
  share_link: ShareLinkTable;
  share_link_vehicle: ShareLinkVehicleTable;
}

interface ShareLinkTable {
  id: Generated<number>;
  account_id: number;
  token_hash: Buffer;
  name: string | null;
  note: string | null;
  show_trail: boolean;
  show_speed: boolean;
  show_geofences: Generated<boolean>;
  task_id: number | null;
  starts_at: Date;
  expires_at: Date;
  created_at: Generated<Date>;
  created_by: string;
  revoked_at: Date | null;
  views: Generated<number>;
  last_viewed_at: Date | null;
}

interface ShareLinkVehicleTable {
  account_id: number;
  link_id: number;
  vehicle_id: number;
  key: Generated<string>;
}
