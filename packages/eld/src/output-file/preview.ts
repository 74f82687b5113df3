import { digestOf } from './lines.ts';
import type { OutputFile } from './sections.ts';

/**
 * Milepost is no registered ELD, so its files say that they are a preview: in their name, in the identity, in the
 * authentication value, and in the comment where an inspection gives none of its own. They are never offered as a
 * compliant transfer (Appendix A, 4.9).
 */
export const PREVIEW = { registrationId: 'TEST', eldIdentifier: 'MLPOST' } as const;
export const PREVIEW_COMMENT = 'PREVIEW; not a registered ELD';
/** The last nine characters of the file's name (4.8.2.2), which are for us to choose. */
export const PREVIEW_NAME = 'PREVIEW00';

/** The comment as it goes into the file: all of what the inspection wants to read there, else ours. */
export const previewComment = (comment: string): string => comment || PREVIEW_COMMENT;

const AUTHENTICATION_MARK = 'PREVIEW-NOT-A-REGISTERED-ELD-';

export const isPreview = ({ header: { device } }: OutputFile): boolean =>
  device.registrationId === PREVIEW.registrationId && device.eldIdentifier === PREVIEW.eldIdentifier;

/** The authentication value of a preview: the mark, and the digest of all it says. */
export const authenticationOf = (file: OutputFile): string => `${AUTHENTICATION_MARK}${digestOf(file)}`;

/** The same file with its authentication value. */
export function sealed(file: OutputFile): OutputFile {
  const { header } = file;
  return { ...file, header: { ...header, device: { ...header.device, authentication: authenticationOf(file) } } };
}
