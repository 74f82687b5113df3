import { useTranslation } from 'react-i18next';
import { toast } from '../base/toasts/toast.ts';
import { Question } from '../forms/Question.tsx';
import type { GroupNode } from './groups.ts';
import type { GroupKind } from './organisation.ts';
import { deleteGroup } from './writes.ts';

interface Props {
  readonly kind: GroupKind;
  readonly group: GroupNode;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Says what happens to the contents before the user deletes a folder or department. */
export function DeleteGroupDialog({ kind, group, onClose, onDeleted }: Props) {
  const { t } = useTranslation('organisation');
  const { id, name, children, members } = group;
  // Subfolders move up one level and keep their members, so only direct members are released.
  const inside = new Set(children.flatMap(child => child.members));
  const released = members.filter(member => !inside.has(member)).length;
  return (
    <Question
      title={t(`${kind}.deleteTitle`, { name })}
      action={t(`${kind}.deleteAction`)}
      act={() => deleteGroup(kind, id)}
      onDone={() => {
        toast(t(`${kind}.deleted`, { name }));
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>{t(`${kind}.deleteMembers`, { count: released })}</p>
      {children.length > 0 && <p>{t(`${kind}.deleteInside`, { count: children.length })}</p>}
    </Question>
  );
}
