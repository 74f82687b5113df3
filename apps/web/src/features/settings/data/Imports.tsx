import { cancelImport, type DataImport, startImport } from '@milepost/contract';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { problemWords } from '../../../base/problem-words.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatBytes } from '../../../format/bytes.ts';
import { formatCount } from '../../../format/locale.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import styles from '../../../ui/JobRow.module.css';
import { Notice } from '../../../ui/Notice.tsx';
import { Card } from '../SectionFrame.tsx';
import { TransferRow } from './TransferRow.tsx';
import { IMPORTS, isOpen, useImports } from './transfers.ts';

/** Imports another account's export: once it is uploaded, the server checks and imports it without the page. */
export function Imports() {
  const { t } = useTranslation('settings');
  const input = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const { data, error: unread, refetch } = useImports();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (file: File) => call(startImport, { body: file }),
    onSettled: () => queries.invalidateQueries({ queryKey: IMPORTS }),
  });
  const isBusy = isPending || (data?.some(isOpen) ?? false);
  return (
    <Card title={t('data.import')} text={t('data.importText')}>
      {error && <Notice tone="critical">{describeError(error).message}</Notice>}
      <div>
        <input
          ref={input}
          type="file"
          accept=".ndjson,application/x-ndjson"
          hidden
          onChange={event => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = '';
            if (file) mutate(file);
          }}
        />
        <Button
          busy={isBusy}
          onClick={() => input.current?.click()}
          icon={<IconUpload size={16} stroke={1.75} aria-hidden />}
        >
          {isPending ? t('data.uploading') : t('data.importAction')}
        </Button>
      </div>
      {isPending && <UploadNote />}
      {!data && unread && <ReadState error={unread} onRetry={() => void refetch()} />}
      {data && data.length > 0 && (
        <ul className={styles.list} aria-label={t('data.imports')}>
          {data.map(one => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Closing the page ends an upload, so the browser asks first. */
function UploadNote() {
  const { t } = useTranslation('settings');
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, []);
  return <p role="status">{t('data.uploadingText')}</p>;
}

function Row({ one }: { readonly one: DataImport }) {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(cancelImport, { params: { id: one.id } }),
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: IMPORTS }),
  });
  const { done, phase, problem, rows, total } = one;
  const count = Object.values(rows ?? {}).reduce((sum, each) => sum + each, 0);
  return (
    <TransferRow
      transfer={one}
      progress={
        phase === 'check'
          ? t('data.checked', { done: formatBytes(done), n: formatBytes(total) })
          : t('data.rowsDone', { count: total, n: formatCount(total), done: formatCount(done) })
      }
      actions={
        isOpen(one) &&
        !one.isStopping && (
          <Button busy={isPending} onClick={() => mutate()}>
            {t('data.cancel')}
          </Button>
        )
      }
    >
      {problem?.errors?.map(wrong => (
        <small key={wrong.code}>{problemWords(wrong, wrong.message)}</small>
      ))}
      {rows && <small>{t('data.imported', { count, n: formatCount(count) })}</small>}
      {!rows && !isOpen(one) && problem?.code !== 'import-broken' && <small>{t('data.nothingImported')}</small>}
    </TransferRow>
  );
}
