import { epochMs } from '@milepost/units';
import { sequenceAt } from '../event/sequence-id.ts';
import { hasEvent, type LogEntry } from '../log/entry.ts';
import { openLog } from '../log/record-log.ts';
import { REFUSALS, type Refusal } from '../log/refusals.ts';
import { bad, good, type Result } from '../result.ts';
import { type DailyRoot, rootDay, rootOf } from './daily-root.ts';
import { contentOf, type Link, linkHash, START } from './link.ts';
import type { ExportedLink, LogFile, Numbered } from './log-file.ts';

/** What can be wrong with a chain. A fault is reported at the first link that does not fit. */
const CHAIN_FAULTS = {
  missing: 'A record before this one is missing.',
  'out-of-place': 'This record is not where it belongs.',
  altered: 'This record, or one before it, was changed after it was written.',
  'other-log': 'This record belongs to another log.',
  'sequence-broken': 'The event sequence ID is not the one for its position.',
  'not-on-device': 'The chain of the device that made this record does not contain it.',
  'not-in-log': 'The device made this record, but the log does not contain it.',
  'rule-broken': 'The rules do not allow this record.',
  'root-wrong': 'The daily root does not match the records of its day.',
  empty: 'The file contains no records of this log.',
  'root-missing': 'A finished day of this log has no daily root.',
  'file-changed': 'The first lines of the file, or its digest, were changed after they were written.',
  'root-unknown': 'The root you have kept does not match any day of this log.',
} as const;
export type ChainFaultCode = keyof typeof CHAIN_FAULTS;

export interface ChainFault {
  readonly code: ChainFaultCode;
  readonly chain: string;
  readonly position: number | null;
  /** Line in the file, from 1. */
  readonly line: number | null;
  readonly entry: LogEntry | null;
  /** For `rule-broken`: the rule that the entry breaks. */
  readonly refusal: Refusal | null;
}

export interface VerifiedLog {
  readonly log: string;
  readonly entries: number;
  readonly chains: readonly { readonly chain: string; readonly links: number; readonly head: string }[];
  readonly roots: readonly DailyRoot[];
  /** False if the file begins in the middle of the log: its hashes were checked, but not its rules. */
  readonly fromStart: boolean;
}

type Chained = Numbered<ExportedLink> & Pick<Link, 'content' | 'log'>;
/**
 * The hash before the chain's first link in this file and the one after its last; daily roots are checked against them.
 */
interface Walked {
  readonly links: readonly Chained[];
  readonly previous: string;
}

/**
 * Checks everything in an exported log that can be checked offline: hashes, positions, sequence ids, agreement with the
 * devices' chains, the log rules for every entry, and the daily roots. `kept` are daily roots that someone has kept
 * elsewhere: only they can show that the whole chain was not recomputed.
 */
export function verifyLog(file: LogFile, kept: readonly string[] = []): Result<VerifiedLog, ChainFault> {
  const walked = new Map<string, Walked>();
  for (const [chain, links] of Map.groupBy(file.links, link => link.chain)) {
    const result = walk(links);
    if (!result.ok) return result;
    walked.set(chain, result.value);
  }
  const { log } = file.head;
  const own = walked.get(log)?.links ?? [];
  const fault =
    ownFault(file, own) ??
    devicesFault(log, own, walked) ??
    rootsFault(file.roots, walked) ??
    wholeFault(file, kept) ??
    missingFault(file, own);
  if (fault) return bad(fault);
  return good({
    log,
    entries: own.length,
    chains: [...walked].map(([chain, { links }]) => ({
      chain,
      links: links.length,
      head: links.at(-1)?.hash ?? START,
    })),
    roots: file.roots,
    fromStart: (own[0]?.position ?? 0) === 0,
  });
}

/** Checks positions and hashes of one chain. */
function walk(links: readonly Numbered<ExportedLink>[]): Result<Walked, ChainFault> {
  const first = links[0];
  const previous = first && first.position > 0 ? (first.previous ?? '') : START;
  let hash = previous;
  let expected = first?.position ?? 0;
  const chained: Chained[] = [];
  for (const link of links) {
    if (link.position !== expected) {
      const isGone = link.position > expected && !links.some(other => other.position === expected);
      return bad(faultAt(link, isGone ? 'missing' : 'out-of-place'));
    }
    const content = link.content ?? (link.entry && contentOf(link.entry)) ?? '';
    const chainedLink = { ...link, log: link.log ?? link.entry?.log ?? '', content };
    if (linkHash(chainedLink, hash) !== link.hash) return bad(faultAt(link, 'altered'));
    chained.push(chainedLink);
    hash = link.hash;
    expected++;
  }
  return good({ links: chained, previous });
}

