import type { Rule, Vehicle } from '@milepost/contract';

export type Folders = readonly { readonly id: string; readonly parentId: string | null }[];

/** Whether a rule is for a vehicle: for all of them, for it, or for a folder that it is in. */
export function isForVehicle(
  { vehicles }: Pick<Rule, 'vehicles'>,
  { id, folderId }: Pick<Vehicle, 'id' | 'folderId'>,
  folders: Folders,
): boolean {
  if (vehicles === null || vehicles.deviceIds.includes(id)) return true;
  const parents = new Map(folders.map(folder => [folder.id, folder.parentId]));
  // Folders that are in each other would go on forever.
  const seen = new Set<string>();
  for (let at = folderId; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    if (vehicles.folderIds.includes(at)) return true;
    seen.add(at);
  }
  return false;
}
