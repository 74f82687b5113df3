import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { BackupError } from './backup-error.ts';

/** A backup's key: 32 random bytes. Who loses it and the machine loses the backup. */
export type BackupKey = Buffer;

/** Without look-alikes: it may have to be typed from paper. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const KEY_BYTES = 32;
const CHECK_BYTES = 3;

export const makeKey = (): BackupKey => randomBytes(KEY_BYTES);

/** The key as text: 56 letters and digits in groups of seven, the last five of them a checksum against typing errors. */
export function keyText(key: BackupKey): string {
  let bits = '';
  for (const byte of Buffer.concat([key, checkOf(key)])) bits += byte.toString(2).padStart(8, '0');
  const letters = bits.match(/.{5}/g) ?? [];
  return letters
    .map(five => LETTERS[Number.parseInt(five, 2)])
    .join('')
    .replace(/.{7}(?=.)/g, '$&-');
}

/** Reads a key as people type it, in either case and with any spaces and dashes. Throws `BackupError`. */
export function parseKey(text: string): BackupKey {
  const letters = text.toLowerCase().replace(/[\s-]/g, '');
  let bits = '';
  for (const letter of letters) {
    const value = LETTERS.indexOf(letter);
    if (value < 0) throw new BackupError(`The backup key contains "${letter}", which no key has. Type it again.`);
    bits += value.toString(2).padStart(5, '0');
  }
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map(eight => Number.parseInt(eight, 2)));
  const key = bytes.subarray(0, KEY_BYTES);
  if (bytes.length !== KEY_BYTES + CHECK_BYTES || !bytes.subarray(KEY_BYTES).equals(checkOf(key))) {
    throw new BackupError('The backup key is mistyped or not complete: it has 56 letters and digits. Type it again.');
  }
  return key;
}

const checkOf = (key: BackupKey): Buffer => createHash('sha256').update(key).digest().subarray(0, CHECK_BYTES);

/** A key for one purpose, of 32 bytes (RFC 5869, with SHA-256). */
export const derive = (key: BackupKey, purpose: string, salt: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `milepost backup: ${purpose}`, KEY_BYTES));
