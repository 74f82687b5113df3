import type { Generated } from 'kysely';

/** The tables of saved views, as Kysely sees them; part of `schema.ts`. */
export interface ViewTables {
  saved_view: SavedViewTable;
  view_order: ViewOrderTable;
}

interface SavedViewTable {
  id: Generated<number>;
  account_id: number;
  page: string;
  name: string;
  query: string;
  owner_id: string | null;
  created_by: string | null;
  created_at: Generated<Date>;
}

interface ViewOrderTable {
  account_id: number;
  user_id: string;
  page: string;
  view_ids: number[];
}
