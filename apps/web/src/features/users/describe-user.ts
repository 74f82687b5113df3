import type { User } from '@milepost/contract';
import { formatAge } from '../../format/duration.ts';
import { formatMoment } from '../../format/time.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A user inactive for this long may have left. */
const LONG_AWAY_MS = 30 * DAY;
/** Access that ends within this time needs attention. */
const ENDING_MS = 30 * DAY;

export type LastSeen =
  | { readonly kind: 'never' }
  | { readonly kind: 'now' }
  | { readonly kind: 'ago'; readonly text: string }
  | { readonly kind: 'at'; readonly text: string }
  | { readonly kind: 'long-ago'; readonly text: string };

/** When a user was last active, in a format that fits its age: `now`, `12 m`, `Tue, Nov 17 18:20`, `41 d`. */
export function lastSeen(lastSeenAt: string | null, nowMs: number): LastSeen {
  if (lastSeenAt === null) return { kind: 'never' };
  const at = Date.parse(lastSeenAt);
  const age = nowMs - at;
  if (age < 2 * MINUTE) return { kind: 'now' };
  if (age < 60 * MINUTE) return { kind: 'ago', text: formatAge(age) };
  if (age > LONG_AWAY_MS) return { kind: 'long-ago', text: formatAge(age) };
  return { kind: 'at', text: formatMoment(at, nowMs) };
}

/** The state as the list shows it; `ending` is an active user whose access ends soon. */
export const SHOWN_STATES = ['active', 'ending', 'invited', 'expired', 'deactivated'] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

export function shownState({ state, expiresAt }: Pick<User, 'state' | 'expiresAt'>, nowMs: number): ShownState {
  const isEnding = expiresAt !== null && Date.parse(expiresAt) - nowMs < ENDING_MS;
  return state === 'active' && isEnding ? 'ending' : state;
}

export type Factor = 'passkey' | 'code-app' | 'off';

/** A user's strongest second factor. */
export function factorOf({ secondFactor }: Pick<User, 'secondFactor'>): Factor {
  if (secondFactor.passkeys > 0) return 'passkey';
  return secondFactor.totp ? 'code-app' : 'off';
}

/** The id of a user's role in the list of roles. */
export const roleIdOf = ({ role, customRole }: Pick<User, 'role' | 'customRole'>): string => customRole?.id ?? role;
