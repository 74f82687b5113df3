import { type Driver, deleteDriver } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { RemoveDialog } from '../../../ui/RemoveDialog.tsx';

interface Props {
  readonly person: Driver;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Archiving keeps the history. Deleting removes the documents, too, so the user must type the name. */
export function DeletePersonDialog({ person, onClose, onDeleted }: Props) {
  const { t } = useTranslation(['personal', 'forms']);
  const { name } = person;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(deleteDriver, { params: { id: person.id } }),
    onSuccess: () => {
      toast(t('delete.done', { name }));
      onDeleted();
      void changedHere(['driver', person.id]);
    },
  });
  return (
    <RemoveDialog
      open
      onClose={onClose}
      onConfirm={() => mutate()}
      title={t('delete.title', { name })}
      word={name}
      wordLabel={t('delete.word', { name })}
      confirmLabel={t('delete.action')}
      cancelLabel={t('forms:cancel')}
      closeLabel={t('forms:close')}
      busy={isPending}
      error={error ? describeError(error).message : undefined}
    >
      <p>{t('delete.text')}</p>
    </RemoveDialog>
  );
}
