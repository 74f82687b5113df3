import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemWords } from '../../../base/problem-words.ts';
import { formatMoment } from '../../../format/time.ts';
import { useNow } from '../../../live/view.ts';
import { Chip } from '../../../ui/Chip.tsx';
import styles from './TransferRow.module.css';
import { isOpen, type Transfer } from './transfers.ts';

const TONES = {
  waiting: 'neutral',
  running: 'info',
  stopping: 'warning',
  done: 'ok',
  failed: 'critical',
  cancelled: 'neutral',
} as const;

interface Props {
  readonly transfer: Transfer;
  /** Progress, such as `3 of 41 vehicles`. */
  readonly progress: string;
  /** The outcome. */
  readonly children: ReactNode;
  readonly actions: ReactNode;
}

/** An export or import: who started it, its progress and its outcome. */
export function TransferRow({ transfer, progress, children, actions }: Props) {
  const { t } = useTranslation('settings');
  const now = useNow();
  const { createdAt, done, isStopping, problem, startedBy, state, total } = transfer;
  const shown = isStopping ? 'stopping' : state;
  const time = formatMoment(Date.parse(createdAt), now);
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <b>{time}</b>
        <Chip tone={TONES[shown]}>{t(`data.state.${shown}`)}</Chip>
        <small>{t('data.startedBy', { name: startedBy })}</small>
        {isOpen(transfer) && (
          <small className={styles.progress}>
            <progress value={done} max={total} aria-label={t('data.progress')} />
            <span>{progress}</span>
          </small>
        )}
        {problem && <small className={styles.problem}>{problemWords(problem, problem.title)}</small>}
        {children}
      </div>
      <div className={styles.actions}>{actions}</div>
    </li>
  );
}
