import type { bulkChangeSchema } from '@milepost/contract';
import type { z } from 'zod';
import { AppError, invalidField } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { type Author, audit, changesBetween } from '../audit/audit.ts';
import { toColumns } from './fields.ts';

type Change = z.output<typeof bulkChangeSchema>['change'];

const MAX_TAGS = 20;

/** Applies one change to many vehicles, each with its own audit log entry. */
export async function changeMany(
  trx: AccountTransaction,
  author: Author,
  ids: readonly number[],
  change: Change,
): Promise<void> {
  const { addTags = [], removeTags = [], ...shared } = change;
  const columns = toColumns(shared);
  const rows = await trx.selectFrom('vehicle').selectAll().where('id', 'in', ids).forUpdate().execute();
  if (rows.length < ids.length) throw new AppError('not-found');
  if (Object.keys(columns).length > 0) {
    await trx.updateTable('vehicle').set(columns).where('id', 'in', ids).execute();
  }
  for (const row of rows) {
    const tags = withTags(row.tags, addTags, removeTags);
    const before = { ...row, tags: row.tags.join('; ') };
    const changes = changesBetween(before, { ...before, ...columns, tags: tags.join('; ') });
    if (changes.length === 0) continue;
    if (before.tags !== tags.join('; ')) {
      await trx.updateTable('vehicle').set({ tags }).where('id', '=', row.id).execute();
    }
    await audit(trx, author, { action: 'vehicle.changed', target: row, changes });
  }
}

/** Tags are compared without case; the first spelling is kept. */
function withTags(tags: readonly string[], added: readonly string[], removed: readonly string[]): string[] {
  const gone = new Set(removed.map(tag => tag.toLowerCase()));
  const kept = new Map(tags.map(tag => [tag.toLowerCase(), tag]));
  for (const tag of added) if (!kept.has(tag.toLowerCase())) kept.set(tag.toLowerCase(), tag);
  for (const tag of gone) kept.delete(tag);
  if (kept.size > MAX_TAGS) {
    throw invalidField('change.addTags', 'vehicle-tags-full', { max: MAX_TAGS });
  }
  return [...kept.values()];
}
