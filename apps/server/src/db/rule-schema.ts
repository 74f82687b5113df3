import type { RuleConditions, RuleTrigger, RuleWhen } from '@milepost/contract';
import type { NearState, RulesState } from '@milepost/geo';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The tables of rules, as Kysely sees them; part of `schema.ts`. Described in `migrations/0058_rule.sql`. */
export interface RuleTables {
  rule: RuleTable;
  rule_geofence: { account_id: number; rule_id: number; geofence_id: number; place: Generated<number> };
  rule_vehicle: { account_id: number; rule_id: number; folder_id: number | null; vehicle_id: number | null };
  rule_fold: RuleFoldTable;
  rule_mute: RuleMuteTable;
  vehicle_mute: Omit<RuleMuteTable, 'user_id'> & { vehicle_id: number };
  rule_noise_mail: { account_id: number; user_id: string; week: string };
}

interface RuleTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  is_on: boolean;
  /** The kind of a built-in alert; null for the account's own rules. */
  built_in: Generated<string | null>;
  severity: string;
  trigger: JSONColumnType<RuleTrigger>;
  when: JSONColumnType<RuleWhen> | null;
  conditions: JSONColumnType<RuleConditions> | null;
  is_any_geofence: boolean;
  is_inside: boolean;
  is_for_all: boolean;
  repeat_minutes: number;
  action: string | null;
  needs_note: Generated<boolean>;
  message: string | null;
  mail_to: string[] | null;
  push_to: string[] | null;
  webhook_ids: number[] | null;
  owner_id: string | null;
  escalate_minutes: number | null;
  escalate_to: string[] | null;
  version: Generated<number>;
  since: Generated<Date>;
  created_at: Generated<Date>;
  created_by: string | null;
  changed_at: Generated<Date>;
}

interface RuleMuteTable {
  id: Generated<number>;
  account_id: number;
  /** One of the account's own; otherwise it has a `kind`. */
  rule_id: number | null;
  /** Of built-in alerts. */
  kind: string | null;
  /** Whichever of the two it has. */
  about: ColumnType<string, never, never>;
  /** Null: for everyone. */
  user_id: string | null;
  begun_at: Generated<Date>;
  begun_by: string | null;
  /** Null: until someone ends it. */
  ends_at: Date | null;
}

interface RuleFoldTable {
  account_id: number;
  vehicle_id: number;
  through_at: Date;
  fences_version: string;
  state: JSONColumnType<RulesState>;
  mornings: JSONColumnType<readonly (readonly [day: number, state: RulesState])[]>;
  near: JSONColumnType<KeptNear> | null;
  near_late_at: Date | null;
  near_late_marks: string | null;
  again: JSONColumnType<{ readonly from: number; readonly isLate: boolean }> | null;
}

/** Of rules about the distance to other vehicles: now, and at the beginning of the last days (UTC). */
export interface KeptNear {
  readonly state: NearState;
  readonly mornings: readonly (readonly [day: number, state: NearState])[];
}
