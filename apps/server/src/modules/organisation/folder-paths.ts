import type { AccountTransaction } from '../../db/database.ts';

/** Finds folders as spreadsheets name them: by name, or by path with ` / ` between the names, top folder first. */
export interface FolderPaths {
  path(id: number): string;
  /** Null if no folder has this name, or more than one. */
  find(nameOrPath: string): number | null;
}

const SEPARATOR = ' / ';
const STEPS = 64;

/** Reads an account's folders; `find` only finds those that `isHeld` allows. */
export async function readFolderPaths(
  trx: AccountTransaction,
  isHeld: (id: number) => boolean = () => true,
): Promise<FolderPaths> {
  const rows = await trx.selectFrom('folder').select(['id', 'parent_id', 'name']).execute();
  const byId = new Map(rows.map(row => [row.id, row]));
  const path = (id: number): string => {
    const names: string[] = [];
    for (let at = byId.get(id), steps = 0; at && steps < STEPS; at = byId.get(at.parent_id ?? 0), steps++) {
      names.unshift(at.name);
    }
    return names.join(SEPARATOR);
  };
  const plain = (text: string): string => text.trim().toLowerCase();
  const held = rows.filter(({ id }) => isHeld(id));
  const byPath = new Map(held.map(row => [plain(path(row.id)), row.id]));
  const byName = Map.groupBy(held, row => plain(row.name));
  return {
    path,
    find: nameOrPath => {
      const exact = byPath.get(plain(nameOrPath));
      const named = byName.get(plain(nameOrPath)) ?? [];
      return exact ?? (named.length === 1 ? (named[0]?.id ?? null) : null);
    },
  };
}
