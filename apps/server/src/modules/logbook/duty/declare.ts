import type { DutyAction } from '@milepost/contract';
import { addDays, dayOf } from '@milepost/eld';
import { type Evaluation, evaluate, isException, isExemption, ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { readView } from '../desk/days-of-logs.ts';
import { homeOfTerminal } from '../settings/driver-terms.ts';
import type { Entered, TakeParts } from './entered.ts';

/** Days of the log that show in which shift a declaration was made. */
const DAYS_BEFORE = 8;

/** Keeps what the driver declares from this moment on; answers why it is not taken, or null. */
export async function declare(
  parts: TakeParts,
  { id, atMs }: Entered,
  { exception, reason }: Extract<DutyAction, { kind: 'declare' }>,
): Promise<string | null> {
  const { accountId, terms, trx } = parts;
  if (!isException(exception)) return 'not-an-entry';
  if (ruleSets[terms.ruleSet].exceptions[exception] === undefined) return 'no-such-exemption';
  if ((await evaluatedAt(parts, atMs)).declared.includes(exception)) return 'already-exempt';
  await trx
    .insertInto('log_declaration')
    .values({
      ...{ account_id: accountId, id, driver_id: terms.driverId, exception },
      ...{ start_at: new Date(atMs), end_at: null, reason },
    })
    .execute();
  return null;
}

/** Ends what is in force, and leaves alone what ended with an earlier shift; answers why it is not taken, or null. */
export async function endExemption(parts: TakeParts, exception: string, atMs: number): Promise<string | null> {
  const { terms, trx } = parts;
  if (!isExemption(exception)) return 'not-an-entry';
  if ((await evaluatedAt(parts, atMs)).exempt !== exception) return 'not-exempt';
  const open = await trx
    .selectFrom('log_declaration')
    .select('id')
    .where('driver_id', '=', terms.driverId)
    .where('exception', '=', exception)
    .where('end_at', 'is', null)
    .where('start_at', '<', new Date(atMs))
    .orderBy('start_at', 'desc')
    .execute();
  for (const { id } of open) {
    await trx
      .updateTable('log_declaration')
      .set({ end_at: new Date(atMs) })
      .where('id', '=', id)
      .execute();
    if ((await evaluatedAt(parts, atMs)).exempt !== exception) return null;
  }
  return null;
}

async function evaluatedAt({ terms, trx }: TakeParts, atMs: number): Promise<Evaluation> {
  const first = addDays(dayOf(epochMs(atMs), homeOfTerminal(terms.terminal)), -DAYS_BEFORE);
  const { dutyLog, ruleSet } = await readView(trx, terms, first, atMs);
  return evaluate(dutyLog, ruleSets[ruleSet], epochMs(atMs));
}
