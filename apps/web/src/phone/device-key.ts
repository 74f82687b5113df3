/** The PIN that opens the app on an enrolled phone; salted and stretched, with the wrong tries since the last right one. */
export interface AppPin {
  readonly salt: string;
  readonly hash: string;
  readonly wrong: number;
  readonly lastWrongMs: number;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** OWASP's figure for PBKDF2 with SHA-256. */
const ROUNDS = 600_000;
const FREE_TRIES = 5;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** Browsers offer keys only on pages that came over TLS, or from this computer. */
export const canEnroll = (): boolean => globalThis.crypto?.subtle !== undefined;

/** A key pair whose private half the browser never gives away. */
export const newKeys = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);

/** The public half as the server wants it. */
export async function publicKeyOf({ publicKey }: CryptoKeyPair) {
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey);
  return { kty: 'EC' as const, crv: 'P-256' as const, x, y };
}

/** The signature of a link's hash, in base64url. */
export async function signed(key: CryptoKey, hash: string): Promise<string> {
  const text = new TextEncoder().encode(hash);
  return base64url(await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, text));
}

async function stretched(pin: string, salt: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(pin), 'PBKDF2', false, ['deriveBits']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: encoder.encode(salt), iterations: ROUNDS };
  return base64url(await crypto.subtle.deriveBits(how, key, 256));
}

export async function newAppPin(pin: string): Promise<AppPin> {
  const salt = base64url(crypto.getRandomValues(new Uint8Array(16)).buffer);
  return { salt, hash: await stretched(pin, salt), wrong: 0, lastWrongMs: 0 };
}

/** How long until the next try: 30 s after five wrong ones, then twice as long each time, up to an hour. */
export function pinWaitMs({ lastWrongMs, wrong }: Pick<AppPin, 'lastWrongMs' | 'wrong'>, nowMs: number): number {
  if (wrong < FREE_TRIES) return 0;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (wrong - FREE_TRIES));
  return Math.min(wait, Math.max(0, lastWrongMs + wait - nowMs));
}

/** The PIN after a try, and whether it was right. */
export async function tryAppPin(
  kept: AppPin,
  pin: string,
  nowMs: number,
): Promise<{ readonly right: boolean; readonly kept: AppPin }> {
  if ((await stretched(pin, kept.salt)) === kept.hash)
    return { right: true, kept: { ...kept, wrong: 0, lastWrongMs: 0 } };
  return { right: false, kept: { ...kept, wrong: kept.wrong + 1, lastWrongMs: nowMs } };
}
