import { RECORDER_REFUSALS } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';
import type { StoredInput } from './inputs.ts';

/** What tells a driver nothing new afterward: the log has that status, and nothing was asked. */
const NO_NEWS = new Set(['no-change', 'nothing-asked']);

/**
 * Keeps what the recorder says now of entries that were answered before: a report that came later may show that the
 * vehicle stood when a driver changed status, or that it moved.
 *
 * @param refusals by the ids of the inputs that were taken again
 */
export async function renewAnswers(
  trx: AccountTransaction,
  inputs: readonly StoredInput[],
  refusals: ReadonlyMap<string, string>,
  nowMs: number,
): Promise<void> {
  for (const { id, refusal: before } of inputs) {
    const now = refusals.get(id) ?? null;
    // What the log refused at first, the recorder may take now.
    const isRecorders = before === null || before in RECORDER_REFUSALS || now === null;
    if (!isRecorders || now === before || (now !== null && NO_NEWS.has(now))) continue;
    await trx
      .updateTable('duty_input')
      .set({ refusal: now, answered_at: new Date(nowMs) })
      .where('id', '=', id)
      .execute();
  }
}
