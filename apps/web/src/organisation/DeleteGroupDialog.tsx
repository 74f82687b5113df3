import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { toast } from '../base/toasts/toast.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './GroupDialog.module.css';
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
  const { t } = useTranslation(['organisation', 'forms']);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteGroup(kind, group.id),
    onSuccess: () => {
      toast(t(`${kind}.deleted`, { name: group.name }));
      onDeleted();
    },
  });
  // Subfolders move up one level and keep their members, so only direct members are released.
  const inside = new Set(group.children.flatMap(child => child.members));
  const released = group.members.filter(id => !inside.has(id)).length;
  return (
    <Dialog open onClose={onClose} title={t(`${kind}.deleteTitle`, { name: group.name })} closeLabel={t('forms:close')}>
      <div className={styles.text}>
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        <p>{t(`${kind}.deleteMembers`, { count: released })}</p>
        {group.children.length > 0 && <p>{t(`${kind}.deleteInside`, { count: group.children.length })}</p>}
      </div>
      <div className={styles.actions}>
        <Button onClick={onClose} data-autofocus>
          {t('forms:cancel')}
        </Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate()}>
          {t(`${kind}.deleteAction`)}
        </Button>
      </div>
    </Dialog>
  );
}
