import { isLogFile, LOG_FILE_FAULTS, readLogFile } from './chain/log-file.ts';
import { describeChainFault, type VerifiedLog, verifyLog } from './chain/verify.ts';
import { describeOutputFault, type OutputFault } from './output-file/faults.ts';
import { isPreview } from './output-file/preview.ts';
import { readOutputFile } from './output-file/read.ts';
import { LIST_NAMES, type OutputFile } from './output-file/sections.ts';
import { type SealedFile, verifySealed } from './sealed-file.ts';

/** The result for a file, shared by `npm run verify-log` and the offline verification page. */
export type Verdict =
  | { readonly kind: 'log'; readonly ok: true; readonly log: VerifiedLog }
  | { readonly kind: 'output-file'; readonly ok: true; readonly file: OutputFileSummary }
  | { readonly kind: 'sealed-file'; readonly ok: true; readonly file: SealedFile }
  | { readonly kind: 'log' | 'output-file' | 'sealed-file' | 'unknown'; readonly ok: false; readonly sentence: string };

export interface OutputFileSummary {
  readonly driver: string;
  /** `MMDDYY HHMMSS`, as in the file. */
  readonly madeAt: string;
  readonly records: number;
  /** Made by Milepost: its digest was checked in addition to the check values. */
  readonly preview: boolean;
  readonly comment: string;
}

/**
 * Verifies a file of any kind that Milepost writes: an evidence pack, an exported log, an ELD output file, or another of
 * which a SHA-256 was kept. `kept` are daily roots and digests that someone has kept elsewhere. Never throws (I3).
 */
export function verifyFile(bytes: Uint8Array, kept: readonly string[] = []): Verdict {
  const sealed = verifySealed(bytes, kept);
  if (sealed) return { kind: 'sealed-file', ...sealed };
  // Invalid UTF-8 becomes replacement characters, which no record contains, so it is reported.
  return verifyText(new TextDecoder().decode(bytes), kept);
}

/**
 * Verifies an exported log (with `keptRoots`, if any were kept elsewhere) or an ELD output file. Never throws: any text
 * gets a verdict, whose sentence names the first record that does not fit (invariant I3).
 */
export function verifyText(text: string, keptRoots: readonly string[] = []): Verdict {
  if (isLogFile(text)) return verifyLogText(text, keptRoots);
  const read = readOutputFile(text);
  if (read.ok) return { kind: 'output-file', ok: true, file: summaryOf(read.value) };
  const first = read.fault[0];
  if (!first || first.code === 'not-an-output-file') {
    return {
      kind: 'unknown',
      ok: false,
      sentence: 'This is not an exported log, an ELD output file or an evidence pack.',
    };
  }
  return { kind: 'output-file', ok: false, sentence: outputSentence(first, read.fault.length - 1) };
}

function verifyLogText(text: string, keptRoots: readonly string[]): Verdict {
  const read = readLogFile(text);
  if (!read.ok) {
    return { kind: 'log', ok: false, sentence: `Line ${read.fault.line}: ${LOG_FILE_FAULTS[read.fault.code]}` };
  }
  const verified = verifyLog(read.value, keptRoots);
  return verified.ok
    ? { kind: 'log', ok: true, log: verified.value }
    : { kind: 'log', ok: false, sentence: describeChainFault(verified.fault) };
}

function outputSentence(first: OutputFault, others: number): string {
  const more = others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'fault' : 'faults'})`;
  return `${describeOutputFault(first)}${more}`;
}

function summaryOf(file: OutputFile): OutputFileSummary {
  const { driver, moment, device } = file.header;
  const lists = LIST_NAMES.filter(name => name !== 'users' && name !== 'vehicles');
  return {
    driver: `${driver.firstName} ${driver.lastName}`,
    madeAt: `${moment.date} ${moment.time}`,
    records: lists.reduce((sum, name) => sum + file[name].length, 0),
    preview: isPreview(file),
    comment: device.comment,
  };
}
