import { useTranslation } from 'react-i18next';
import hidden from '../../../ui/hidden.module.css';
import styles from './ScoreBand.module.css';
import { figure, toneOf } from './score-words.ts';

interface Props {
  /** Null: the driver didn't drive. */
  readonly score: number | null;
  readonly low: number;
  readonly high: number;
}

/** A score and its margin of error, which is wide for few miles. */
export function ScoreBand({ score, low, high }: Props) {
  const { t } = useTranslation('eld');
  if (score === null) return <span className={styles.none}>{t('performance.notDriven')}</span>;
  return (
    <span className={styles.score} data-tone={toneOf(score)}>
      <b>{figure(score)}</b>
      <span className={hidden.hidden}>{t('performance.band', { low: figure(low), high: figure(high) })}</span>
      <span className={styles.scale} aria-hidden="true">
        <i className={styles.band} style={{ insetInlineStart: `${low}%`, width: `${Math.max(1, high - low)}%` }} />
        <i className={styles.mark} style={{ insetInlineStart: `${score}%` }} />
      </span>
    </span>
  );
}
