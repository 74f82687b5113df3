import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { type ExportedPosition, exportedPositions } from '../../tracks/exported.ts';
import type { Files } from '../documents/files.ts';
import { rowSchemas } from './row-schemas.ts';
import { ROWS_BETWEEN_SEALS, Seals } from './seals.ts';
import { FORMAT, FORMAT_VERSION, TABLES, type TableName } from './tables.ts';

/** Positions that one look into the database brings. */
const PAGE = 2000;
/** Other rows, which may hold a picture or a file each. */
const ROWS_AT_A_TIME = 200;

export type RowCounts = Partial<Record<TableName, number>>;

interface Wanted {
  readonly accountId: number;
  readonly positions: boolean;
  /** Called with the vehicles whose positions are written, page by page. */
  readonly progress?: (vehicles: number) => Promise<void>;
}

/**
 * An account as lines of JSON: a header with the JSON Schema of each table, `{"table", "row"}` for every row, a seal now and
 * then, and a last line with counts and SHA-256, without which a file is known to be cut. What people keep is read at one
 * moment, in one transaction; positions follow page by page. However large the account is, a page is in memory. Returns
 * the counts.
 */
export async function* exportLines(
  { config, db }: Pick<Context, 'config' | 'db'>,
  files: Files,
  { accountId, positions, progress = async () => {} }: Wanted,
): AsyncGenerator<string, RowCounts> {
  const counts: RowCounts = {};
  const seals = new Seals();
  let rows = 0;
  const line = (table: TableName, row: string): string => {
    counts[table] = (counts[table] ?? 0) + 1;
    const text = `{"table":"${table}","row":${row}}`;
    seals.row(table, text);
    if (++rows % ROWS_BETWEEN_SEALS !== 0) return `${text}\n`;
    const seal = JSON.stringify({ seal: seals.soFar() });
    seals.line(seal);
    return `${text}\n${seal}\n`;
  };

  const kept = emitted<Head | Page>(emit =>
    db.asAccount(accountId, async trx => {
      await sql`set transaction isolation level repeatable read`.execute(trx);
      const { name } = await trx.selectFrom('account').select('name').executeTakeFirstOrThrow();
      await emit({ account: name, schema: await rowSchemas(trx) });
      const contents = contentsOf(trx, files);
      for (const table of Object.keys(TABLES) as TableName[]) {
        if (TABLES[table].in === 'none' || table === 'position') continue;
        for await (const page of pagesOf(trx, table)) {
          const content = contents[table];
          if (!content) await emit({ table, rows: page });
          else for (const row of page) await emit({ table, rows: [await withContent(row, content)] });
        }
      }
    }),
  );
  for await (const part of kept) {
    if ('table' in part) {
      for (const row of part.rows) yield line(part.table, row);
    } else {
      const header = { format: FORMAT, version: FORMAT_VERSION, milepost: config.version, account: part.account };
      const first = JSON.stringify({ ...header, exportedAt: new Date().toISOString(), schema: part.schema });
      seals.line(first);
      yield `${first}\n`;
    }
  }
  if (positions) {
    for await (const row of positionsOf(db, accountId, progress)) yield line('position', row);
  }
  yield `${JSON.stringify({ end: counts, sha256: seals.end() })}\n`;
  return counts;
}

interface Head {
  readonly account: string;
  readonly schema: Awaited<ReturnType<typeof rowSchemas>>;
}

interface Page {
  readonly table: TableName;
  readonly rows: readonly string[];
}

/** What `work` emits, one after the other: it goes on once its last part was taken, and fails if nobody takes more. */
async function* emitted<T>(work: (emit: (part: T) => Promise<void>) => Promise<void>): AsyncGenerator<T> {
  const { readable, writable } = new TransformStream<T, T>();
  const writer = writable.getWriter();
  const worked = work(part => writer.write(part)).then(
    () => writer.close(),
    (error: unknown) => writer.abort(error),
  );
  try {
    yield* readable;
  } finally {
    await worked.catch(() => {});
  }
}

