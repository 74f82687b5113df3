import { type CommandRun, type CommandRunResults, readCommandRun } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { formatCount } from '../../format/locale.ts';
import { formatClock } from '../../format/time.ts';
import { Chip } from '../../ui/Chip.tsx';
import { isRunning, useCommandRuns } from '../runs.ts';
import styles from './RecentRuns.module.css';

interface Props {
  /** The ID of the run whose results are shown. */
  readonly shown: string | null;
  readonly onShow: (run: CommandRunResults) => void;
}

const DAY_MS = 86_400_000;
const MOST = 5;
const TONES = {
  waiting: 'neutral',
  running: 'neutral',
  done: 'ok',
  failed: 'critical',
  cancelled: 'neutral',
} as const satisfies Record<CommandRun['state'], string>;

/** Runs to several vehicles that this user started within the last day or that are in progress, in any browser. */
export function RecentRuns({ shown, onShow }: Props) {
  const { t } = useTranslation('commands');
  const { data = [] } = useCommandRuns();
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) => call(readCommandRun, { params: { id } }),
    onSuccess: onShow,
    onError: error => toast(`${t('runs.loadFailed')} ${describeError(error).message}`, 'error'),
  });
  const recent = data.filter(run => isRunning(run) || Date.now() - Date.parse(run.createdAt) < DAY_MS).slice(0, MOST);
  if (recent.length === 0) return null;
  return (
    <section className={styles.runs} aria-label={t('runs.title')}>
      <h3>{t('runs.title')}</h3>
      <ul>
        {recent.map(({ id, action, state, done, total, createdAt }) => {
          const time = formatClock(Date.parse(createdAt));
          return (
            <li key={id}>
              <button type="button" aria-pressed={id === shown} disabled={isPending} onClick={() => mutate(id)}>
                <b>{t(`action.${action}`)}</b>
                <time dateTime={createdAt}>{time}</time>
                <span>{t('runs.progress', { done: formatCount(done), all: formatCount(total) })}</span>
                <Chip tone={TONES[state]}>{t(`runs.${state}`)}</Chip>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
