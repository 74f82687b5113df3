/** Whether this browser supports passkeys. They need HTTPS. */
export const hasPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';

/** The user closed the browser's passkey dialog or has no matching passkey. This isn't an error. */
export class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}
