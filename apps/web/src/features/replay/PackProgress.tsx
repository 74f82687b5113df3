import { cancelReportRun, type ReportRun, readReportFile } from '@milepost/contract';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { download } from '../../base/download.ts';
import { problemWords } from '../../base/problem-words.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatBytes } from '../../format/bytes.ts';
import { formatCount } from '../../format/locale.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import styles from './EvidencePack.module.css';

interface Props {
  /** Null until the server lists it. */
  readonly run: ReportRun | null;
  readonly onAgain: () => void;
  readonly isAsking: boolean;
}

/** How far an evidence pack is, and what came of it. */
export function PackProgress({ run, onAgain, isAsking }: Props) {
  const { t } = useTranslation('replay');
  if (run?.file) return <Ready run={run} file={run.file} />;
  if (run?.state !== 'failed' && run?.state !== 'cancelled') return <Writing run={run} />;
  return (
    <>
      <Notice tone="warning" role="alert">
        {run.problem ? problemWords(run.problem, run.problem.title) : t(`pack.${run.state}`)}
      </Notice>
      <Button variant="primary" busy={isAsking} onClick={onAgain}>
        {t('pack.again')}
      </Button>
    </>
  );
}

function Writing({ run }: Pick<Props, 'run'>) {
  const { t } = useTranslation('replay');
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: (id: string) => call(cancelReportRun, { params: { id } }),
    onError: error => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['report-runs'] }),
  });
  const { done, total } = run ?? { done: 0, total: 1 };
  const words = run === null || run.state === 'waiting' ? t('pack.waiting') : t('pack.writing');
  return (
    <>
      <p className={styles.progress} role="status">
        <progress value={done} max={total} aria-label={t('pack.writing')} />
        <span>{words}</span>
        {run?.state === 'running' && (
          <span>{t('pack.vehiclesDone', { count: total, n: formatCount(total), done: formatCount(done) })}</span>
        )}
      </p>
      {run && (
        <Button busy={cancel.isPending || run.isStopping} onClick={() => cancel.mutate(run.id)}>
          {t('pack.cancel')}
        </Button>
      )}
    </>
  );
}

function Ready({ run, file }: { readonly run: ReportRun; readonly file: NonNullable<ReportRun['file']> }) {
  const { t } = useTranslation('replay');
  const save = useMutation({
    mutationFn: async () => download(await call(readReportFile, { params: { id: run.id } }), file.name),
    onError: error => toast(describeError(error).message, 'error'),
  });
  return (
    <>
      <div className={styles.seal}>
        <b>SHA-256</b>
        <code>{file.sha256}</code>
        <p>{t('pack.seal')}</p>
      </div>
      <Button
        variant="primary"
        busy={save.isPending}
        icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
        onClick={() => save.mutate()}
      >
        {t('pack.download', { size: formatBytes(file.bytes) })}
      </Button>
      <p>
        <a href="/verify-log.html">{t('pack.verify')}</a> · <Link to={paths.reports()}>{t('pack.kept')}</Link>
      </p>
    </>
  );
}
