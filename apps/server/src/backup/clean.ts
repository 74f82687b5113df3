import { readBase } from './base.ts';
import { type Base, type Catalog, readCatalog } from './catalog.ts';
import { readFiles } from './files.ts';
import { chunkName, type Vault } from './vault.ts';

/**
 * Removes what no moment since `keepFromMs` needs. What points at others goes first, so a cleaning that is killed
 * leaves objects that nothing needs, never one that needs what is gone.
 */
export async function cleanBackup(vault: Vault, keepFromMs: number, signal?: AbortSignal): Promise<number> {
  const catalog = await readCatalog(vault);
  const bases = keptSince(catalog.bases, keepFromMs, ({ endMs }) => endMs);
  const files = keptSince(catalog.files, keepFromMs, ({ atMs }) => atMs);
  const segments = segmentsNotNeeded(catalog, bases);
  // Read before anything goes: a manifest that can't be read must not cost the chunks that it names.
  const needed = new Set<string>();
  for (const { name } of bases) for (const id of (await readBase(vault, name)).chunks) needed.add(chunkName(id));
  for (const { name } of files) for (const id of (await readFiles(vault, name)).chunks) needed.add(chunkName(id));

  const goes = [
    ...catalog.bases.filter(base => !bases.includes(base)).map(({ name }) => name),
    ...catalog.files.filter(each => !files.includes(each)).map(({ name }) => name),
    ...segments,
  ];
  for (const name of goes) await vault.remove(name);
  let removed = goes.length;
  for await (const { name } of vault.list('chunks/')) {
    signal?.throwIfAborted();
    if (needed.has(name)) continue;
    await vault.remove(name);
    removed++;
  }
  return removed;
}

/** Everything since then, and the last one before: the window begins with it. */
function keptSince<T>(oldestFirst: readonly T[], sinceMs: number, timeOf: (one: T) => number): readonly T[] {
  const firstSince = oldestFirst.findIndex(one => timeOf(one) > sinceMs);
  return oldestFirst.slice(Math.max(0, (firstSince < 0 ? oldestFirst.length : firstSince) - 1));
}

/** The journal before the first base that is kept of its line; all of it if there is none, but for the newest line. */
function segmentsNotNeeded({ segments, bases: all }: Catalog, bases: readonly Base[]): string[] {
  // A line that begins has its first base at the end of that copy.
  const beginning = [...segments].filter(([line]) => !all.some(base => base.line === line)).map(([line]) => line);
  return [...segments].flatMap(([line, list]) => {
    const first = bases.find(base => base.line === line);
    if (!first && beginning.includes(line)) return [];
    return list.filter(({ segment }) => !first || segment < first.segment).map(({ name }) => name);
  });
}
