import type { ColumnType, Generated } from 'kysely';

/** The privacy ledger and private time, as Kysely sees it; described in `migrations/0160_look.sql` and `0200_private_time.sql`. */
export interface PrivacyTables {
  look: {
    id: string;
    account_id: number;
    driver_id: number;
    kind: string;
    via: string;
    user_id: string | null;
    user_name: string | null;
    link_id: number | null;
    link_name: string | null;
    began_at: Date;
    until_at: Date;
    period_from: Date | null;
    period_to: Date | null;
    /** With an import; null for what happened here. */
    imported_at: Generated<Date | null>;
  };
  private_hours: {
    id: Generated<number>;
    account_id: number;
    driver_id: number | null;
    vehicle_id: number | null;
    zone: string;
    times: ColumnType<unknown, string, string>;
    valid_from: Date;
    valid_to: Date | null;
  };
  private_drive: {
    id: Generated<number>;
    account_id: number;
    vehicle_id: number;
    driver_id: number;
    cause: 'switch' | 'personal-use';
    began_at: Date;
    ended_at: Date | null;
  };
  private_opening: {
    account_id: number;
    id: string;
    opened_at: Date;
    user_id: string;
    user_name: string;
    vehicle_id: number;
    vehicle_name: string;
    driver_id: number | null;
    from_at: Date;
    to_at: Date;
    reason: string;
    /** With an import; null for what happened here. */
    imported_at: Generated<Date | null>;
  };
}
