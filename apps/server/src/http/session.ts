import type { Actor, Duty, Role } from '@milepost/contract';

/** Who is calling: a live session and its user, as read when the call came in. */
export interface Session extends Actor {
  readonly sessionId: string;
  /** A person's browser, or a program with an API token. */
  readonly kind: 'browser' | 'api-token';
  readonly accountId: number;
  readonly userId: string;
  readonly userName: string;
  readonly role: Role;
  /** The folders and departments to which the user is limited; null for everything of the account. */
  readonly scope: { readonly folderIds: readonly number[]; readonly departmentIds: readonly number[] } | null;
  /** What has to be done before anything else; the permissions are cut to it. */
  readonly duty: Duty | null;
  /** The public demo's visitor: nothing that writes is allowed. */
  readonly readOnly: boolean;
  readonly expiresAt: Date;
}

/** How a bearer token becomes a session; null for a token that is unknown, ended or expired. */
export interface SessionFinder {
  findByToken(token: string): Promise<Session | null>;
}
