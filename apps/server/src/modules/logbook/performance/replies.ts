import type { Coaching, PerformanceEvidence } from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Database } from '../../../db/schema.ts';
import type { NameOf } from '../days/shown.ts';

export type DisputeRow = Selectable<Database['performance_dispute']>;
export type CoachingRow = Omit<Selectable<Database['coaching_note']>, 'due_on'> & { readonly due: string };

/** The disputes of all drivers, by driver and evidence. */
export async function readDisputes(
  trx: AccountTransaction,
): Promise<ReadonlyMap<number, ReadonlyMap<string, DisputeRow>>> {
  const rows = await trx.selectFrom('performance_dispute').selectAll().execute();
  const found = new Map<number, Map<string, DisputeRow>>();
  for (const row of rows) {
    const own = found.get(row.driver_id) ?? new Map<string, DisputeRow>();
    found.set(row.driver_id, own.set(row.evidence, row));
  }
  return found;
}

/** The coaching notes of all drivers, open ones and the next due first. */
export async function readCoaching(trx: AccountTransaction): Promise<ReadonlyMap<number, readonly CoachingRow[]>> {
  const rows = await trx
    .selectFrom('coaching_note')
    .select(['account_id', 'id', 'driver_id', 'note', 'created_by', 'created_at', 'done_at'])
    .select(sql<string>`due_on::text`.as('due'))
    .orderBy(sql`done_at is not null`)
    .orderBy('due_on')
    .execute();
  return Map.groupBy(rows, ({ driver_id }) => driver_id);
}

export const shownDispute = (
  { reply, disputed_at, state, answer, answered_by, answered_at }: DisputeRow,
  nameOf: NameOf,
): PerformanceEvidence['dispute'] => ({
  text: reply,
  at: disputed_at.toISOString(),
  state,
  answer,
  answeredBy: answered_by === null ? null : nameOf(answered_by),
  answeredAt: answered_at?.toISOString() ?? null,
});

export const shownCoaching = (
  { id, note, due, created_by, created_at, done_at }: CoachingRow,
  nameOf: NameOf,
): Coaching => ({
  id,
  text: note,
  dueOn: due,
  by: (created_by === null ? null : nameOf(created_by)) ?? '',
  createdAt: created_at.toISOString(),
  doneAt: done_at?.toISOString() ?? null,
});
