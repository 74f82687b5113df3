import {
  DOCUMENT_MAX_BYTES,
  type DocumentKind,
  type DocumentRecord,
  type DocumentType,
  type documentFieldsSchema,
  type newDocumentSchema,
} from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { AppError, fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { documentTypeOf, safeFileName } from './file-type.ts';
import type { Files } from './files.ts';

/** The document's vehicle or driver, which the caller may see. */
export interface Owner {
  readonly kind: 'vehicle' | 'driver';
  readonly id: number;
  readonly name: string;
}

export interface Documents {
  list(accountId: number, of: Owner): Promise<DocumentRecord[]>;
  create(by: By, of: Owner, fields: z.output<typeof newDocumentSchema>): Promise<DocumentRecord>;
  update(
    by: By,
    of: Owner,
    id: number,
    change: Partial<z.output<typeof documentFieldsSchema>>,
  ): Promise<DocumentRecord>;
  remove(by: By, of: Owner, id: number): Promise<void>;
  /** The stored file's name, its type, and the document's name. Reading a document is audited, too. */
  find(by: By, of: Owner, id: number): Promise<{ readonly file: string; readonly type: string; readonly name: string }>;
}

/** The most that an account's documents may take. */
const QUOTA_BYTES = 2 * 1024 ** 3;
const QUOTA_LOCK = 3;

type Row = Selectable<Database['document']> & { readonly creator: string | null };

export function createDocuments({ db }: Context, files: Files, quotaBytes = QUOTA_BYTES): Documents {
  const rows = (trx: AccountTransaction, { kind, id }: Owner) =>
    trx
      .selectFrom('document')
      .leftJoin('person', join =>
        join.onRef('person.account_id', '=', 'document.account_id').onRef('person.id', '=', 'document.created_by'),
      )
      .selectAll('document')
      .select('person.display_name as creator')
      .where(kind === 'vehicle' ? 'document.vehicle_id' : 'document.driver_id', '=', id);

  const found = async (trx: AccountTransaction, of: Owner, id: number): Promise<Row> => {
    const row = await rows(trx, of).where('document.id', '=', id).executeTakeFirst();
    if (!row) throw new AppError('not-found');
    return row;
  };
  const target = (of: Owner, { id, title }: Pick<Row, 'id' | 'title'>) => ({ id, name: `${of.name}: ${title}` });

  return {
    list: (accountId, of) =>
      db.asAccount(accountId, async trx =>
        (await rows(trx, of).orderBy(sql`expires_on nulls last`).orderBy('document.id').execute()).map(toDocument),
      ),

    create: async ({ session, author }, of, { file, kind, title, expiresOn = null, notes = null }) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const type = documentTypeOf(bytes);
      if (type === null) throw notAccepted();
      const name = await files.write(bytes);
      try {
        return await db.asAccount(session.accountId, async trx => {
          await refuseBeyond(trx, session.accountId, bytes.length, quotaBytes);
          const { id } = await trx
            .insertInto('document')
            .values({
              account_id: session.accountId,
              vehicle_id: of.kind === 'vehicle' ? of.id : null,
              driver_id: of.kind === 'driver' ? of.id : null,
              kind,
              title,
              expires_on: expiresOn,
              notes,
              file_name: safeFileName(file.name, type),
              file: name,
              type,
              bytes: bytes.length,
              created_by: session.userId,
            })
            .returning('id')
            .executeTakeFirstOrThrow();
          const row = await found(trx, of, id);
          const changes = changesBetween({}, { kind, expiresOn, fileName: row.file_name });
          await audit(trx, author, { action: 'document.created', target: target(of, row), changes });
          return toDocument(row);
        });
      } catch (error) {
        await files.remove(name);
        throw error;
      }
    },

    update: ({ session, author }, of, id, { kind, title, expiresOn, notes }) =>
      db.asAccount(session.accountId, async trx => {
        const before = await found(trx, of, id);
        const named = Object.entries({ kind, title, expires_on: expiresOn, notes });
        const change = Object.fromEntries(named.filter(([, value]) => value !== undefined));
        if (named.some(([, value]) => value !== undefined)) {
          await trx.updateTable('document').set(change).where('id', '=', id).execute();
        }
        const after = await found(trx, of, id);
        const changes = changesBetween(before, after);
        if (changes.length > 0)
          await audit(trx, author, { action: 'document.changed', target: target(of, after), changes });
        return toDocument(after);
      }),

    remove: async ({ session, author }, of, id) => {
      const { file } = await db.asAccount(session.accountId, async trx => {
        const row = await found(trx, of, id);
        await trx.deleteFrom('document').where('id', '=', id).execute();
        await audit(trx, author, { action: 'document.deleted', target: target(of, row) });
        return row;
      });
      await files.remove(file);
    },

    find: ({ session, author }, of, id) =>
      db.asAccount(session.accountId, async trx => {
        const row = await found(trx, of, id);
        // The public demo's visitor writes nothing.
        if (!session.readOnly) await audit(trx, author, { action: 'document.read', target: target(of, row) });
        return { file: row.file, type: row.type, name: row.file_name };
      }),
  };
}

/** An account's uploads run one after another, so that two can't both take the last of the space. */
async function refuseBeyond(trx: AccountTransaction, accountId: number, bytes: number, quota: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${QUOTA_LOCK}, ${accountId})`.execute(trx);
  const { used } = await trx
    .selectFrom('document')
    .select(sql<string>`coalesce(sum(bytes), 0)`.as('used'))
    .executeTakeFirstOrThrow();
  if (Number(used) + bytes > quota) throw new AppError('no-space', { limitBytes: quota });
}

const notAccepted = (): AppError => fieldProblem('file', 'file-not-accepted', { limitBytes: DOCUMENT_MAX_BYTES });

const toDocument = (row: Row): DocumentRecord => ({
  id: String(row.id),
  kind: row.kind as DocumentKind,
  title: row.title,
  expiresOn: row.expires_on,
  notes: row.notes,
  fileName: row.file_name,
  type: row.type as DocumentType,
  bytes: row.bytes,
  createdAt: row.created_at.toISOString(),
  createdBy: row.creator,
});
