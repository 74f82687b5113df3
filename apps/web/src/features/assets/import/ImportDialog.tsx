import { IMPORT_COLUMNS, importVehicles, type RouteAnswer } from '@milepost/contract';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { download } from '../../../base/download.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { applyChanges } from '../../../changes/apply-changes.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from './ImportDialog.module.css';
import { RowErrors } from './RowErrors.tsx';

type Outcome = RouteAnswer<typeof importVehicles>;

interface ReadFile {
  readonly name: string;
  readonly text: string;
}

/** Imports vehicles from CSV. All rows are checked first; then all are imported, or none. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['assets', 'forms']);
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<ReadFile | null>(null);
  const [over, setOver] = useState(false);
  const send = (text: string, dryRun: 'true' | 'false'): Promise<Outcome> =>
    call(importVehicles, { body: text, query: { dryRun } });

  const check = useMutation({ mutationFn: (read: ReadFile) => send(read.text, 'true') });
  const run = useMutation({
    mutationFn: (read: ReadFile) => send(read.text, 'false'),
    onSuccess: ({ imported }) => {
      toast(t('import.done', { count: imported }));
      void applyChanges([{ kind: 'vehicle', id: null, gone: false }]);
      onClose();
    },
    // Data changed since the check: check again to show the errors by row.
    onError: () => file && check.mutate(file),
  });

  async function take(chosen: File | undefined): Promise<void> {
    if (!chosen) return;
    run.reset();
    const read = { name: chosen.name, text: await chosen.text() };
    setFile(read);
    check.mutate(read);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  const outcome = check.data;
  const mayRun = outcome !== undefined && outcome.errors.length === 0 && file !== null;
  const failure = run.error ?? check.error;
  return (
    <Dialog open onClose={onClose} title={t('import.title')} subtitle={t('import.text')} closeLabel={t('forms:close')}>
      <div className={styles.body}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same. */}
        <div
          className={styles.drop}
          data-over={over || undefined}
          onDragOver={event => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <p>{file ? file.name : t('import.drop')}</p>
          <Button
            icon={<IconUpload size={16} stroke={1.75} aria-hidden />}
            onClick={() => input.current?.click()}
            busy={check.isPending}
            data-autofocus
          >
            {t(file ? 'import.another' : 'import.choose')}
          </Button>
          <input
            ref={input}
            type="file"
            accept=".csv,text/csv"
            aria-label={t('import.file')}
            hidden
            onChange={event => {
              void take(event.currentTarget.files?.[0]);
              // Choosing the same file again, after correcting it, must fire a change.
              event.currentTarget.value = '';
            }}
          />
        </div>
        <p className={styles.hint}>
          {t('import.columns')}{' '}
          <button
            type="button"
            className={styles.template}
            onClick={() =>
              download(new Blob([`${IMPORT_COLUMNS.join(',')}\r\n`], { type: 'text/csv' }), 'vehicles.csv')
            }
          >
            <IconDownload size={14} stroke={1.75} aria-hidden />
            {t('import.template')}
          </button>
        </p>
        <div aria-live="polite" className={styles.outcome}>
          {failure && !outcome?.errors.length && <Notice tone="critical">{describeError(failure).message}</Notice>}
          {mayRun && <Notice tone="ok">{t('import.ready', { count: outcome.rows })}</Notice>}
          {outcome && outcome.errors.length > 0 && (
            <Notice tone="critical">
              {t('import.wrong', {
                count: new Set(outcome.errors.map(({ row }) => row)).size,
                total: outcome.rows,
              })}
            </Notice>
          )}
        </div>
        {outcome && outcome.errors.length > 0 && <RowErrors errors={outcome.errors} />}
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button variant="primary" disabled={!mayRun} busy={run.isPending} onClick={() => file && run.mutate(file)}>
            {mayRun ? t('import.action', { count: outcome.rows }) : t('import.actionNone')}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
