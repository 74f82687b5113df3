import { z } from 'zod';
import { chainNameSchema, MAX_EPOCH_MS } from '../event/fields.ts';
import { entrySchema, type LogEntry } from '../log/entry.ts';
import { bad, good, type Result } from '../result.ts';
import { canonicalJson } from './canonical-json.ts';
import type { DailyRoot } from './daily-root.ts';
import type { Link } from './link.ts';
import { HASH, hashOf } from './sha256.ts';

/**
 * An exported log: lines of canonical JSON, so that each line can be named in an error, and one changed byte either
 * breaks the canonical form or changes the content. The first line is the header. Then come the links in order: those
 * of the owner's log with their entries, those of devices with the content hash only (a device's chain also contains
 * other drivers' entries, which stay private), then the daily roots, and last the SHA-256 of all lines before.
 */
export const LOG_FORMAT = 'milepost-log/1';
/** A longer line is not a valid link. */
const LONGEST_LINE = 65_536;
const DIGEST = /^\{"digest":"[0-9a-f]{64}"\}$/;

const hash = z.string().regex(HASH);
const position = z.int().min(0);
const headSchema = z.strictObject({
  format: z.literal(LOG_FORMAT),
  /** The log that the file contains. */
  log: chainNameSchema,
  /** The home terminal: its zone, and minutes from midnight to the start of the day. */
  timeZone: z.string().max(64),
  startOfDay: z.int().min(0).max(1439),
  exportedAt: z.int().min(0).max(MAX_EPOCH_MS),
});
const linkSchema = z.strictObject({
  chain: chainNameSchema,
  position,
  /** Instead of the entry, where it is in another chain or private: its log and its hash. */
  log: chainNameSchema.optional(),
  content: hash.optional(),
  entry: entrySchema.optional(),
  /** Only on a chain's first link in this file if it does not begin at position 0: the previous link's hash. */
  previous: hash.optional(),
  hash,
});
const rootSchema = z.strictObject({
  chain: chainNameSchema,
  day: z.iso.date(),
  first: position,
  count: z.int().min(1),
  previous: hash,
  head: hash,
  root: hash,
});

export type LogFileHead = z.infer<typeof headSchema>;
export interface ExportedLink extends Omit<Link, 'content' | 'log'> {
  readonly log?: string | undefined;
  readonly content?: string | undefined;
  readonly entry?: LogEntry | undefined;
  readonly previous?: string | undefined;
}
export interface LogFile {
  readonly head: LogFileHead;
  readonly links: readonly Numbered<ExportedLink>[];
  readonly roots: readonly Numbered<DailyRoot>[];
  /** True if the digest at the end matches the lines before it. */
  readonly digestFits: boolean;
}
/** With its line in the file, counted from 1. */
export type Numbered<T> = T & { readonly line: number };

export type LogFileFault = { readonly code: LogFileFaultCode; readonly line: number };
export const LOG_FILE_FAULTS = {
  'not-a-log': 'This is no exported log.',
  'unreadable-line': 'The line can’t be read.',
  'changed-line': 'This line was changed after it was written.',
  'cut-off': 'The end is missing.',
} as const;
export type LogFileFaultCode = keyof typeof LOG_FILE_FAULTS;

/** Null when a part can’t be written as JSON; entries accepted by `readEntry` always can. */
export function writeLogFile(
  head: LogFileHead,
  links: readonly ExportedLink[],
  roots: readonly DailyRoot[],
): string | null {
  const lines = [head, ...links.map(withoutUndefined), ...roots].map(canonicalJson);
  if (lines.includes(null)) return null;
  const body = lines.map(line => `${line}\n`).join('');
  return `${body}${digestLine(body)}\n`;
}

const digestLine = (body: string): string => `{"digest":"${hashOf(body)}"}`;

const withoutUndefined = (link: ExportedLink): object =>
  Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined));

export const isLogFile = (text: string): boolean => /^\{[^\n]{0,1000}"format":"milepost-log\//.test(text);

/** Never throws: any text gives the file or a fault with the first invalid line. */
export function readLogFile(text: string): Result<LogFile, LogFileFault> {
  const lines = text.split('\n');
  const head = readLine(headSchema, lines[0] ?? '');
  if (!head.ok) return bad({ code: isLogFile(text) ? head.fault : 'not-a-log', line: 1 });
  const links: Numbered<ExportedLink>[] = [];
  const roots: Numbered<DailyRoot>[] = [];
  for (let i = 1; i < lines.length - 2; i++) {
    const written = lines[i] ?? '';
    const line = i + 1;
    const isRoot = written.includes('"root":"') && !written.includes('"entry":{');
    const read = isRoot ? readLine(rootSchema, written) : readLine(linkSchema, written);
    if (!read.ok) return bad({ code: read.fault, line });
    if ('root' in read.value) roots.push({ ...read.value, line });
    else if (!isWhole(read.value)) return bad({ code: 'unreadable-line', line });
    else links.push({ ...read.value, line });
  }
  const digest = lines.at(-2) ?? '';
  if (lines.at(-1) !== '' || !DIGEST.test(digest)) return bad({ code: 'cut-off', line: lines.length });
  const body = text.slice(0, text.length - digest.length - 1);
  return good({ head: head.value, links, roots, digestFits: digest === digestLine(body) });
}

const isWhole = ({ entry, content, log }: ExportedLink): boolean =>
  entry ? content === undefined && log === undefined : content !== undefined && log !== undefined;

function readLine<T>(schema: z.ZodType<T>, line: string): Result<T, 'unreadable-line' | 'changed-line'> {
  if (line.length > LONGEST_LINE) return bad('unreadable-line');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return bad('unreadable-line');
  }
  if (canonicalJson(value) !== line) return bad('changed-line');
  const read = schema.safeParse(value);
  return read.success ? good(read.data) : bad('unreadable-line');
}
