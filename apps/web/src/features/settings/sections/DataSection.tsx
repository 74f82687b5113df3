import { exportData, importData, may } from '@milepost/contract';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { download } from '../../../base/download.ts';
import { useSession } from '../../../base/session/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Card, SectionFrame } from '../SectionFrame.tsx';
import styles from './DataSection.module.css';

/** Export of all data, and import elsewhere. */
export function DataSection() {
  const { t } = useTranslation('settings');
  const mayImport = useSession(({ me }) => me !== null && may(me, 'data.write'));
  return (
    <SectionFrame title={t('sections.data')}>
      <Export />
      {mayImport && <Import />}
    </SectionFrame>
  );
}

function Export() {
  const { t } = useTranslation('settings');
  const [positions, setPositions] = useState(true);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const file = await call(exportData, { query: { positions: positions ? 'true' : 'false' } });
      download(file, `milepost-${new Date().toISOString().slice(0, 10)}.ndjson`);
    },
  });
  return (
    <Card title={t('data.export')} text={t('data.exportText')}>
      <Checkbox checked={positions} onChange={event => setPositions(event.currentTarget.checked)}>
        {t('data.withPositions')}
      </Checkbox>
      {error && <Notice tone="critical">{describeError(error).message}</Notice>}
      <div className={styles.actions}>
        <Button busy={isPending} onClick={() => mutate()} icon={<IconDownload size={16} stroke={1.75} aria-hidden />}>
          {isPending ? t('data.exporting') : t('data.exportAction')}
        </Button>
      </div>
    </Card>
  );
}

function Import() {
  const { t } = useTranslation('settings');
  const input = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: (file: File) => call(importData, { body: file }),
    onSuccess: () => void queries.invalidateQueries(),
  });
  const rows = Object.values(data?.rows ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <Card title={t('data.import')} text={t('data.importText')}>
      {error && <Notice tone="critical">{describeError(error).message}</Notice>}
      {data && <Notice tone="ok">{t('data.imported', { count: rows })}</Notice>}
      <div className={styles.actions}>
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
          busy={isPending}
          onClick={() => input.current?.click()}
          icon={<IconUpload size={16} stroke={1.75} aria-hidden />}
        >
          {isPending ? t('data.importing') : t('data.importAction')}
        </Button>
      </div>
    </Card>
  );
}
