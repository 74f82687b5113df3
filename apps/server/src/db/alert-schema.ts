import type { Conflict } from '@milepost/contract';
import type { Generated } from 'kysely';

/** What was measured when an alert was reported; what was not is absent. */
export interface AlertFigures {
  /** The highest, m/s. */
  readonly speed?: number;
  /** The highest, °C. */
  readonly temperature?: number;
  /** The lowest of the tracker's own battery, percent. */
  readonly battery?: number;
  /** The lowest of the vehicle's supply, volts. */
  readonly supply?: number;
}

/** What contradicted what, in SI units. */
export interface AlertConflict extends Pick<Conflict, 'cause' | 'protocol' | 'address' | 'own'> {
  readonly speeds: readonly [number | null, number | null] | null;
  readonly metres: number | null;
}

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
  figures: AlertFigures | null;
  conflict: AlertConflict | null;
  driver_id: number | null;
  command_id: string | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
}
