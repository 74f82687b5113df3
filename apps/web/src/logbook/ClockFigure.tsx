import { useTranslation } from 'react-i18next';
import { clockFigure } from '../format/duration.ts';
import { HoursBar, urgencyOf } from '../ui/HoursBar.tsx';
import hidden from '../ui/hidden.module.css';
import styles from './ClockFigure.module.css';
import type { ClockName } from './clocks.ts';
import { spokenTime } from './spoken-time.ts';

interface Props {
  readonly name: ClockName;
  /** In seconds, like the limit. */
  readonly leftS: number;
  readonly limitS: number;
}

/** Time left on one clock: figure, notched bar, and words for screen readers. */
export function ClockFigure({ name, leftS, limitS }: Props) {
  const { t } = useTranslation('logbook');
  return (
    <span className={styles.clock} data-urgency={urgencyOf(leftS)}>
      <b aria-hidden="true">{clockFigure(leftS)}</b>
      <span className={hidden.hidden}>{t(`left.${name}`, { time: spokenTime(t, leftS) })}</span>
      <span className={styles.bar}>
        <HoursBar leftS={leftS} limitS={limitS} />
      </span>
    </span>
  );
}
