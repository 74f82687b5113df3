import type { DutyAction, DutyInput } from '@milepost/contract';
import { canonicalJson, hashOf, nextLink, START } from '@milepost/eld';

/** What has become of an entry. A refused one stays on the screen until the driver has seen it. */
export type EntryState = 'waiting' | 'taken' | 'refused' | 'seen';

/** Something that a driver did, as the phone keeps it: written once, in order, each with the hash of the one before. */
export interface KeptEntry {
  /** The user who made it; nobody else's session ever sends it. */
  readonly owner: string;
  /** From 0, without gaps. */
  readonly position: number;
  readonly id: string;
  /** By the server's clock, as well as the phone knew it: ISO 8601. */
  readonly at: string;
  readonly action: DutyAction;
  readonly previous: string;
  readonly hash: string;
  readonly state: EntryState;
  /** Of a refused entry: its code, and the sentence of the server. */
  readonly refusal: string | null;
  readonly reason: string | null;
}

/** The newest entry of an owner: all that the next one needs to know. */
export interface ChainEnd {
  readonly owner: string;
  readonly position: number;
  readonly hash: string;
  readonly atMs: number;
}

const chainOf = (owner: string): string => `phone:${owner}`;
const contentOf = (input: Pick<KeptEntry, 'id' | 'at' | 'action'>): string =>
  hashOf(canonicalJson({ id: input.id, at: input.at, action: input.action }) ?? '');

/** The entry after `last`. It is never earlier than that one, whatever the phone's clock says. */
export function nextEntry(
  owner: string,
  id: string,
  nowMs: number,
  action: DutyAction,
  last: ChainEnd | null,
): KeptEntry {
  const at = new Date(Math.max(nowMs, last?.atMs ?? nowMs)).toISOString();
  const chain = chainOf(owner);
  const link = nextLink({ chain, log: chain, content: contentOf({ id, at, action }) }, last);
  return {
    owner,
    position: link.position,
    id,
    at,
    action,
    previous: last?.hash ?? START,
    hash: link.hash,
    state: 'waiting',
    refusal: null,
    reason: null,
  };
}

/** The position of the first entry that was changed, removed or moved since it was made; null if there is none. */
export function brokenAt(entries: readonly KeptEntry[]): number | null {
  for (const [index, entry] of entries.entries()) {
    const before = entries[index - 1];
    const previous = before ? { position: before.position, hash: before.hash } : startOf(entry);
    const chain = chainOf(entry.owner);
    const link = nextLink({ chain, log: chain, content: contentOf(entry) }, previous);
    if (link.hash !== entry.hash || link.position !== entry.position) return entry.position;
  }
  return null;
}

/** Older entries are deleted once they are settled: the oldest that is left says what came before it. */
const startOf = ({ position, previous }: KeptEntry) =>
  position === 0 ? null : { position: position - 1, hash: previous };

/** As the server takes it. A moment that the server has not reached yet is wrong: the phone's clock was ahead. */
export const inputOf = ({ id, at, action }: KeptEntry, serverMs: number | null): DutyInput => ({
  id,
  at: serverMs !== null && Date.parse(at) > serverMs ? new Date(serverMs).toISOString() : at,
  action,
});
