import { pipeline, Readable } from 'node:stream';
import { type AuditAction, type AuditEntry, exportAudit, listAudit } from '@milepost/contract';
import { stringify } from 'csv-stringify';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { keptRule, readSentenceReader, type SentenceParts, sentenceWriter } from '../rules/rule-sentences.ts';
import { audit, authorOf } from './audit.ts';
import { importedAt } from './imported-at.ts';

interface Filters {
  readonly q?: string | undefined;
  readonly action?: string | undefined;
  readonly userId?: string | undefined;
  readonly targetId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Rows read at a time for a CSV file. */
const BATCH = 2000;

export function registerAudit(http: Http, { db }: Context, organisation: SentenceParts): void {
  http.handle(listAudit, ({ session, query }) =>
    db.asAccount(session.accountId, async trx => {
      const { before, limit, ...filters } = query;
      // One row more tells whether there is another page.
      const rows = await newest(trx, organisation, session, filters, before ?? null, limit + 1);
      const entries = rows.slice(0, limit);
      return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
    }),
  );

  http.handle(exportAudit, async call => {
    const { accountId, userName } = call.session;
    await db.asAccount(accountId, trx =>
      audit(trx, authorOf(call), { action: 'audit.exported', target: { id: accountId, name: userName } }),
    );
    const page = (before: string | null) =>
      db.asAccount(accountId, trx => newest(trx, organisation, call.session, call.query, before, BATCH));
    // A cell that a spreadsheet would take for a formula is written as text (ASVS 5.0 1.2.10).
    const csv = stringify({ ...CSV, columns: [...COLUMNS] });
    // A failure halfway cuts the connection, so that half a file is not taken for a whole one (invariant I7).
    pipeline(Readable.from(rowsOf(page)), csv, () => {});
    return new FileAnswer(csv, { type: 'text/csv; charset=utf-8', saveAs: 'audit-log.csv' });
  });
}

const CSV = { header: true, escape_formulas: true, bom: true, record_delimiter: 'windows' } as const;
const COLUMNS = ['at', 'action', 'user', 'via', 'address', 'target', 'targetId', 'changes', 'sentence'] as const;

async function* rowsOf(page: (before: string | null) => Promise<AuditEntry[]>): AsyncGenerator<Record<string, string>> {
  for (let entries = await page(null); entries.length > 0; entries = await page(entries.at(-1)?.id ?? null)) {
    for (const entry of entries) {
      yield {
        at: entry.at,
        action: entry.action,
        user: entry.userName ?? '',
        via: entry.via,
        address: entry.address ?? '',
        target: entry.targetName ?? '',
        targetId: entry.targetId ?? '',
        changes: entry.changes.map(({ field, from, to }) => `${field}: ${from ?? '–'} → ${to ?? '–'}`).join('; '),
        sentence: entry.sentence ?? '',
      };
    }
  }
}

async function newest(
  trx: AccountTransaction,
  parts: SentenceParts,
  viewer: Session,
  { q, action, userId, targetId, from, to }: Filters,
  before: string | null,
  limit: number,
): Promise<AuditEntry[]> {
  const contains = (text: string) =>
    sql<boolean>`strpos(lower(concat_ws(chr(10), user_name, target_name, address, changes::text)), lower(${text})) > 0`;
  const rows = await trx
    .selectFrom('audit_entry')
    .selectAll()
    .$if(before !== null, query =>
      query.where(
        sql<boolean>`(at, id) < (select at, id from audit_entry where account_id = current_account() and id = ${before})`,
      ),
    )
    .$if(Boolean(q), query => query.where(contains(q ?? '')))
    .$if(Boolean(action), query =>
      query.where(sql<boolean>`(action = ${action} or starts_with(action, ${`${action}.`}))`),
    )
    .$if(userId !== undefined, query => query.where('user_id', '=', userId ?? ''))
    .$if(targetId !== undefined, query => query.where('target_id', '=', targetId ?? ''))
    .$if(from !== undefined, query => query.where('at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, query => query.where('at', '<', new Date(to ?? 0)))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const sentences = await sentencesOf(trx, parts, viewer, rows);
  return rows.map(row => ({
    id: row.id,
    at: row.at.toISOString(),
    action: row.action as AuditAction,
    userId: row.user_id,
    userName: row.user_name,
    via: row.via,
    address: row.address,
    targetId: row.target_id,
    targetName: row.target_name,
    changes: row.changes as AuditEntry['changes'],
    sentence: sentences.get(row.id) ?? null,
    ...importedAt(row),
  }));
}

/** What rules said, by entry, in the reader's language. */
async function sentencesOf(
  trx: AccountTransaction,
  parts: SentenceParts,
  viewer: Session,
  rows: readonly { readonly id: string; readonly rule: unknown }[],
): Promise<ReadonlyMap<string, string>> {
  const rules = rows.flatMap(({ id, rule: kept }) => {
    const rule = keptRule(kept);
    return rule ? { id, rule } : [];
  });
  if (rules.length === 0) return new Map();
  const reader = await readSentenceReader(trx, viewer);
  const write = await sentenceWriter(
    trx,
    parts,
    reader,
    rules.map(({ rule }) => rule),
  );
  return new Map(rules.map(({ id, rule }) => [id, write(rule).whole]));
}
