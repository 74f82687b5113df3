import type { DocumentRecord } from '@milepost/contract';
import { IconDots, IconDownload, IconFileText, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../base/chunks/lazy-part.tsx';
import { describeError } from '../base/describe-error.ts';
import { download } from '../base/download.ts';
import { RetryButton } from '../base/RetryButton.tsx';
import { toast } from '../base/toasts/toast.ts';
import { formatBytes } from '../format/bytes.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { DeleteDocumentDialog } from './DeleteDocumentDialog.tsx';
import styles from './Documents.module.css';
import { ExpiryChip } from './ExpiryChip.tsx';
import { documentsKey, type Owner, readDocuments, readFile } from './owner.ts';

const DocumentDialog = lazyPart(async () => (await import('./DocumentDialog.tsx')).DocumentDialog);

interface Props {
  readonly owner: Owner;
  readonly mayEdit: boolean;
  /** Called after a document was added, changed or deleted, because lists that show documents are outdated then. */
  readonly onChanged: () => void;
}

type Opened = { readonly dialog: 'edit' | 'delete'; readonly document: DocumentRecord } | { readonly dialog: 'new' };

/** The documents of a vehicle or driver with files and end dates. The next to expire is first. */
export function Documents({ owner, mayEdit, onChanged }: Props) {
  const { t } = useTranslation('documents');
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState<Opened | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: documentsKey(owner), queryFn: () => readDocuments(owner) });
  const close = () => setOpened(null);
  const changed = (): void => {
    close();
    void queryClient.invalidateQueries({ queryKey: documentsKey(owner) });
    onChanged();
  };

  return (
    <div className={styles.documents}>
      {error && !data && (
        <div className={styles.empty} role="alert">
          <p>{describeError(error).message}</p>
          <RetryButton error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data?.length === 0 && <p className={styles.empty}>{t(mayEdit ? 'empty' : 'emptyReadOnly')}</p>}
      {data && data.length > 0 && (
        <ul className={styles.list}>
          {data.map(document => (
            <DocumentItem key={document.id} owner={owner} document={document} mayEdit={mayEdit} onOpen={setOpened} />
          ))}
        </ul>
      )}
      {mayEdit && data && (
        <Button
          className={styles.add}
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => setOpened({ dialog: 'new' })}
        >
          {t('add')}
        </Button>
      )}
      {opened?.dialog === 'new' && <DocumentDialog owner={owner} document={null} onClose={close} onSaved={changed} />}
      {opened?.dialog === 'edit' && (
        <DocumentDialog owner={owner} document={opened.document} onClose={close} onSaved={changed} />
      )}
      {opened?.dialog === 'delete' && (
        <DeleteDocumentDialog owner={owner} document={opened.document} onClose={close} onDeleted={changed} />
      )}
    </div>
  );
}

function DocumentItem({
  owner,
  document,
  mayEdit,
  onOpen,
}: {
  readonly owner: Owner;
  readonly document: DocumentRecord;
  readonly mayEdit: boolean;
  readonly onOpen: (opened: Opened) => void;
}) {
  const { t } = useTranslation('documents');
  const { id, kind, title, expiresOn, notes, fileName, bytes } = document;
  const save = (): void => {
    readFile(owner, id).then(
      file => download(file, fileName),
      (cause: unknown) => toast(describeError(cause).message, 'error'),
    );
  };
  return (
    <li className={styles.document}>
      <IconFileText className={styles.icon} size={18} stroke={1.75} aria-hidden />
      <div className={styles.words}>
        <b>{title}</b>
        <p>
          {t(`kind.${kind}`)} · {fileName}, {formatBytes(bytes)}
        </p>
        {expiresOn && (
          <p>
            {t('validUntil')} <ExpiryChip expiresOn={expiresOn} exact />
          </p>
        )}
        {notes && <p>{notes}</p>}
      </div>
      <IconButton label={t('download', { title })} tooltip="left" onClick={save}>
        <IconDownload size={18} stroke={1.75} aria-hidden />
      </IconButton>
      {mayEdit && (
        <Menu
          trigger={trigger => (
            <IconButton {...trigger} label={t('actions', { title })} tooltip="none">
              <IconDots size={18} stroke={1.75} aria-hidden />
            </IconButton>
          )}
        >
          <MenuItem onClick={() => onOpen({ dialog: 'edit', document })}>{t('edit')}</MenuItem>
          <MenuItem onClick={() => onOpen({ dialog: 'delete', document })}>{t('delete')}</MenuItem>
        </Menu>
      )}
    </li>
  );
}
