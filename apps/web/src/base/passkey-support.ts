/** Whether this browser supports passkeys. They need HTTPS. */
export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';

/** The person closed the browser's own question, or has no passkey for it: nothing went wrong. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}
