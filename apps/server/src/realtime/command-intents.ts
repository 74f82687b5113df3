import type { Session } from '../http/session.ts';

/** What a browser publishes to `user/{imei}`. */
export interface CommandIntents {
  /** Resolves when the command is stored; rejects with the reason if it isn't. */
  take(session: Session, imei: string, payload: Buffer, address: string | null): Promise<void>;
}
