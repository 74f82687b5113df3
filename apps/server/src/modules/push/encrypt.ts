import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a browser's subscription. */
export interface BrowserKeys {
  /** A point on P-256, uncompressed. */
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

/** One record; with the header, the end mark and the tag a message then stays within the 4096 bytes of RFC 8291. */
export const PAYLOAD_BYTES = 3800;
const RECORD_BYTES = 4096;
const END = Buffer.from([2]);

/**
 * Encrypts a push message for a browser (RFC 8291, content coding `aes128gcm` of RFC 8188). Throws if the browser's key
 * is not on the curve. Key and salt are new for each message, except in the test of the RFC's example.
 */
export function encryptPush(
  payload: Buffer,
  { p256dh, auth }: BrowserKeys,
  own: ECDH = newKey(),
  salt: Buffer = randomBytes(16),
): Buffer {
  const derived = (secret: Buffer, salting: Buffer, info: Buffer | string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, salting, info, bytes));
  const ownPublic = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, ownPublic]);
  const key = derived(own.computeSecret(p256dh), auth, info, 32);
  const contentKey = derived(key, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(key, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce);
  const sealed = [cipher.update(payload), cipher.update(END), cipher.final(), cipher.getAuthTag()];
  const recordBytes = Buffer.alloc(4);
  recordBytes.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, recordBytes, Buffer.from([ownPublic.length]), ownPublic, ...sealed]);
}

function newKey(): ECDH {
  const key = createECDH('prime256v1');
  key.generateKeys();
  return key;
}
