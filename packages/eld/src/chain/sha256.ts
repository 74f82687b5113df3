import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8, as 64 hexadecimal digits. Synchronous, and the same in Node and in the
 * browser.
 */
export const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** SHA-256 of bytes, as 64 hexadecimal digits. */
export const sha256Hex = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

export const HASH = /^[0-9a-f]{64}$/;
