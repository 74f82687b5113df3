import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { toast } from '../base/toasts/toast.ts';
import type { TreeDrag } from '../ui/tree/use-drop-target.ts';
import { aimAt, endDrag, startDrag, useDrag } from './drag.ts';
import { ALL_GROUPS, findNode, type GroupNode, isGroup, mayContain, NO_GROUP } from './groups.ts';
import type { GroupKind } from './organisation.ts';
import { useMoveMembers } from './use-move-members.ts';
import { changeGroup } from './writes.ts';

interface Options {
  readonly kind: GroupKind;
  readonly nodes: readonly GroupNode[];
  readonly mayEdit: boolean;
  readonly mayAssign: boolean;
  readonly nameOf: (id: string) => string;
}

/** Dragging members into a group or out of theirs, and groups into another or to the top. "Move to" does the same. */
export function useGroupDrag({ kind, nodes, mayEdit, mayAssign, nameOf }: Options): TreeDrag<GroupNode> {
  const { t } = useTranslation('organisation');
  const move = useMoveMembers(kind, nameOf);

  function accepts(node: GroupNode): boolean {
    const { dragged } = useDrag.getState();
    if (dragged?.kind !== kind) return false;
    if (dragged.what === 'members') return mayAssign && node.id !== ALL_GROUPS;
    const group = findNode(nodes, dragged.ids[0] ?? '');
    if (!mayEdit || !group || node.id === NO_GROUP) return false;
    const parentId = node.id === ALL_GROUPS ? null : node.id;
    return parentId !== group.parentId && mayContain(group, node.id);
  }

  function drop(node: GroupNode): void {
    const { dragged } = useDrag.getState();
    endDrag();
    const [id] = dragged?.ids ?? [];
    if (!dragged || id === undefined) return;
    if (dragged.what === 'members') {
      move(dragged.ids, { id: node.id, name: node.name }).catch(fail);
      return;
    }
    changeGroup(kind, id, { parentId: node.id === ALL_GROUPS ? null : node.id }).then(
      ({ name }) => toast(t(`${kind}.changed`, { name })),
      fail,
    );
  }

  return {
    start(node, event) {
      if (!mayEdit || !isGroup(node)) return false;
      startDrag(event.dataTransfer, { kind, what: 'group', ids: [node.id], name: node.name });
      return true;
    },
    accepts,
    over: node => aimAt(node?.name ?? null),
    drop,
  };
}

const fail = (cause: unknown): void => toast(describeError(cause).message, 'error');
