import type { VehicleStatus } from '@milepost/geo';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { type GroupNode, groupTree, NO_GROUP } from '../../../organisation/groups.ts';
import { type Check, checkOfAll } from '../../../ui/tree/tree-rows.ts';
import { noCounts, type StatusCounts } from './fleet-list.ts';

export interface FolderNode {
  readonly kind: 'folder';
  /** `NO_GROUP` for the vehicles without a folder. */
  readonly id: string;
  readonly name: string;
  readonly children: readonly FleetNode[];
  /** IMEIs of all vehicles shown in the folder and its subfolders. */
  readonly members: readonly string[];
  readonly counts: StatusCounts;
}

export interface VehicleNode {
  readonly kind: 'vehicle';
  /** The IMEI. */
  readonly id: string;
  readonly name: string;
  readonly children: readonly [];
}

export type FleetNode = FolderNode | VehicleNode;

interface Folder {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
}

/** The shown vehicles by folder, in list order, without empty folders. If there are no folders, just the vehicles. */
export function fleetTree(
  entries: readonly VehicleEntry[],
  folders: readonly Folder[],
  noFolder: string,
): readonly FleetNode[] {
  const known = new Set(folders.map(({ id }) => id));
  const byFolder = Map.groupBy(entries, ({ vehicle: { folderId } }) =>
    folderId !== null && known.has(folderId) ? folderId : NO_GROUP,
  );
  const loose = byFolder.get(NO_GROUP) ?? [];
  if (loose.length === entries.length) return entries.map(vehicleNode);

  const statusOf = new Map(entries.map(({ vehicle, now }) => [vehicle.imei, now.status]));
  const imeisIn = (id: string): string[] => (byFolder.get(id) ?? []).map(({ vehicle }) => vehicle.imei);
  const folderNode = ({ id, name, children, members }: GroupNode): FolderNode => ({
    kind: 'folder',
    id,
    name,
    children: [...children.filter(isUsed).map(folderNode), ...(byFolder.get(id) ?? []).map(vehicleNode)],
    members,
    counts: countsOf(members, statusOf),
  });
  const groups = groupTree([...folders.map(folder => ({ ...folder, members: imeisIn(folder.id) }))]);
  const rest = { id: NO_GROUP, name: noFolder, parentId: null, children: [], members: imeisIn(NO_GROUP) };
  return [...groups, rest].filter(isUsed).map(folderNode);
}

const isUsed = ({ members }: GroupNode): boolean => members.length > 0;

const vehicleNode = ({ vehicle }: VehicleEntry): VehicleNode => ({
  kind: 'vehicle',
  id: vehicle.imei,
  name: vehicle.deviceName,
  children: [],
});

function countsOf(members: readonly string[], statusOf: ReadonlyMap<string, VehicleStatus>): StatusCounts {
  const counts = noCounts();
  for (const imei of members) {
    const status = statusOf.get(imei);
    if (status) counts[status]++;
  }
  return counts;
}

/** Tri-state by the selected vehicles [R3.04]. */
export const checkOfNode = (node: FleetNode, selected: ReadonlySet<string>): Check =>
  checkOfAll(membersOf(node).map(imei => (selected.has(imei) ? 'on' : 'off')));

export const membersOf = (node: FleetNode): readonly string[] => (node.kind === 'vehicle' ? [node.id] : node.members);

/** Ids of all folders, to open them all at once. */
export const folderIds = (nodes: readonly FleetNode[]): string[] =>
  nodes.flatMap(node => (node.kind === 'folder' ? [node.id, ...folderIds(node.children)] : []));
