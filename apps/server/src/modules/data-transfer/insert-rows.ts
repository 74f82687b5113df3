import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';

/**
 * Adds a row as a file has it: times as ISO 8601, bytes as the database writes them. Null where another row has the same
 * ID, or anything else that may be there only once.
 */
export async function insertRow(
  trx: AccountTransaction,
  table: string,
  row: object,
  unique: 'id' | 'anything' = 'anything',
): Promise<Readonly<Record<string, unknown>> | null> {
  const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
  const columns = sql.join(Object.keys(given).map(name => sql.ref(name)));
  const { rows } = await sql<Record<string, unknown>>`
    insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from json_populate_record(null::${sql.table(table)}, ${JSON.stringify(given)}::json)
    on conflict ${unique === 'id' ? sql`(id)` : sql``} do nothing returning *`.execute(trx);
  return rows[0] ?? null;
}

const ROWS_A_STATEMENT = 500;

/** Writes rows by the hundred, for large tables to which nothing else in the file refers. */
export class RowsTogether {
  readonly #write: (rows: readonly object[]) => Promise<unknown>;
  #rows: object[] = [];

  constructor(write: (rows: readonly object[]) => Promise<unknown>) {
    this.#write = write;
  }

  async add(row: object): Promise<void> {
    this.#rows.push(row);
    if (this.#rows.length >= ROWS_A_STATEMENT) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    if (rows.length > 0) await this.#write(rows);
  }
}
