import { digestOf } from './lines.ts';
import type { OutputFile } from './sections.ts';

/**
 * Milepost is no registered ELD, so its files say that they are a preview: in their name, in the identity, and in the
 * comment that an officer reads first. They are never offered as a compliant transfer (Appendix A, 4.9).
 */
export const PREVIEW = { registrationId: 'TEST', eldIdentifier: 'MLPOST' } as const;
export const PREVIEW_COMMENT = 'PREVIEW; not a registered ELD';
/** The last nine characters of the file's name (4.8.2.2), which are for us to choose. */
export const PREVIEW_NAME = 'PREVIEW00';

/** The comment as it goes into the file: that of an inspection behind ours, as far as there is room. */
export const previewComment = (comment: string): string =>
  (comment === '' ? PREVIEW_COMMENT : `${PREVIEW_COMMENT}; ${comment}`).slice(0, 60);

export const isPreview = ({ header: { device } }: OutputFile): boolean =>
  device.registrationId === PREVIEW.registrationId && device.eldIdentifier === PREVIEW.eldIdentifier;

/** The same file with its digest as the authentication value. */
export function sealed(file: OutputFile): OutputFile {
  const { header } = file;
  return { ...file, header: { ...header, device: { ...header.device, authentication: digestOf(file) } } };
}
