import { cancelExport, type DataExport, deleteExport, readExportFile, startExport } from '@milepost/contract';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { download } from '../../../base/download.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatBytes } from '../../../format/bytes.ts';
import { formatCount } from '../../../format/locale.ts';
import { formatMoment } from '../../../format/time.ts';
import { useNow } from '../../../live/view.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import styles from '../../../ui/JobRow.module.css';
import { Notice } from '../../../ui/Notice.tsx';
import { Card } from '../SectionFrame.tsx';
import { TransferRow } from './TransferRow.tsx';
import { EXPORTS, isOpen, useExports } from './transfers.ts';

/** Exports of the account's data: files that the server writes and keeps for a while. */
export function Exports() {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const [positions, setPositions] = useState(true);
  const { data, error: unread, refetch } = useExports();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(startExport, { body: { positions } }),
    onSettled: () => queries.invalidateQueries({ queryKey: EXPORTS }),
  });
  const isBusy = isPending || (data?.some(isOpen) ?? false);
  return (
    <Card title={t('data.export')} text={t('data.exportText')}>
      <Checkbox checked={positions} onChange={event => setPositions(event.currentTarget.checked)}>
        {t('data.withPositions')}
      </Checkbox>
      {error && <Notice tone="critical">{describeError(error).message}</Notice>}
      <div>
        <Button busy={isBusy} onClick={() => mutate()}>
          {t('data.exportAction')}
        </Button>
      </div>
      {!data && unread && <ReadState error={unread} onRetry={() => void refetch()} />}
      {data && data.length > 0 && (
        <ul className={styles.list} aria-label={t('data.exports')}>
          {data.map(one => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ one }: { readonly one: DataExport }) {
  const { t } = useTranslation('settings');
  const now = useNow();
  const queries = useQueryClient();
  const how = {
    onError: (error: Error) => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: EXPORTS }),
  };
  const { id, createdAt, done, file, positions, total } = one;
  const params = { id };
  const cancel = useMutation({ mutationFn: () => call(cancelExport, { params }), ...how });
  const remove = useMutation({ mutationFn: () => call(deleteExport, { params }), ...how });
  const save = useMutation({
    mutationFn: async (name: string) => download(await call(readExportFile, { params }), name),
    ...how,
  });
  const time = formatMoment(Date.parse(createdAt), now);
  const rows = Object.values(file?.rows ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <TransferRow
      transfer={one}
      progress={positions ? t('data.vehicles', { count: total, n: formatCount(total), done: formatCount(done) }) : ''}
      actions={
        <>
          {isOpen(one) && !one.isStopping && (
            <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
              {t('data.cancel')}
            </Button>
          )}
          {file && (
            <Button
              busy={save.isPending}
              onClick={() => save.mutate(file.name)}
              icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
            >
              {t('data.download')}
            </Button>
          )}
          {!isOpen(one) && (
            <IconButton
              label={t('data.delete', { time })}
              tooltip="bottom-end"
              bordered
              aria-busy={remove.isPending || undefined}
              onClick={() => remove.mutate()}
            >
              <IconTrash size={16} stroke={1.75} aria-hidden />
            </IconButton>
          )}
        </>
      }
    >
      {file && (
        <>
          <small>
            {formatBytes(file.bytes)} · {t('data.rows', { count: rows, n: formatCount(rows) })} ·{' '}
            {t(positions ? 'data.allIncluded' : 'data.noPositions')}
          </small>
          <small>{t('data.until', { time: formatMoment(Date.parse(file.expiresAt), now) })}</small>
        </>
      )}
    </TransferRow>
  );
}
