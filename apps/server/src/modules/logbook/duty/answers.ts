import type { MyDuty } from '@milepost/contract';
import { RECORDER_REFUSALS, REFUSALS } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';

/** As long as a phone may have been without a network. */
const TOLD_MS = 31 * 24 * 3_600_000;

const SENTENCES: Readonly<Record<string, string>> = {
  ...REFUSALS,
  ...RECORDER_REFUSALS,
  'not-found': 'This vehicle does not exist.',
  'not-your-vehicle': 'Your carrier lets you drive only vehicles of your own company or department.',
  'too-long-ago': 'This entry is more than six months old.',
  'not-an-entry': 'This entry is not complete.',
  'done-already': 'This has already been signed.',
  'certification-missing': 'The repair has not been certified yet.',
  'signed-before': 'The report was signed later than this.',
};
export const sentenceOf = (refusal: string | null): string | null =>
  refusal === null ? null : (SENTENCES[refusal] ?? refusal);

/** The driver's entries that count otherwise now than they were told at first. */
export async function changedAnswersOf(
  trx: AccountTransaction,
  driverId: number,
  nowMs: number,
): Promise<NonNullable<MyDuty['answers']>> {
  const rows = await trx
    .selectFrom('duty_input')
    .select(['id', 'refusal'])
    .where('driver_id', '=', driverId)
    .where('answered_at', '>', new Date(nowMs - TOLD_MS))
    .orderBy('seq')
    .execute();
  return rows.map(({ id, refusal }) => ({ id, refusal, reason: sentenceOf(refusal) }));
}
