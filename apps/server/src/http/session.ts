import type { Actor, Duty, Role } from '@milepost/contract';

/** Makes a leaked API token recognizable; secret scanners look for such prefixes. */
export const API_TOKEN_PREFIX = 'milepost_';

/** The caller: a live session and its user, read when the call came in. */
export interface Session extends Actor {
  readonly sessionId: string;
  /** A person's browser, or a program with an API token. */
  readonly kind: 'browser' | 'api-token';
  readonly accountId: number;
  readonly userId: string;
  readonly userName: string;
  readonly role: Role;
  /** The folders and departments the user is limited to; null for the whole account. */
  readonly scope: { readonly folderIds: readonly number[]; readonly departmentIds: readonly number[] } | null;
  /** What the user must do first; permissions are limited to it. Null if nothing. */
  readonly duty: Duty | null;
  /** The public demo's visitor: all writes are refused. */
  readonly readOnly: boolean;
  readonly expiresAt: Date;
}

/** Finds the session for live messaging credentials. */
export interface MessagingSignIn {
  /** All three must belong to one session [R6.02]. */
  findByMessaging(userId: string, userName: string, password: string): Promise<Session | null>;
}

/** Finds the session for a bearer token; null if it is unknown, ended or expired. */
export interface SessionFinder {
  findByToken(token: string): Promise<Session | null>;
}
