import type { Generated } from 'kysely';

/** Alerts as Kysely sees them; part of `schema.ts`. */
export interface AlertTable {
  id: string;
  account_id: number;
  vehicle_id: number;
  kind: string;
  severity: string;
  event: string | null;
  opened_at: Date;
  updated_at: Date;
  count: Generated<number>;
  closed_at: Date | null;
  late: Generated<boolean>;
  lat: number | null;
  lon: number | null;
  driver_id: number | null;
  command_id: string | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
}
