import { cancelReportRun, deleteReportRun, type ReportRun, repeatReportRun } from '@milepost/contract';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { problemWords } from '../../base/problem-words.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatBytes } from '../../format/bytes.ts';
import { formatDate } from '../../format/date.ts';
import { formatCount } from '../../format/locale.ts';
import { formatMoment } from '../../format/time.ts';
import { useNow } from '../../live/view.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import styles from '../../ui/JobRow.module.css';
import { JobRow } from '../../ui/JobRow.tsx';
import { followRun, isOpen, RUNS, saveRun } from './runs.ts';

interface Props {
  readonly runs: readonly ReportRun[];
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Reports exported to files, finished or in progress. */
export function Runs({ runs, open, onClose }: Props) {
  const { t } = useTranslation('reports');
  return (
    <Dialog open={open} onClose={onClose} title={t('runs.title')} subtitle={t('runs.text')} closeLabel={t('close')}>
      {runs.length === 0 ? (
        <p>{t('runs.none')}</p>
      ) : (
        <ul className={styles.list}>
          {runs.map(run => (
            <Run key={run.id} run={run} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Run({ run }: { readonly run: ReportRun }) {
  const { t } = useTranslation('reports');
  const now = useNow();
  const queries = useQueryClient();
  const { createdAt, done, file, format, id, isStopping, period, problem, state, title, total } = run;
  const how = {
    onError: (error: Error) => toast(describeError(error).message, 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: RUNS }),
  };
  const cancel = useMutation({ mutationFn: () => call(cancelReportRun, { params: { id } }), ...how });
  const repeat = useMutation({
    mutationFn: () => call(repeatReportRun, { params: { id } }),
    ...how,
    onSuccess: run => void followRun(run),
  });
  const remove = useMutation({ mutationFn: () => call(deleteReportRun, { params: { id } }), ...how });
  const save = useMutation({ mutationFn: () => saveRun(run) });
  const shown = isStopping ? 'stopping' : state;
  // The page may be open for days.
  const isExpired = file !== null && Date.parse(file.expiresAt) <= now;
  const time = formatMoment(Date.parse(createdAt), now);
  return (
    <JobRow
      title={title}
      state={shown}
      stateText={t(`runs.state.${shown}`)}
      about={`${formatDate(period.from)} – ${formatDate(period.to)} · ${format.toUpperCase()} · ${time}`}
      progress={
        isOpen(run)
          ? {
              done,
              total,
              label: t('runs.progress'),
              text: t('runs.vehicles', { count: total, n: formatCount(total), done: formatCount(done) }),
            }
          : null
      }
      problem={problem ? problemWords(problem, problem.title) : null}
      actions={
        <>
          {isOpen(run) && !isStopping && (
            <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
              {t('runs.cancel')}
            </Button>
          )}
          {(state === 'failed' || state === 'cancelled' || isExpired) && (
            <Button
              busy={repeat.isPending}
              onClick={() => repeat.mutate()}
              aria-label={t('runs.repeatNamed', { title, time })}
            >
              {t('runs.repeat')}
            </Button>
          )}
          {file && !isExpired && (
            <Button
              busy={save.isPending}
              onClick={() => save.mutate()}
              icon={<IconDownload size={16} stroke={1.75} aria-hidden />}
            >
              {t('runs.download')}
            </Button>
          )}
          {!isOpen(run) && (
            <IconButton
              bordered
              label={t('runs.delete', { title, time })}
              tooltip="left"
              onClick={() => remove.mutate()}
            >
              <IconTrash size={16} stroke={1.75} aria-hidden />
            </IconButton>
          )}
        </>
      }
    >
      {file && (
        <small>
          {formatBytes(file.bytes)} · {t('group.rows', { count: file.rows, n: formatCount(file.rows) })} ·{' '}
          {t(isExpired ? 'runs.expired' : 'runs.until', { time: formatMoment(Date.parse(file.expiresAt), now) })}
        </small>
      )}
      {file && file.late > 0 && <small>{t('runs.late', { count: file.late, n: formatCount(file.late) })}</small>}
    </JobRow>
  );
}
