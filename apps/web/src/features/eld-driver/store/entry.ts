import type { DutyAction, DutyInput } from '@milepost/contract';
import { nextPhoneLink, phoneChain, START } from '@milepost/eld';
import { momentOf } from './moment-of.ts';

/** State of an entry. A refused one stays on screen until the driver has seen it. */
export type EntryState = 'waiting' | 'taken' | 'refused' | 'seen';

/**
 * Something that a driver did, as stored on the phone: written once, in order, each entry with the hash of the previous
 * one.
 */
export interface KeptEntry {
  /** The user who made it. Only their own session ever sends it. */
  readonly owner: string;
  /** Counted from 0, without gaps. */
  readonly position: number;
  readonly id: string;
  /** ISO 8601, by the server's clock as far as the phone knows it. */
  readonly at: string;
  /** Not signed: the server's time when it showed that the phone's clock was ahead of it, so this is later than it was. */
  readonly notAfter?: string | undefined;
  readonly action: DutyAction;
  readonly previous: string;
  readonly hash: string;
  /** The enrollment of this phone whose key signs it; undefined on a phone that is not enrolled. */
  readonly phoneId?: string | undefined;
  /** Of an enrolled phone; undefined until it is signed, a moment after it was written down. */
  readonly signature?: string | undefined;
  readonly state: EntryState;
  /** For a refused entry: the code and the server's message. */
  readonly refusal: string | null;
  readonly reason: string | null;
}

/** An owner's newest entry: all that is needed to add the next one. */
export interface ChainEnd {
  readonly owner: string;
  readonly position: number;
  readonly hash: string;
  /** No later than the server's time, once that is known. */
  readonly atMs: number;
}

const chainOf = ({ owner, phoneId }: Pick<KeptEntry, 'owner' | 'phoneId'>): string => phoneChain(phoneId ?? owner);

/** Texts as the server keeps them, without undefined fields: what is signed here must be what is verified there. */
const cleaned = (action: DutyAction): DutyAction =>
  JSON.parse(JSON.stringify(action), (_, value: unknown) => (typeof value === 'string' ? value.trim() : value));

/** Makes the entry after `last`. It is never earlier than that one, whatever the phone's clock says now. */
export const newEntry =
  (owner: string, id: string, nowMs: number, action: DutyAction) =>
  (last: ChainEnd | null, phoneId?: string): KeptEntry => {
    const at = new Date(Math.max(nowMs, last?.atMs ?? nowMs)).toISOString();
    const kept = cleaned(action);
    const link = nextPhoneLink(chainOf({ owner, phoneId }), { id, at, action: kept }, last);
    return {
      owner,
      position: link.position,
      id,
      at,
      action: kept,
      phoneId,
      previous: last?.hash ?? START,
      hash: link.hash,
      state: 'waiting',
      refusal: null,
      reason: null,
    };
  };

/** Position of the first entry that was changed, removed or moved afterward; null if there is none. */
export function brokenAt(entries: readonly KeptEntry[]): number | null {
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    const previous = before ? { position: before.position, hash: before.hash } : startOf(entry);
    const link = nextPhoneLink(chainOf(entry), entry, previous);
    if (link.hash !== entry.hash || link.position !== entry.position) return entry.position;
  }
  return null;
}

/** The oldest entries are deleted once they are settled; the oldest remaining one says what came before it. */
const startOf = ({ position, previous }: KeptEntry) =>
  position === 0 ? null : { position: position - 1, hash: previous };

/**
 * The entry as sent to the server. If its time is later than the server's, the phone's clock was ahead, and the
 * server's time is used.
 */
export function inputOf(entry: KeptEntry, serverMs: number | null): DutyInput {
  const { action, at, id, phoneId, position, previous, signature } = entry;
  const moment = momentOf(entry);
  return {
    id,
    at: serverMs !== null && Date.parse(moment) > serverMs ? new Date(serverMs).toISOString() : moment,
    action,
    ...(phoneId !== undefined && signature !== undefined && { proof: { phoneId, position, previous, at, signature } }),
  };
}
