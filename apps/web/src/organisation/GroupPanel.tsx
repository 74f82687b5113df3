import {
  IconChevronDown,
  IconChevronUp,
  IconFolder,
  IconFolderOff,
  IconFolderPlus,
  IconPlus,
  IconStack2,
  IconUserOff,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../base/chunks/lazy-part.tsx';
import { describeError } from '../base/describe-error.ts';
import { RetryButton } from '../base/RetryButton.tsx';
import { useMedia } from '../base/use-media.ts';
import { formatCount } from '../format/locale.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Tree } from '../ui/tree/Tree.tsx';
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx';
import { DragGhost } from './DragGhost.tsx';
import { EXPANDED_PREFIX, setExpanded } from './expanded.ts';
import { GroupMenu, type OpenedGroupDialog } from './GroupMenu.tsx';
import styles from './GroupPanel.module.css';
import {
  ALL_GROUPS,
  allNodes,
  checkOfGroup,
  findNode,
  type GroupNode,
  isGroup,
  NO_GROUP,
  withMembers,
} from './groups.ts';
import { type GroupKind, refreshGroups } from './organisation.ts';
import { useGroupDrag } from './use-group-drag.ts';
import { type Groups, useExpanded } from './use-groups.ts';

const GroupDialog = lazyPart(async () => (await import('./GroupDialog.tsx')).GroupDialog);

const ICONS = {
  folder: { all: IconStack2, group: IconFolder, none: IconFolderOff, add: IconFolderPlus },
  department: { all: IconUsersGroup, group: IconUsers, none: IconUserOff, add: IconPlus },
} as const;

interface Props {
  readonly kind: GroupKind;
  readonly groups: Groups;
  /** `ALL_GROUPS`, `NO_GROUP` or the ID of a group. */
  readonly current: string;
  readonly onChoose: (id: string) => void;
  readonly mayEdit: boolean;
  readonly mayAssign: boolean;
  /** Adds a checkbox to every group that selects all its members [R3.04]. */
  readonly choice?: {
    readonly chosen: ReadonlySet<string>;
    readonly set: (chosen: ReadonlySet<string>) => void;
  };
  /** Returns a member's name. */
  readonly nameOf: (id: string) => string;
  /** Shown below the tree. */
  readonly children?: ReactNode;
}

/** Shows folders of vehicles or departments of drivers. The user can open and arrange them and drop members on them. */
export function GroupPanel({ kind, groups, current, onChoose, mayEdit, mayAssign, choice, nameOf, children }: Props) {
  const { t } = useTranslation('organisation');
  const [opened, setOpened] = useState<OpenedGroupDialog | null>(null);
  const expanded = useExpanded(kind, ALL_GROUPS);
  const { nodes, loose, error } = groups;
  const drag = useGroupDrag({ kind, nodes: nodes ?? [], mayEdit, mayAssign, nameOf });
  const close = () => setOpened(null);
  // On a narrow screen, the tree opens below its heading and closes when a group is chosen.
  const isNarrow = useMedia('(max-width: 63.99em)');
  const [unfolded, setUnfolded] = useState(false);
  const showsTree = !isNarrow || unfolded;
  const treeId = useId();
  const icons = ICONS[kind];

  const roots = useMemo((): readonly GroupNode[] => {
    if (!nodes) return [];
    const members = [...nodes.flatMap(node => node.members), ...loose];
    return [
      { id: ALL_GROUPS, name: t(`${kind}.all`), parentId: null, children: nodes, members },
      { id: NO_GROUP, name: t(`${kind}.none`), parentId: null, children: [], members: loose },
    ];
  }, [nodes, loose, kind, t]);

  const checks = choice && {
    of: (node: GroupNode) => checkOfGroup(node, choice.chosen),
    set: (node: GroupNode, on: boolean) => choice.set(withMembers(choice.chosen, node.members, on)),
  };

  function onKey(group: GroupNode, { key }: KeyboardEvent): boolean {
    const dialog = { F2: 'edit' as const, Delete: 'delete' as const }[key];
    if (!dialog || !mayEdit || !isGroup(group)) return false;
    setOpened({ dialog, group });
    return true;
  }

  const AddIcon = icons.add;
  const Chevron = unfolded ? IconChevronUp : IconChevronDown;
  const shown = [...allNodes(roots)].find(({ id }) => id === current);
  return (
    <section className={styles.panel} aria-label={t(`${kind}.tree`)}>
      <header className={styles.head}>
        {isNarrow ? (
          <button
            type="button"
            className={styles.fold}
            aria-expanded={unfolded}
            aria-controls={treeId}
            onClick={() => setUnfolded(!unfolded)}
          >
            <b>{t(`${kind}.tree`)}</b>
            <span className={styles.name}>{shown?.name}</span>
            <Chevron size={17} stroke={1.75} aria-hidden />
          </button>
        ) : (
          <h2>{t(`${kind}.tree`)}</h2>
        )}
        {mayEdit && (
          <IconButton
            bordered
            label={t(`${kind}.add`)}
            tooltip="bottom-end"
            onClick={() => setOpened({ dialog: 'new', parentId: findNode(nodes ?? [], current)?.id ?? null })}
          >
            <AddIcon size={18} stroke={1.75} aria-hidden />
          </IconButton>
        )}
      </header>
      {nodes === null && error !== null && (
        <div className={styles.failed} role="alert">
          <b>{t(`${kind}.failed`)}</b>
          <p>{describeError(error).message}</p>
          <RetryButton error={error} onRetry={() => void refreshGroups(kind)} />
        </div>
      )}
      {nodes !== null && showsTree && (
        <div className={styles.tree} id={treeId}>
          <Tree
            label={t(`${kind}.tree`)}
            roots={roots}
            expanded={expanded}
            onExpand={(ids, open) =>
              setExpanded(
                ids.map(id => EXPANDED_PREFIX[kind] + id),
                open,
              )
            }
            nameOf={node => node.name}
            spokenOf={node => t(`${kind}.members`, { name: node.name, count: node.members.length })}
            current={current}
            onChoose={node => {
              setUnfolded(false);
              onChoose(node.id);
            }}
            {...(checks && { checks })}
            {...((mayEdit || mayAssign) && { drag })}
            onKey={onKey}
          >
            {node => {
              const Icon = isGroup(node) ? icons.group : node.id === ALL_GROUPS ? icons.all : icons.none;
              return (
                <>
                  <Icon className={styles.icon} size={17} stroke={1.75} aria-hidden />
                  <span className={styles.name}>{node.name}</span>{' '}
                  {mayEdit && isGroup(node) && node.id === current && (
                    <GroupMenu kind={kind} group={node} onOpen={setOpened} />
                  )}
                  <span className={styles.count}>{formatCount(node.members.length)}</span>
                </>
              );
            }}
          </Tree>
        </div>
      )}
      {showsTree && children}
      {showsTree && <p className={styles.hint}>{t(mayAssign ? `${kind}.hint` : `${kind}.hintReadOnly`)}</p>}
      <DragGhost />
      {opened?.dialog === 'new' && (
        <GroupDialog kind={kind} nodes={nodes ?? []} group={null} parentId={opened.parentId} onClose={close} />
      )}
      {opened?.dialog === 'edit' && (
        <GroupDialog kind={kind} nodes={nodes ?? []} group={opened.group} onClose={close} />
      )}
      {opened?.dialog === 'delete' && (
        <DeleteGroupDialog
          kind={kind}
          group={opened.group}
          onClose={close}
          onDeleted={() => {
            close();
            if (current === opened.group.id) onChoose(ALL_GROUPS);
          }}
        />
      )}
    </section>
  );
}
