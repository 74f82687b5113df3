import type { AlertTask, Conflict } from '@milepost/contract';
import type { Generated } from 'kysely';

/** Measurements of an alert; those not measured are absent. */
export interface AlertFigures {
  /** The highest speed, m/s. */
  readonly speed?: number;
  /** The highest temperature, °C. */
  readonly temperature?: number;
  /** The lowest charge of the tracker's own battery, percent. */
  readonly battery?: number;
  /** The lowest supply voltage of the vehicle, volts. */
  readonly supply?: number;
  /** Percent of a tank. */
  readonly fuel?: number;
}

/** The contradicting values, in SI units. */
export interface AlertConflict extends Pick<Conflict, 'cause' | 'protocol' | 'address' | 'own'> {
  readonly speeds: readonly [number | null, number | null] | null;
  readonly metres: number | null;
}

/** The names in it are those of its time. */
export interface AlertRule {
  /** Null for a built-in alert: it has the name of its kind. */
  readonly name: string | null;
  readonly action: string | null;
  /** Missing in those of before there were notes. */
  readonly needsNote?: boolean;
  readonly geofence: string | null;
  readonly crossing?: 'in' | 'out' | null;
  readonly expected?: string | null;
  readonly message?: string | null;
  /** Of a rule about the distance to others. */
  readonly other?: { readonly id: number; readonly name: string } | null;
  /** Of a rule about dates. */
  readonly about?: { readonly titles: readonly string[]; readonly on: string };
  /** Its sentence is that of this version. */
  readonly version?: number;
}

/** Alerts as Kysely sees them; part of `schema.ts`. */
export interface AlertTable {
  id: string;
  account_id: number;
  /** Null of a task without a vehicle. */
  vehicle_id: number | null;
  kind: string;
  severity: string;
  event: string | null;
  opened_at: Date;
  updated_at: Date;
  count: Generated<number>;
  closed_at: Date | null;
  late: Generated<boolean>;
  /** Its rule was muted for everyone when it opened, so it notified nobody. */
  is_muted: Generated<boolean>;
  lat: number | null;
  lon: number | null;
  figures: AlertFigures | null;
  conflict: AlertConflict | null;
  driver_id: number | null;
  rule_id: number | null;
  geofence_id: number | null;
  began_at: Date | null;
  geofence_name: string | null;
  rule: AlertRule | null;
  escalate_at: Date | null;
  escalation: { readonly at: string; readonly to: readonly string[] } | null;
  command_id: string | null;
  task_id: number | null;
  task: AlertTask | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  note: string | null;
}
