import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemWords } from '../../../base/problem-words.ts';
import { formatMoment } from '../../../format/time.ts';
import { useNow } from '../../../live/view.ts';
import { JobRow } from '../../../ui/JobRow.tsx';
import { isOpen, type Transfer } from './transfers.ts';

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
  return (
    <JobRow
      title={formatMoment(Date.parse(createdAt), now)}
      state={shown}
      stateText={t(`data.state.${shown}`)}
      about={t('data.startedBy', { name: startedBy })}
      progress={isOpen(transfer) ? { done, total, label: t('data.progress'), text: progress } : null}
      problem={problem ? problemWords(problem, problem.title) : null}
      actions={actions}
    >
      {children}
    </JobRow>
  );
}
