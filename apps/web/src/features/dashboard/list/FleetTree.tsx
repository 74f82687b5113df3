import { type Ref, useCallback, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../../../base/use-media.ts';
import { usePositions } from '../../../live/view.ts';
import { setExpanded, useExpandState } from '../../../organisation/expanded.ts';
import { useOrganisation } from '../../../organisation/organisation.ts';
import { Tree, type TreeHandle } from '../../../ui/tree/Tree.tsx';
import type { TreeRow } from '../../../ui/tree/tree-rows.ts';
import { selectVehicles, setCurrentVehicle, unselectVehicles, useDashboard } from '../state/dashboard-state.ts';
import { FolderRow } from './FolderRow.tsx';
import type { FleetList } from './fleet-list.ts';
import { checkOfNode, type FleetNode, fleetTree, folderIds, membersOf } from './fleet-tree.ts';
import { VehicleRow } from './VehicleRow.tsx';

const ROW_PX = 46;
const FOLDER_PX = 34;
const PHONE_ROW_PX = 64;
const PHONE_FOLDER_PX = 48;

export interface ListHandle {
  /** Moves the focus to the next or previous vehicle, starting at the focused one, the current one or the first. */
  move(by: 1 | -1): void;
  /** The vehicle whose row has the focus. */
  focused(): string | null;
}

/**
 * The accessible equivalent of the map: the vehicles in their folders, each with its status, place and age. Checking a
 * folder selects the vehicles shown in it [R3.04].
 */
export function FleetTree({ list, ref }: { readonly list: FleetList; readonly ref: Ref<ListHandle> }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const tree = useRef<TreeHandle<FleetNode>>(null);
  const isPhone = useMedia('(max-width: 37.49em)');
  const positions = usePositions();
  const current = useDashboard(state => state.current);
  const selected = useDashboard(state => state.selected);
  const chosen = useMemo(() => new Set(selected), [selected]);
  const folders = useOrganisation(state => state.folders);
  const noFolder = t('list.noFolder');
  const roots = useMemo(() => fleetTree(list.entries, folders ?? [], noFolder), [list.entries, folders, noFolder]);
  const { expanded, onExpand } = useOpenFolders(roots, list.entries.length < list.total);

  useImperativeHandle(ref, () => ({
    move: by => tree.current?.move(by, ({ kind }) => kind === 'vehicle'),
    focused() {
      const id = tree.current?.focused() ?? null;
      return id !== null && positions.get(id) ? id : null;
    },
  }));
  const row = useCallback(
    (node: FleetNode) => (node.kind === 'folder' ? <FolderRow folder={node} /> : <VehicleRow imei={node.id} />),
    [],
  );
  return (
    <Tree
      ref={tree}
      look="list"
      label={t('list.label')}
      roots={roots}
      expanded={expanded}
      onExpand={onExpand}
      nameOf={({ name }) => name}
      spokenOf={() => null}
      current={current}
      onChoose={node =>
        node.kind === 'vehicle' ? setCurrentVehicle(node.id) : onExpand([node.id], !expanded.has(node.id))
      }
      // Vehicles are selected to fit them on the map or compare them; a phone shows one vehicle at a time.
      {...(!isPhone && {
        checks: {
          of: (node: FleetNode) => checkOfNode(node, chosen),
          set: (node: FleetNode, on: boolean) => (on ? selectVehicles : unselectVehicles)(membersOf(node)),
        },
      })}
      rowPx={isPhone ? heightOnPhone : heightOf}
      indent={indentOf}
      // Letter keys are page shortcuts; names are found by the search field.
      typing={false}
    >
      {row}
    </Tree>
  );
}

const heightOf = ({ kind }: FleetNode): number => (kind === 'folder' ? FOLDER_PX : ROW_PX);
const heightOnPhone = ({ kind }: FleetNode): number => (kind === 'folder' ? PHONE_FOLDER_PX : PHONE_ROW_PX);

/** A vehicle lines up with its folder's checkbox, which already shows what belongs together. */
const indentOf = ({ node, level }: TreeRow<FleetNode>): number =>
  node.kind === 'folder' ? level - 1 : Math.max(0, level - 2);

/** Folders are open until someone closes them, and that is remembered [R3.09]. Filter matches are always shown. */
function useOpenFolders(roots: readonly FleetNode[], isFiltered: boolean) {
  const kept = useExpandState(state => state.open);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const expanded = useMemo(() => {
    const isOpen = (id: string): boolean => (isFiltered ? !closed.has(id) : kept[id] !== false);
    return new Set(folderIds(roots).filter(isOpen));
  }, [roots, kept, closed, isFiltered]);
  const onExpand = (ids: readonly string[], open: boolean): void => {
    if (!isFiltered) setExpanded(ids, open);
    else setClosed(before => (open ? before.difference(new Set(ids)) : before.union(new Set(ids))));
  };
  return { expanded, onExpand };
}
