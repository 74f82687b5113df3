import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import { TABLES, type TableName } from './tables.ts';

interface Column {
  readonly table: TableName;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** A JSON Schema (2020-12) of a row. */
export interface RowSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** How PostgreSQL's `to_jsonb` writes the types of columns; what is not here may be any JSON. */
const WRITTEN: Readonly<Record<string, { readonly type: string; readonly format?: string }>> = {
  int2: { type: 'integer' },
  int4: { type: 'integer' },
  int8: { type: 'integer' },
  float4: { type: 'number' },
  float8: { type: 'number' },
  numeric: { type: 'number' },
  bool: { type: 'boolean' },
  text: { type: 'string' },
  varchar: { type: 'string' },
  bytea: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  timestamptz: { type: 'string', format: 'date-time' },
};

/** The JSON Schema of the rows of each table in a bundle, as the database has its columns. */
export async function rowSchemas(trx: AccountTransaction): Promise<Partial<Record<TableName, RowSchema>>> {
  const names = (Object.keys(TABLES) as TableName[]).filter(table => TABLES[table].in !== 'none');
  const { rows } = await sql<Column>`
    select c.relname as "table", a.attname as name, t.typname as type, a.attnotnull as required
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relname = any (${names}::text[])
    order by c.relname, a.attnum`.execute(trx);
  const schemas: Partial<
    Record<TableName, { type: 'object'; properties: Record<string, object>; required: string[] }>
  > = {};
  for (const { name, required, table, type } of rows) {
    const { without = [] } = TABLES[table] as { readonly without?: readonly string[] };
    if (name === 'account_id' || without.includes(name)) continue;
    schemas[table] ??= { type: 'object', properties: {}, required: [] };
    schemas[table].properties[name] = schemaOf(type, required);
    schemas[table].required.push(name);
  }
  // Files and photos are in the row that is about them.
  for (const table of ['document', 'task_proof', 'inspection_photo'] as const) {
    if (schemas[table]) schemas[table].properties.content = { type: ['string', 'null'], contentEncoding: 'base64' };
  }
  // The address without its path, which may contain a key.
  if (schemas.webhook) schemas.webhook.properties.host = { type: 'string', format: 'uri' };
  return schemas;
}

function schemaOf(type: string, required: boolean): object {
  if (type.startsWith('_')) {
    const items = WRITTEN[type.slice(1)] ?? {};
    return { type: required ? 'array' : ['array', 'null'], items };
  }
  const written = WRITTEN[type];
  if (!written) return {};
  return required ? written : { ...written, type: [written.type, 'null'] };
}
