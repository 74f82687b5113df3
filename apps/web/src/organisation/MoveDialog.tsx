import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChoiceDialog } from './ChoiceDialog.tsx';
import { findNode, type GroupNode, NO_GROUP } from './groups.ts';
import type { GroupKind } from './organisation.ts';
import { groupOptions } from './use-group-list.ts';
import { useMoveMembers } from './use-move-members.ts';

interface Props {
  readonly kind: GroupKind;
  readonly nodes: readonly GroupNode[];
  readonly ids: readonly string[];
  /** The members' current group, if it is the same for all. */
  readonly from: string | null;
  readonly nameOf: (id: string) => string;
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

/** Moves members into a folder or department, as an alternative to dragging. */
export function MoveDialog({ kind, nodes, ids, from, nameOf, onClose, onMoved }: Props) {
  const { t } = useTranslation('organisation');
  const [target, setTarget] = useState(from ?? NO_GROUP);
  const move = useMoveMembers(kind, nameOf);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => move(ids, { id: target, name: findNode(nodes, target)?.name ?? t(`${kind}.none`) }),
    onSuccess: onMoved,
  });
  return (
    <ChoiceDialog
      title={t(`${kind}.moveTitle`, { count: ids.length, name: nameOf(ids[0] ?? '') })}
      label={t(`${kind}.moveTo`)}
      options={[...groupOptions(nodes), { value: NO_GROUP, label: t(`${kind}.none`) }]}
      chosen={target}
      onChoose={setTarget}
      action={t(`${kind}.moveAction`)}
      busy={isPending}
      error={error}
      onSave={mutate}
      onClose={onClose}
    />
  );
}
