import type { Actor, Role } from '@milepost/contract';

/** Who is calling: a live session and its user, as read when the call came in. */
export interface Session extends Actor {
  readonly sessionId: string;
  readonly accountId: number;
  readonly userId: string;
  readonly userName: string;
  readonly role: Role;
  /** The public demo's visitor: nothing that writes is allowed. */
  readonly readOnly: boolean;
  readonly expiresAt: Date;
}

/** How a bearer token becomes a session; null for a token that is unknown, ended or expired. */
export interface SessionFinder {
  findByToken(token: string): Promise<Session | null>;
}
