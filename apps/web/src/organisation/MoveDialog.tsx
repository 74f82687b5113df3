import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../app/describe-error.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { SelectField } from '../ui/SelectField.tsx';
import styles from './GroupDialog.module.css';
import { groupOptions } from './group-options.ts';
import { findNode, type GroupNode, NO_GROUP } from './groups.ts';
import type { GroupKind } from './organisation.ts';
import { useMoveMembers } from './use-move-members.ts';

interface Props {
  readonly kind: GroupKind;
  readonly nodes: readonly GroupNode[];
  readonly ids: readonly string[];
  /** Where it is now, where there is only one. */
  readonly from: string | null;
  readonly nameOf: (id: string) => string;
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

/** The twin of dragging: moves members into a folder or department by a list. */
export function MoveDialog({ kind, nodes, ids, from, nameOf, onClose, onMoved }: Props) {
  const { t } = useTranslation(['organisation', 'forms']);
  const [target, setTarget] = useState(from ?? NO_GROUP);
  const move = useMoveMembers(kind, nameOf);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => move(ids, { id: target, name: findNode(nodes, target)?.name ?? t(`${kind}.none`) }),
    onSuccess: onMoved,
  });
  const title = t(`${kind}.moveTitle`, { count: ids.length, name: nameOf(ids[0] ?? '') });
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('forms:close')}>
      <form
        className={styles.form}
        onSubmit={event => {
          event.preventDefault();
          if (!isPending) mutate();
        }}
      >
        <SelectField
          label={t(`${kind}.moveTo`)}
          value={target}
          onChange={event => setTarget(event.currentTarget.value)}
          options={[...groupOptions(nodes), { value: NO_GROUP, label: t(`${kind}.none`) }]}
          data-autofocus
        />
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            {t(`${kind}.moveAction`)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
