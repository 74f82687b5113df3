import type { DocumentType } from '@milepost/contract';

/** The first bytes of each file type; ISO 32000-1 7.5.2, PNG (ISO 15948) 5.2, JPEG (ITU-T T.81) B.1.1.3. */
const BEGINNINGS: readonly (readonly [DocumentType, readonly number[]])[] = [
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
];

const EXTENSIONS: Readonly<Record<DocumentType, readonly string[]>> = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
};

/** A file's type by its content, regardless of its name; null for types that are not accepted. */
export function documentTypeOf(bytes: Uint8Array): DocumentType | null {
  return BEGINNINGS.find(([, beginning]) => beginning.every((byte, at) => bytes[at] === byte))?.[0] ?? null;
}

const MAX_CHARACTERS = 120;

/**
 * A file's name made safe to show and save: the last part of its path, without characters that file names can't have,
 * with the extension of its type.
 */
export function safeFileName(name: string, type: DocumentType): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .toWellFormed()
    // Control, format and line characters can reverse the text's direction and so hide the extension.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/^[. ]+|[. ]+$/g, '');
  const extension = EXTENSIONS[type].find(each => plain.toLowerCase().endsWith(each));
  const stem = extension ? plain.slice(0, -extension.length) : plain;
  return `${[...stem].slice(0, MAX_CHARACTERS).join('') || 'document'}${extension ?? EXTENSIONS[type][0]}`;
}
