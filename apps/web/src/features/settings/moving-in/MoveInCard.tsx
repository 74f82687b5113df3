import {
  cancelMoveIn,
  deleteMoveInFile,
  type MoveIn,
  type MoveInFile,
  type MoveInSource,
  startMoveIn,
  uploadMoveInFile,
} from '@milepost/contract';
import { IconUpload, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { formatBytes } from '../../../format/bytes.ts';
import { formatCount, formatLocale } from '../../../format/locale.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import rows from '../../../ui/JobRow.module.css';
import { Notice } from '../../../ui/Notice.tsx';
import { TransferRow } from '../data/TransferRow.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from './MoveIn.module.css';
import { MoveInReportView } from './MoveInReportView.tsx';
import { type Options, TrackOptionsForm } from './TrackOptionsForm.tsx';
import { isOpen, MOVE_INS, useMoveIns } from './use-move-ins.ts';

interface Uploaded extends MoveInFile {
  readonly name: string;
}

const ACCEPT = { tracks: '.gpx,.csv,.txt', traccar: '.json,.csv,.sql' } as const;

/** Files are uploaded, checked, and then imported; each step is shown with what came of it. */
export function MoveInCard({ source }: { readonly source: MoveInSource }) {
  const { t } = useTranslation('moving-in');
  const input = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const [files, setFiles] = useState<readonly Uploaded[]>([]);
  const [options, setOptions] = useState<Options>(useFirstOptions());
  /** What the dry run was of: any change asks for another one. */
  const [checkedId, setCheckedId] = useState<string | null>(null);
  const [hasBegun, setHasBegun] = useState(false);
  const { data } = useMoveIns();
  const all = data?.filter(each => each.source === source) ?? [];
  const [newest] = all;
  /** Whoever comes back finds the last check, and can import it while its files are kept. */
  const before = !hasBegun && newest?.checked ? newest : undefined;
  const checked = before ?? all.find(({ id }) => id === checkedId);
  const isBusy = data?.some(isOpen) ?? false;

  const upload = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      for (const file of chosen) {
        const made = await call(uploadMoveInFile, { body: file });
        setFiles(before => [...before, { ...made, name: file.name }]);
      }
    },
    onMutate: () => {
      setHasBegun(true);
      setCheckedId(null);
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: Uploaded) => call(deleteMoveInFile, { params: { id } }),
    onMutate: ({ id }) => {
      setFiles(before => before.filter(file => file.id !== id));
      setCheckedId(null);
    },
  });
  const start = useMutation({
    mutationFn: (dryRun: boolean) => {
      const asked = before?.checked ?? { files: files.map(({ id, name }) => ({ id, name })), options };
      return call(startMoveIn, { body: { source, dryRun, ...asked } });
    },
    onSuccess: (started, dryRun) => {
      setHasBegun(true);
      setCheckedId(started.id);
      if (!dryRun) setFiles([]);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: MOVE_INS }),
  });
  const change = (next: Options): void => {
    setOptions(next);
    setCheckedId(null);
  };
  const csv = files.filter(({ format }) => format === 'csv');
  const error = upload.error ?? start.error;
  const mayImport = checked?.dryRun === true && (checked.report?.accepted ?? 0) > 0;

  return (
    <Card title={t(`${source}.title`)} text={t(`${source}.text`)}>
      {error && <Notice tone="critical">{describeError(error).message}</Notice>}
      <div className={styles.actions}>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={ACCEPT[source]}
          onChange={event => {
            const chosen = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            if (chosen.length > 0) upload.mutate(chosen);
          }}
        />
        <Button
          busy={upload.isPending}
          onClick={() => input.current?.click()}
          icon={<IconUpload size={16} stroke={1.75} aria-hidden />}
        >
          {t(`${source}.choose`)}
        </Button>
      </div>
      {files.length > 0 && (
        <>
          <ul className={styles.files} aria-label={t('files')}>
            {files.map(file => (
              <li key={file.id}>
                <span>{file.name}</span>
                <small>{formatBytes(file.bytes)}</small>
                <IconButton label={t('remove', { name: file.name })} onClick={() => remove.mutate(file)}>
                  <IconX size={16} stroke={1.75} aria-hidden />
                </IconButton>
              </li>
            ))}
          </ul>
          {source === 'tracks' && csv.length > 0 && (
            <TrackOptionsForm files={csv} options={options} onChange={change} />
          )}
        </>
      )}
      {(files.length > 0 || before) && (
        <div className={styles.actions}>
          {files.length > 0 && (
            <Button
              variant={mayImport ? 'default' : 'primary'}
              busy={start.isPending || isBusy}
              onClick={() => start.mutate(true)}
            >
              {t('check')}
            </Button>
          )}
          {mayImport && (
            <Button variant="primary" busy={start.isPending || isBusy} onClick={() => start.mutate(false)}>
              {t(`${source}.import`, {
                count: checked.report?.accepted ?? 0,
                n: formatCount(checked.report?.accepted ?? 0),
              })}
            </Button>
          )}
        </div>
      )}
      {checked?.report && (
        <MoveInReportView
          report={checked.report}
          source={source}
          dryRun={checked.dryRun}
          chosen={options.vehicles ?? {}}
          onChoose={files.length > 0 ? vehicles => change({ ...options, vehicles }) : undefined}
        />
      )}
      {all.length > 0 && (
        <ul className={rows.list} aria-label={t('runs')}>
          {all.slice(0, 3).map(one => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** As the reader has times and units. */
function useFirstOptions(): () => Options {
  const isInMiles = useMeasureSystem().distance === 'mi';
  return () => ({
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    dateOrder: formatLocale() === 'en-US' ? 'mdy' : 'dmy',
    speedUnit: isInMiles ? 'mph' : 'km/h',
    distanceUnit: isInMiles ? 'mi' : 'km',
  });
}

function Row({ one }: { readonly one: MoveIn }) {
  const { t } = useTranslation('moving-in');
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(cancelMoveIn, { params: { id: one.id } }),
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: MOVE_INS }),
  });
  const { done, dryRun, files, report, total } = one;
  const [first = ''] = files;
  const name = files.length > 1 ? t('andMore', { name: first, count: files.length - 1 }) : first;
  return (
    <TransferRow
      transfer={one}
      progress={t('bytes', { done: formatBytes(done), total: formatBytes(total) })}
      actions={
        isOpen(one) &&
        !one.isStopping && (
          <Button busy={isPending} onClick={() => mutate()}>
            {t('cancel')}
          </Button>
        )
      }
    >
      <small>{t(dryRun ? 'checkOf' : 'importOf', { name })}</small>
      {report && (
        <small>
          {t(dryRun ? 'canImport' : 'didImport', { count: report.accepted, n: formatCount(report.accepted) })}
        </small>
      )}
    </TransferRow>
  );
}
