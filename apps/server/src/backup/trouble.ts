import type { BackupTrouble } from '@milepost/contract';
import type { BackupSettings, BackupState } from './settings.ts';

/** For people and programs that monitor the machine. Places and reasons are left out: `/health` answers anyone. */
export const TROUBLE_SENTENCES: Readonly<Record<BackupTrouble, string>> = {
  paused: 'Backups are paused since this data was restored. Turn them on again under Settings › System.',
  'copy-failed': 'The last backup failed. Settings › System says why.',
  'verify-failed': 'The last backup that was restored on trial is not sound. Settings › System says why.',
  'journal-failed': 'Changes can’t be written to the backup. Settings › System says why.',
  'copy-old': 'The last backup is too old. Settings › System says more.',
  'journal-behind': 'The backup is behind: what happened lately would be lost with the disk.',
};

const HOUR_MS = 3_600_000;
/** A failure that the next try cures is no trouble. */
const JOURNAL_PATIENCE_MS = 10 * 60_000;

export function troubleOf(
  settings: BackupSettings | null,
  state: BackupState,
  { isEmbedded, nowMs }: { readonly isEmbedded: boolean; readonly nowMs: number },
): BackupTrouble | null {
  if (!settings) return null;
  if (settings.pausedSince !== null) return 'paused';
  const { failures, last, sinceMs, throughMs } = state;
  if (failures.copy) return 'copy-failed';
  if (failures.verify) return 'verify-failed';
  const behindMs = nowMs - (throughMs ?? sinceMs ?? nowMs);
  if (failures.journal && behindMs > JOURNAL_PATIENCE_MS) return 'journal-failed';
  const ageMs = nowMs - (last?.atMs ?? sinceMs ?? nowMs);
  if (ageMs > (settings.everyHours * 1.5 + 1) * HOUR_MS) return 'copy-old';
  return isEmbedded && last && behindMs > JOURNAL_PATIENCE_MS ? 'journal-behind' : null;
}
