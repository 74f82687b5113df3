import type { DocumentRecord } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { toast } from '../base/toasts/toast.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './Documents.module.css';
import { type Owner, removeDocument } from './owner.ts';

interface Props {
  readonly owner: Owner;
  readonly document: DocumentRecord;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteDocumentDialog({ owner, document, onClose, onDeleted }: Props) {
  const { t } = useTranslation(['documents', 'forms']);
  const { title } = document;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeDocument(owner, document.id),
    onSuccess: () => {
      toast(t('deleted', { title }));
      onDeleted();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('deleteTitle', { title })} closeLabel={t('forms:close')}>
      <div className={styles.form}>
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        <p>{t('deleteText', { file: document.fileName })}</p>
        <div className={styles.actions}>
          <Button onClick={onClose} data-autofocus>
            {t('forms:cancel')}
          </Button>
          <Button variant="danger" busy={isPending} onClick={() => mutate()}>
            {t('deleteAction')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
