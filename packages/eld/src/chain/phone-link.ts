import { canonicalJson } from './canonical-json.ts';
import { type Link, linkHash, nextLink } from './link.ts';
import { hashOf } from './sha256.ts';

/** What a driver did, as a link of the phone's chain: its ID, its moment and the action, as the phone wrote them. */
export interface PhoneEntry {
  readonly id: string;
  /** ISO 8601 */
  readonly at: string;
  readonly action: unknown;
}

/** The chain of a phone: of its enrollment, or of a user whose phone is not enrolled. */
export const phoneChain = (name: string): string => `phone:${name}`;

const contentOf = ({ action, at, id }: PhoneEntry): string => hashOf(canonicalJson({ id, at, action }) ?? '');

/** The next link of a phone's chain; `last` is null for the first. */
export const nextPhoneLink = (chain: string, entry: PhoneEntry, last: Pick<Link, 'position' | 'hash'> | null): Link =>
  nextLink({ chain, log: chain, content: contentOf(entry) }, last);

/** The hash that a phone signs for an entry at this place of its chain. */
export const phoneLinkHash = (chain: string, entry: PhoneEntry, position: number, previous: string): string =>
  linkHash({ chain, position, log: chain, content: contentOf(entry) }, previous);
