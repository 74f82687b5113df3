import { type Driver, deleteDriver } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { DeleteNamedDialog } from '../../../forms/DeleteNamedDialog.tsx';

interface Props {
  readonly person: Driver;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Archiving keeps the history. Deleting removes the documents, too, so the user must type the name. */
export function DeletePersonDialog({ person, onClose, onDeleted }: Props) {
  const { t } = useTranslation('personal');
  const { id, name } = person;
  return (
    <DeleteNamedDialog
      thing={['driver', id]}
      name={name}
      texts={{
        title: t('delete.title', { name }),
        text: t('delete.text'),
        word: t('delete.word', { name }),
        action: t('delete.action'),
        done: t('delete.done', { name }),
      }}
      remove={() => call(deleteDriver, { params: { id } })}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
