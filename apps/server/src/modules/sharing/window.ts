import {
  SHARE_AHEAD_DAYS,
  SHARE_LONG_MAX_DAYS,
  SHARE_MAX_DAYS,
  SHARE_MIN_MINUTES,
  type Share,
} from '@milepost/contract';
import { invalidField } from '../../app-error.ts';

export interface Window {
  readonly startsAt: Date;
  readonly expiresAt: Date;
}

export interface RequestedWindow {
  /** Now if absent. */
  readonly startsAt?: string | undefined;
  readonly expiresAt: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A browser's clock may be slow: a start slightly in the past means now. */
const CLOCKS_MS = 5 * MINUTE_MS;

/**
 * The window of a new link. It starts now or later: visitors must not see what happened before the link was created.
 */
export function newWindow({ startsAt, expiresAt }: RequestedWindow, nowMs: number, mayBeLong: boolean): Window {
  const wished = startsAt === undefined ? nowMs : Date.parse(startsAt);
  if (wished < nowMs - CLOCKS_MS) throw invalidField('startsAt', 'share-in-past');
  const startMs = Math.max(nowMs, wished);
  if (startMs > nowMs + SHARE_AHEAD_DAYS * DAY_MS) {
    throw invalidField('startsAt', 'share-too-far', { days: SHARE_AHEAD_DAYS });
  }
  return { startsAt: new Date(startMs), expiresAt: newEnd(new Date(startMs), expiresAt, nowMs, mayBeLong) };
}

/** A new end for a window: as early as now, or as late as a new link could last. */
export function newEnd(startsAt: Date, expiresAt: string, nowMs: number, mayBeLong: boolean): Date {
  const endMs = Date.parse(expiresAt);
  const beginMs = Math.max(startsAt.getTime(), nowMs);
  const days = mayBeLong ? SHARE_LONG_MAX_DAYS : SHARE_MAX_DAYS;
  if (endMs < beginMs + SHARE_MIN_MINUTES * MINUTE_MS) {
    throw invalidField('expiresAt', 'share-too-short', { minutes: SHARE_MIN_MINUTES });
  }
  if (endMs > beginMs + days * DAY_MS + CLOCKS_MS) {
    throw invalidField('expiresAt', 'share-too-long', { days });
  }
  return new Date(endMs);
}

export function stateOf({ startsAt, expiresAt }: Window, revokedAt: Date | null, nowMs: number): Share['state'] {
  if (revokedAt !== null) return 'revoked';
  if (nowMs >= expiresAt.getTime()) return 'ended';
  return nowMs < startsAt.getTime() ? 'planned' : 'open';
}
