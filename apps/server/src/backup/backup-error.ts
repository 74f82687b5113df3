import { StartupError } from '../lifecycle/startup-error.ts';

/** Why a backup or a restore can't go on, as a sentence for the operator: it says what to do. */
export class BackupError extends StartupError {}

const OF_A_DISK: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free space there, or choose another place',
  EDQUOT: 'its quota is used up. Free space there, or choose another place',
  EACCES: 'this user may not write there. Allow it (docs/backup.md says how for the service)',
  EPERM: 'this user may not write there. Allow it (docs/backup.md says how for the service)',
  EROFS: 'this program sees it as read-only. For the service, run npm run install-service -- --backup FOLDER',
  ENOENT: 'the folder is gone. Is its disk mounted?',
  ENOTDIR: 'it is not a folder',
  EIO: 'the disk reports an error',
};

/** What went wrong, in words. */
export function wordsOf(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const known = OF_A_DISK[code];
  if (known) return `${path ?? 'The disk'}: ${known}${known.endsWith('?') ? '' : '.'}`;
  return error instanceof Error ? error.message : String(error);
}
