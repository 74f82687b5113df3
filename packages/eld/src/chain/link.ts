import type { LogEntry } from '../log/entry.ts';
import { canonicalJson } from './canonical-json.ts';
import { hashOf } from './sha256.ts';

/**
 * The hash chain. Each driver's log is a chain, and so is each device's; an entry made on a device is in both.
 * Changing, removing or moving an entry means recomputing every later link of both, and then the daily roots kept
 * elsewhere no longer match.
 *
 * - content = SHA-256 of the entry's canonical JSON
 * - hash = SHA-256 of `milepost-link/1`, the chain's name, the position, the previous hash, the log and the content,
 *   each on its own line
 */
export interface Link {
  /** `driver:12`, `vehicle:7`. */
  readonly chain: string;
  /** From 0. */
  readonly position: number;
  /** The log that the entry belongs to: the chain itself, or in a device's chain, a driver's log. */
  readonly log: string;
  readonly content: string;
  readonly hash: string;
}

/** The previous hash of the first link of every chain. */
export const START = '0'.repeat(64);
const KIND = 'milepost-link/1';

/** Null if the value is not a valid entry; never for entries accepted by `readEntry`. */
export function contentOf(entry: LogEntry): string | null {
  const text = canonicalJson(entry);
  return text === null ? null : hashOf(text);
}

export const linkHash = ({ chain, position, log, content }: Omit<Link, 'hash'>, previous: string): string =>
  hashOf([KIND, chain, position, previous, log, content].join('\n'));

/** The next link of a chain; `last` is null for the first link. */
export function nextLink(
  { chain, log, content }: Pick<Link, 'chain' | 'log' | 'content'>,
  last: Pick<Link, 'position' | 'hash'> | null,
): Link {
  const link = { chain, position: last === null ? 0 : last.position + 1, log, content };
  return { ...link, hash: linkHash(link, last?.hash ?? START) };
}
