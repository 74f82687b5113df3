/** Whether this browser has passkeys at all; without HTTPS it has none. */
export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';

/** The person closed the browser's own question, or has no passkey for it: nothing went wrong. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}
