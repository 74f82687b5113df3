/** The privacy ledger, as Kysely sees it; described in `migrations/0160_look.sql`. */
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
  };
}
