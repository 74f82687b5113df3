import type { DocumentRecord } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { toast } from '../base/toasts/toast.ts';
import { Question } from '../forms/Question.tsx';
import { type Owner, removeDocument } from './owner.ts';

interface Props {
  readonly owner: Owner;
  readonly document: DocumentRecord;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteDocumentDialog({ owner, document, onClose, onDeleted }: Props) {
  const { t } = useTranslation('documents');
  const { title } = document;
  return (
    <Question
      title={t('deleteTitle', { title })}
      action={t('deleteAction')}
      act={() => removeDocument(owner, document.id)}
      onDone={() => {
        toast(t('deleted', { title }));
        onDeleted();
      }}
      onClose={onClose}
    >
      <p>{t('deleteText', { file: document.fileName })}</p>
    </Question>
  );
}