function faultAt(
  { chain, position, line, entry }: Numbered<ExportedLink>,
  code: ChainFaultCode,
  refusal: Refusal | null = null,
): ChainFault {
  return { code, chain, position, line, entry: entry ?? null, refusal };
}

/** Checks the owner's chain: every entry is present, belongs to this log, and was allowed by the rules. */
function ownFault({ head }: LogFile, own: readonly Chained[]): ChainFault | null {
  const { log, timeZone, startOfDay } = head;
  const records = openLog({ log, home: { timeZone, startOfDay } });
  const fromStart = own[0]?.position === 0;
  for (const link of own) {
    const { entry } = link;
    if (entry?.log !== log) return faultAt(link, 'other-log');
    const refusal = fromStart ? records.append(entry) : null;
    if (refusal) return faultAt(link, 'rule-broken', refusal);
  }
  return null;
}

/** Checks that each entry made on a device is in that device's chain, at the position of its sequence id. */
function devicesFault(log: string, own: readonly Chained[], walked: ReadonlyMap<string, Walked>): ChainFault | null {
  const inLog = new Set(own.map(link => link.content));
  const places = new Map<string, Map<string, Chained>>();
  for (const [chain, { links }] of walked) {
    if (chain !== log) places.set(chain, new Map(links.map(link => [link.content, link])));
  }
  for (const link of own) {
    const { entry } = link;
    if (!entry || !hasEvent(entry)) continue;
    const place = places.get(entry.device)?.get(link.content);
    if (!place) return faultAt(link, 'not-on-device');
    if (sequenceAt(place.position) !== entry.event.sequence) return faultAt(link, 'sequence-broken');
  }
  for (const links of places.values()) {
    for (const link of links.values()) {
      if (link.log === log && !inLog.has(link.content)) return faultAt(link, 'not-in-log');
    }
  }
  return null;
}

function rootsFault(roots: readonly Numbered<DailyRoot>[], walked: ReadonlyMap<string, Walked>): ChainFault | null {
  const wrong = roots.find(root => !isRootOf(root, walked.get(root.chain)));
  if (!wrong) return null;
  const { chain, first: position, line } = wrong;
  return { code: 'root-wrong', chain, position, line, entry: null, refusal: null };
}

function wholeFault({ head, roots, digestFits }: LogFile, kept: readonly string[]): ChainFault | null {
  const nowhere = { chain: head.log, position: null, entry: null, refusal: null };
  if (!digestFits) return { ...nowhere, code: 'file-changed', line: 1 };
  const known = new Set(roots.map(({ root }) => root));
  const isKnown = kept.every(root => known.has(root.toLowerCase()));
  return isKnown ? null : { ...nowhere, code: 'root-unknown', line: null };
}

/** A log begins with its home terminal; a complete file has a root for each day before that of its last record. */
function missingFault({ head, roots }: LogFile, own: readonly Chained[]): ChainFault | null {
  const last = own.at(-1)?.entry;
  if (!last) return { code: 'empty', chain: head.log, position: null, line: 1, entry: null, refusal: null };
  const rooted = new Set(roots.filter(({ chain }) => chain === head.log).map(({ day }) => day));
  if (own[0]?.position !== 0) return null;
  const lastDay = rootDay(epochMs(last.recordedAt));
  const bare = own.find(({ entry }) => {
    const day = entry && rootDay(epochMs(entry.recordedAt));
    return day !== undefined && day !== lastDay && !rooted.has(day);
  });
  return bare ? faultAt(bare, 'root-missing') : null;
}

function isRootOf(root: DailyRoot, chain: Walked | undefined): boolean {
  const { line: _, ...claimed } = root as Numbered<DailyRoot>;
  if (rootOf(claimed).root !== root.root) return false;
  const start = chain?.links[0]?.position ?? 0;
  const links = chain?.links.slice(root.first - start, root.first - start + root.count) ?? [];
  if (!chain || root.first < start || links.length !== root.count) return false;
  const before = root.first === start ? chain.previous : chain.links[root.first - start - 1]?.hash;
  const areOfDay = links.every(({ entry }) => !entry || rootDay(epochMs(entry.recordedAt)) === root.day);
  return before === root.previous && links.at(-1)?.hash === root.head && areOfDay;
}

/** The fault as a sentence: what is wrong, and in which record. */
export function describeChainFault({ code, chain, position, line, entry, refusal }: ChainFault): string {
  const where = position === null ? chain : `${chain}, record ${position}`;
  const which = entry ? ` (${entry.action} ${entry.id}, written ${new Date(entry.recordedAt).toISOString()})` : '';
  const why = refusal ? ` ${REFUSALS[refusal]}` : '';
  return `${where}${which}${line === null ? '' : `, line ${line}`}: ${CHAIN_FAULTS[code]}${why}`;
}
