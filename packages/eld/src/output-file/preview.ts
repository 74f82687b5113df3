import { digestOf } from './lines.ts';
import type { OutputFile } from './sections.ts';

/**
 * Milepost is not a registered ELD, so its files say that they are previews: in their name, in the identity, in the
 * authentication value, and in the comment if the officer gives none. They are never offered as a compliant transfer
 * (Appendix A, 4.9).
 */
export const PREVIEW = { registrationId: 'TEST', eldIdentifier: 'MLPOST' } as const;
export const PREVIEW_COMMENT = 'PREVIEW; not a registered ELD';
/** The last nine characters of the file's name (4.8.2.2), which the maker may choose. */
export const PREVIEW_NAME = 'PREVIEW00';

/** The comment for the file: the officer's, or our own if there is none. */
export const previewComment = (comment: string): string => comment || PREVIEW_COMMENT;

const AUTHENTICATION_MARK = 'PREVIEW-NOT-A-REGISTERED-ELD-';

export const isPreview = ({ header: { device } }: OutputFile): boolean =>
  device.registrationId === PREVIEW.registrationId && device.eldIdentifier === PREVIEW.eldIdentifier;

/** The authentication value of a preview: the mark, and the digest of the whole file. */
export const authenticationOf = (file: OutputFile): string => `${AUTHENTICATION_MARK}${digestOf(file)}`;

/** Returns the file with its authentication value. */
export function sealed(file: OutputFile): OutputFile {
  const { header } = file;
  return { ...file, header: { ...header, device: { ...header.device, authentication: authenticationOf(file) } } };
}
