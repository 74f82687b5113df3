import type { DocumentType } from '@milepost/contract';

/** What each kind of file begins with; ISO 32000-1 7.5.2, PNG (ISO 15948) 5.2, JPEG (ITU-T T.81) B.1.1.3. */
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

/** What a file is by its content, whatever it is called; null for everything that is not accepted. */
export function documentTypeOf(bytes: Uint8Array): DocumentType | null {
  return BEGINNINGS.find(([, beginning]) => beginning.every((byte, at) => bytes[at] === byte))?.[0] ?? null;
}

const MAX_CHARACTERS = 120;

/** A file's name as it may be shown and saved: the last part of a path, without what no name has, ending as its type does. */
export function safeFileName(name: string, type: DocumentType): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .toWellFormed()
    // Control, format and line characters: such as turn the direction of text, and so hide what a name ends in.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
    .replace(/^[. ]+|[. ]+$/g, '');
  const extension = EXTENSIONS[type].find(each => plain.toLowerCase().endsWith(each));
  const stem = extension ? plain.slice(0, -extension.length) : plain;
  return `${[...stem].slice(0, MAX_CHARACTERS).join('') || 'document'}${extension ?? EXTENSIONS[type][0]}`;
}
