import {
  cancelJob,
  type Job,
  listJobs,
  listRepeatedJobs,
  type RepeatedJob,
  runJob,
  runRepeatedJob,
} from '@milepost/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { problemWords } from '../../../base/problem-words.ts';
import { Skeleton } from '../../../base/Skeleton.tsx';
import { toast } from '../../../base/toasts/toast.ts';
import { formatDuration } from '../../../format/duration.ts';
import { formatMoment } from '../../../format/time.ts';
import { useNow } from '../../../live/view.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { Button } from '../../../ui/Button.tsx';
import rows from '../../../ui/JobRow.module.css';
import { JobRow } from '../../../ui/JobRow.tsx';
import { Card } from '../SectionFrame.tsx';

const JOBS = ['jobs'];
const REPEATED = ['repeated-jobs'];
/** Polled, because account change feeds don't include the installation's own jobs. */
const EVERY_MS = 10_000;

interface Props {
  readonly canChange: boolean;
}

/** Jobs that the account's users started; the change feed keeps them up to date. */
export function Jobs({ canChange }: Props) {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery({ queryKey: JOBS, queryFn: () => call(listJobs) });
  return (
    <JobCard
      title={t('system.jobs.title')}
      text={t('system.jobs.text')}
      isRead={data !== undefined}
      error={error}
      onRetry={() => void refetch()}
    >
      {data?.length === 0 && <li className={rows.row}>{t('system.jobs.none')}</li>}
      {data?.map(job => (
        <StartedRow key={job.id} job={job} canChange={canChange} />
      ))}
    </JobCard>
  );
}

/** The server's recurring jobs, for operators. */
export function RepeatedJobs({ canChange }: Props) {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery({
    queryKey: REPEATED,
    queryFn: () => call(listRepeatedJobs),
    refetchInterval: EVERY_MS,
  });
  return (
    <JobCard
      title={t('system.jobs.repeated.title')}
      text={t('system.jobs.repeated.text')}
      isRead={data !== undefined}
      error={error}
      onRetry={() => void refetch()}
    >
      {data?.map(job => (
        <RepeatedRow key={job.name} job={job} canChange={canChange} />
      ))}
    </JobCard>
  );
}

interface JobCardProps {
  readonly title: string;
  readonly text: string;
  readonly isRead: boolean;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

function JobCard({ title, text, isRead, error, onRetry, children }: JobCardProps) {
  const unread = error ? <ReadState error={error} onRetry={onRetry} /> : <Skeleton bones={4} />;
  return (
    <Card title={title} text={text}>
      {isRead ? <ul className={rows.list}>{children}</ul> : unread}
    </Card>
  );
}

const useMoment = () => {
  const now = useNow();
  return (iso: string): string => formatMoment(Date.parse(iso), now);
};
const refused = (error: Error): void => toast(describeError(error).message, 'error');

function StartedRow({ job, canChange }: Props & { readonly job: Job }) {
  const { t } = useTranslation('settings');
  const now = useNow();
  const moment = useMoment();
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: JOBS });
  const again = useMutation({
    mutationFn: () => call(runJob, { params: { id: job.id } }),
    onSuccess: () => toast(t('system.jobs.asked')),
    onError: refused,
    onSettled,
  });
  const cancel = useMutation({
    mutationFn: () => call(cancelJob, { params: { id: job.id } }),
    onSuccess: ({ state }) => {
      if (state === 'cancelled') toast(t('system.jobs.cancelled'));
      else toast(t(state === 'running' ? 'system.jobs.stopping' : 'system.jobs.already'), 'info');
    },
    onError: refused,
    onSettled,
  });
  const { createdAt, done, endedAt, isStopping, kind, problem, retryAt, startedAt, startedBy, state, total } = job;
  const tookMs = Math.max(0, (endedAt ? Date.parse(endedAt) : now) - Date.parse(startedAt ?? createdAt));
  const took = formatDuration(tookMs);
  const isOpen = endedAt === null;
  const shown = isStopping ? 'stopping' : retryAt ? 'failed' : state;
  return (
    <JobRow
      title={t(`system.jobs.kind.${kind}` as 'system.jobs.kind.command-run', { defaultValue: kind })}
      state={shown}
      stateText={t(`system.jobs.state.${shown}`)}
      about={
        <>
          {t('system.jobs.progress', { done, total })} ·{' '}
          {t('system.jobs.startedBy', { name: startedBy, time: moment(createdAt) })}
          {endedAt && ` · ${t('system.jobs.ended', { time: moment(endedAt), took })}`}
          {isOpen && startedAt && ` · ${t('system.jobs.running', { took })}`}
        </>
      }
      progress={null}
      problem={problem ? problemWords(problem, problem.title) : null}
      actions={
        canChange &&
        isOpen &&
        !isStopping && (
          <>
            {retryAt && (
              <Button busy={again.isPending} onClick={() => again.mutate()}>
                {t('system.jobs.retry')}
              </Button>
            )}
            <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
              {t('system.jobs.cancel')}
            </Button>
          </>
        )
      }
    >
      {retryAt && !isStopping && <small>{t('system.jobs.retryAt', { time: moment(retryAt) })}</small>}
    </JobRow>
  );
}

function RepeatedRow({ job, canChange }: Props & { readonly job: RepeatedJob }) {
  const { t } = useTranslation('settings');
  const now = useNow();
  const moment = useMoment();
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: () => call(runRepeatedJob, { params: { name: job.name } }),
    onSuccess: jobs => {
      client.setQueryData(REPEATED, jobs);
      toast(t('system.jobs.asked'));
    },
    onError: refused,
  });
  const { failure, last, name, nextAt, startedAt, state } = job;
  return (
    <JobRow
      title={t(`system.jobs.repeated.names.${name}` as 'system.jobs.repeated.names.retention', { defaultValue: name })}
      state={state}
      stateText={t(`system.jobs.state.${state}`)}
      about={
        <>
          {last
            ? t('system.jobs.repeated.last', { time: moment(last.endedAt), took: formatDuration(last.tookMs) })
            : t('system.jobs.repeated.never')}
          {nextAt && ` · ${t('system.jobs.repeated.next', { time: moment(nextAt) })}`}
          {startedAt &&
            ` · ${t('system.jobs.running', { took: formatDuration(Math.max(0, now - Date.parse(startedAt))) })}`}
        </>
      }
      progress={null}
      problem={failure ? t('system.jobs.repeated.failure', { why: failure }) : null}
      actions={
        canChange &&
        state !== 'running' && (
          <Button busy={run.isPending} onClick={() => run.mutate()}>
            {t(state === 'failed' ? 'system.jobs.retry' : 'system.jobs.runNow')}
          </Button>
        )
      }
    >
      <code>{name}</code>
    </JobRow>
  );
}
