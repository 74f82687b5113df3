import type { LogEntry, Refusal } from '@milepost/eld';
import type { AccountTransaction, Databases } from '../../db/database.ts';
import type { EntryDraft } from './draft.ts';
import { type LogOwner, Pen } from './pen.ts';
import { lockChains } from './store.ts';

export type { LogOwner } from './pen.ts';

export type Written =
  | { readonly ok: true; readonly entries: readonly LogEntry[] }
  | { readonly ok: false; readonly refusal: Refusal | 'not-an-entry'; readonly index: number };

class Refused extends Error {
  readonly refusal: Refusal | 'not-an-entry';
  readonly index: number;

  constructor(refusal: Refusal | 'not-an-entry', index: number) {
    super(refusal);
    this.refusal = refusal;
    this.index = index;
  }
}

/**
 * Writes entries to their logs in the order given: all of them or none. Each chain has one writer at a time across
 * all servers and connections. Refused entries (`REFUSALS`) are returned, not thrown (invariant I5).
 *
 * @param also is written in the same transaction
 */
export async function writeEntries(
  db: Databases,
  accountId: number,
  drafts: readonly EntryDraft[],
  ownerOf: (log: string) => LogOwner,
  now: number,
  also?: (trx: AccountTransaction) => Promise<void>,
): Promise<Written> {
  try {
    const entries = await db.asAccount(accountId, async trx => {
      await lockFor(trx, accountId, drafts);
      const pen = new Pen(trx, accountId, now);
      const written: LogEntry[] = [];
      for (const [index, draft] of drafts.entries()) {
        const { entry, refusal } = await pen.write(draft, ownerOf(draft.log));
        if (refusal !== null) throw new Refused(refusal, index);
        written.push(entry);
      }
      await pen.done();
      await also?.(trx);
      return written;
    });
    return { ok: true, entries };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal, index: error.index };
    throw error;
  }
}

/** Locks the chains that these drafts are added to, for the rest of the transaction. */
export const lockFor = (trx: AccountTransaction, accountId: number, drafts: readonly EntryDraft[]): Promise<void> =>
  lockChains(trx, accountId, drafts.flatMap(chainsOf));

/** Writes one entry in a transaction that has locked its chains; a refused one changes nothing. */
export async function writeEntry(
  trx: AccountTransaction,
  accountId: number,
  draft: EntryDraft,
  owner: LogOwner,
  now: number,
): Promise<{ readonly entry: LogEntry; readonly refusal: null } | { readonly refusal: Refusal | 'not-an-entry' }> {
  const pen = new Pen(trx, accountId, now);
  const written = await pen.write(draft, owner);
  await pen.done();
  return written;
}

/** The chains that an entry is added to, and the log it takes from, which must not change meanwhile. */
const chainsOf = (draft: EntryDraft): readonly string[] => [
  draft.log,
  ...('device' in draft ? [draft.device] : []),
  ...('from' in draft ? [draft.from.log] : []),
];
