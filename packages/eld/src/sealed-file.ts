import { HASH, sha256Hex } from './chain/sha256.ts';

/**
 * The last line of an evidence pack, a comment to readers of PDF (ISO 32000-1, 7.2.4): when the pack was made, and the
 * SHA-256 of every byte before the digest itself.
 */
const LAST_LINE = /\n%milepost-evidence 1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) sha256=([0-9a-f]{64})\n$/;
const LAST_LINE_BYTES = 130;
const DIGEST_BYTES = 65;

/** What goes before the digest in the last line. */
export const sealStart = (madeAt: string): string => `\n%milepost-evidence 1 ${madeAt} sha256=`;

export interface SealedFile {
  /** Of the whole file, as `sha256sum` prints it: the value to keep elsewhere. */
  readonly sha256: string;
  readonly bytes: number;
  /** When the pack was made; null for another file, of which only the kept digest is known. */
  readonly madeAt: string | null;
}

export type SealVerdict =
  | { readonly ok: true; readonly file: SealedFile }
  | { readonly ok: false; readonly sentence: string };

const SEAL_FAULTS = {
  changed: 'This evidence pack was changed after it was written: its bytes do not match the digest in its last line.',
  'no-seal': 'This PDF is not a complete evidence pack: it does not end with the line that seals one.',
  'not-the-kept': 'The SHA-256 you have kept is not the one of this file: it was changed, or it is another file.',
} as const;

const isPdf = (bytes: Uint8Array): boolean => String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-';

/**
 * Checks an evidence pack, and any file by a SHA-256 that was kept of it. Null where it is neither, so that it may be
 * something else. Never throws. Only a digest kept elsewhere shows that a pack was not written anew, seal and all.
 */
export function verifySealed(bytes: Uint8Array, kept: readonly string[]): SealVerdict | null {
  const digests = kept.map(digest => digest.toLowerCase()).filter(digest => HASH.test(digest));
  if (!isPdf(bytes)) {
    const sha256 = digests.length === 0 ? '' : sha256Hex(bytes);
    return digests.includes(sha256) ? { ok: true, file: { sha256, bytes: bytes.length, madeAt: null } } : null;
  }
  const end = String.fromCharCode(...bytes.subarray(-LAST_LINE_BYTES));
  const [, madeAt, digest] = LAST_LINE.exec(end) ?? [];
  if (madeAt === undefined) return { ok: false, sentence: SEAL_FAULTS['no-seal'] };
  if (sha256Hex(bytes.subarray(0, -DIGEST_BYTES)) !== digest) return { ok: false, sentence: SEAL_FAULTS.changed };
  const sha256 = sha256Hex(bytes);
  if (digests.some(each => each !== sha256)) return { ok: false, sentence: SEAL_FAULTS['not-the-kept'] };
  return { ok: true, file: { sha256, bytes: bytes.length, madeAt } };
}
