import { nextSegment, SEGMENT } from './segments.ts';
import type { Vault } from './vault.ts';

/**
 * What a backup holds, read from names alone. Times are epoch milliseconds.
 *
 * | name | what |
 * |---|---|
 * | `bases/END-LINE-SEGMENT` | the database's files as they were copied until END; the journal of LINE from SEGMENT on completes them |
 * | `wal/LINE/SEGMENT-TIME` | a file of the journal; with it everything that was committed until TIME is there (0: unknown) |
 * | `files/TIME` | the data folder's other files at TIME |
 * | `chunks/…` | contents, shared by all of these |
 *
 * A line is a journal without a gap; it ends where one begins: after a restore, or where the store was away too long.
 */
export interface Catalog {
  /** Oldest first. */
  readonly bases: readonly Base[];
  /** By line. */
  readonly segments: ReadonlyMap<string, readonly Segment[]>;
  /** Oldest first. */
  readonly files: readonly { readonly name: string; readonly atMs: number }[];
  readonly bytes: number;
}
export interface Base {
  readonly name: string;
  readonly endMs: number;
  readonly line: string;
  readonly segment: string;
}
export interface Segment {
  readonly name: string;
  readonly segment: string;
  readonly throughMs: number;
}
/** A stretch of time to which the database can be restored, both ends included. */
export interface Window {
  readonly base: Base;
  readonly fromMs: number;
  readonly toMs: number;
}

const BASE = /^bases\/(\d{13})-([0-9a-f]{16})-([0-9A-F]{24})$/;
const WAL = /^wal\/([0-9a-f]{16})\/([0-9A-F]{24})-(\d+)$/;
const FILES = /^files\/(\d{13})$/;

export const baseName = (endMs: number, line: string, segment: string): string => `bases/${endMs}-${line}-${segment}`;
export const segmentName = (line: string, segment: string, throughMs: number): string =>
  `wal/${line}/${segment}-${throughMs}`;
export const filesName = (atMs: number): string => `files/${atMs}`;

export async function readCatalog(vault: Pick<Vault, 'list'>): Promise<Catalog> {
  const bases: Base[] = [];
  const segments = new Map<string, Segment[]>();
  const files: { name: string; atMs: number }[] = [];
  let bytes = 0;
  for await (const { name, bytes: size } of vault.list('')) {
    bytes += size;
    const [, endMs, line, segment] = BASE.exec(name) ?? [];
    if (endMs && line && segment) bases.push({ name, endMs: Number(endMs), line, segment });
    const [, ofLine, journal, throughMs] = WAL.exec(name) ?? [];
    if (ofLine && journal && SEGMENT.test(journal)) {
      const list = segments.get(ofLine) ?? [];
      segments.set(ofLine, list);
      list.push({ name, segment: journal, throughMs: Number(throughMs) });
    }
    const [, atMs] = FILES.exec(name) ?? [];
    if (atMs) files.push({ name, atMs: Number(atMs) });
  }
  for (const list of segments.values()) list.sort((a, b) => (a.segment < b.segment ? -1 : 1));
  return {
    bases: bases.sort((a, b) => a.endMs - b.endMs),
    segments,
    files: files.sort((a, b) => a.atMs - b.atMs),
    bytes,
  };
}

/** The journal from a base on, up to the first gap. */
export function chainOf({ segments }: Catalog, { line, segment }: Base): Segment[] {
  const chain: Segment[] = [];
  let wanted = segment;
  for (const each of segments.get(line) ?? []) {
    if (each.segment < wanted) continue;
    if (each.segment !== wanted) break;
    chain.push(each);
    wanted = nextSegment(wanted);
  }
  return chain;
}

/** What each base reaches, oldest first; a base whose journal ends before it is complete reaches nothing. */
export function windowsOf(catalog: Catalog): Window[] {
  return catalog.bases.flatMap(base => {
    const toMs = Math.max(0, ...chainOf(catalog, base).map(({ throughMs }) => throughMs));
    return toMs >= base.endMs ? [{ base, fromMs: base.endMs, toMs }] : [];
  });
}

/** The same, where windows that overlap are one: what people are shown. */
export function spansOf(windows: readonly Window[]): { fromMs: number; toMs: number }[] {
  const spans: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of windows.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = spans.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else spans.push({ fromMs, toMs });
  }
  return spans;
}
