import { type DailyRoot, rootDay, rootOf } from '../chain/daily-root.ts';
import { contentOf, type Link, nextLink, START } from '../chain/link.ts';
import { type ExportedLink, writeLogFile } from '../chain/log-file.ts';
import { sequenceAt } from '../event/sequence-id.ts';
import { hasEvent, type LogEntry } from '../log/entry.ts';
import { at, HOME, TERMS } from './entries.ts';

/** Chains and an exported file of entries, built in memory; the server does the same with its database. */

export interface Built {
  readonly own: ExportedLink[];
  readonly devices: ExportedLink[];
  readonly roots: DailyRoot[];
}

/** Assigns sequence ids to events and positions to entries. Entries of other logs go only into device chains. */
export function buildChains(entries: readonly LogEntry[], log = TERMS.log): Built {
  const last = new Map<string, Link>();
  const append = (chain: string, entry: LogEntry): Link => {
    const link = nextLink({ chain, log: entry.log, content: contentOf(entry) ?? '' }, last.get(chain) ?? null);
    last.set(chain, link);
    return link;
  };
  const built: Built = { own: [], devices: [], roots: [] };
  for (const one of entries) {
    const position = hasEvent(one) ? (last.get(one.device)?.position ?? -1) + 1 : 0;
    const entry = (
      hasEvent(one) ? { ...one, event: { ...one.event, sequence: sequenceAt(position) } } : one
    ) as LogEntry;
    if (hasEvent(entry)) built.devices.push(append(entry.device, entry));
    const { log: _log, content: _content, ...own } = append(entry.log, entry);
    if (entry.log === log) built.own.push({ ...own, entry });
  }
  built.roots.push(...rootsOf(built.own));
  return built;
}

function rootsOf(own: readonly ExportedLink[]): DailyRoot[] {
  const days = Map.groupBy(own, ({ entry }) => rootDay(entry?.recordedAt ?? 0));
  return [...days].map(([day, links]) => {
    const first = links[0]?.position ?? 0;
    return rootOf({
      chain: links[0]?.chain ?? '',
      day,
      first,
      count: links.length,
      previous: own.find(({ position }) => position === first - 1)?.hash ?? START,
      head: links.at(-1)?.hash ?? START,
    });
  });
}

export function fileOf({ own, devices, roots }: Built, log = TERMS.log): string {
  const head = { format: 'milepost-log/1' as const, log, ...HOME, exportedAt: at('+7 12:00') };
  return writeLogFile(head, [...own, ...devices], roots) ?? '';
}