/** As the database writes them, in the order in which they were made; a folder after the one around it. */
async function* pagesOf(trx: AccountTransaction, table: TableName): AsyncGenerator<string[]> {
  const { without = [] } = TABLES[table] as { readonly without?: readonly string[] };
  const hidden: RawBuilder<unknown> = sql`${sql.val(['account_id', ...without])}::text[]`;
  await sql`
    declare exported no scroll cursor for
    select (to_jsonb(t) - ${hidden}${MORE[table] ?? sql``})::text as row from ${sql.table(table)} t order by ${ORDER[table] ?? sql`to_jsonb(t)->>'id'`}
  `.execute(trx);
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.raw(String(ROWS_AT_A_TIME))} from exported`.execute(trx);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < ROWS_AT_A_TIME) break;
  }
  await sql`close exported`.execute(trx);
}

/** Columns of the file that the table doesn't have. */
const MORE: Partial<Record<TableName, RawBuilder<unknown>>> = {
  // Without the path, which may contain a key.
  webhook: sql` || jsonb_build_object('host', substring(t.url from '^[a-z]+://[^/?#]+'))`,
};

const byDepth = (table: 'folder' | 'department'): RawBuilder<unknown> => sql`(
  with recursive up as (
    select id, parent_id, 0 as depth from ${sql.table(table)} where id = t.id
    union all select g.id, g.parent_id, depth + 1 from ${sql.table(table)} g join up on g.id = up.parent_id
  ) select max(depth) from up), t.id`;

const ORDER: Partial<Record<TableName, RawBuilder<unknown>>> = {
  folder: byDepth('folder'),
  department: byDepth('department'),
  driver: sql`t.id`,
  vehicle: sql`t.id`,
  document: sql`t.id`,
  geofence_group: sql`t.id`,
  geofence: sql`t.id`,
  webhook: sql`t.id`,
  share_link: sql`t.id`,
  audit_entry: sql`t.at, t.id`,
  look: sql`t.began_at, t.id`,
  // As they came, which decides between two of one moment.
  duty_input: sql`t.seq`,
  // A log is checked in its order.
  duty_entry: sql`t.log, t.position`,
  duty_root: sql`t.chain, t.day`,
};

type ContentOf = (row: Readonly<Record<string, unknown>>) => Promise<Buffer | null | undefined>;

/** What is too large to be read with all other rows: the files of documents and photos; null if it is lost. */
const contentsOf = (trx: AccountTransaction, files: Files): Partial<Record<TableName, ContentOf>> => ({
  document: async ({ id }) => {
    const found = await trx.selectFrom('document').select('file').where('id', '=', Number(id)).executeTakeFirst();
    return found ? files.readWhole(found.file) : null;
  },
  task_proof: async ({ proof_id, task_id }) => {
    const photos = trx.selectFrom('task_proof').select('content').where('task_id', '=', Number(task_id));
    return (await photos.where('proof_id', '=', String(proof_id)).executeTakeFirst())?.content;
  },
  inspection_photo: async ({ id }) => {
    const photos = trx.selectFrom('inspection_photo').select('content').where('id', '=', String(id));
    return (await photos.executeTakeFirst())?.content;
  },
});

async function withContent(text: string, contentOf: ContentOf): Promise<string> {
  const row = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const content = await contentOf(row);
  return JSON.stringify({ ...row, content: content?.toString('base64') ?? null });
}

async function* positionsOf(
  db: Context['db'],
  accountId: number,
  progress: (vehicles: number) => Promise<void>,
): AsyncGenerator<string> {
  const vehicles = await db.asAccount(accountId, trx => trx.selectFrom('vehicle').select('id').orderBy('id').execute());
  for (const [done, { id }] of vehicles.entries()) {
    let after: ExportedPosition['at'] | null = null;
    for (;;) {
      const from: typeof after = after;
      const rows: ExportedPosition[] = await db.asAccount(accountId, trx => exportedPositions(trx, id, from, PAGE));
      for (const { row } of rows) yield row;
      await progress(done);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) break;
      after = last.at;
    }
  }
}
