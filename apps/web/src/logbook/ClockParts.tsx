import { useTranslation } from 'react-i18next';
import { clockFigure } from '../format/duration.ts';
import { HoursBar, urgencyOf } from '../ui/HoursBar.tsx';
import hidden from '../ui/hidden.module.css';
import type { CLOCKS } from './clocks.ts';
import { spokenTime } from './spoken-time.ts';

interface Props {
  readonly clock: (typeof CLOCKS)[number];
  /** In seconds, like the limit. */
  readonly leftS: number;
  readonly limitS: number;
}

/** A clock in a list: its name, the time left, and a bar; in words for screen readers. */
export function ClockParts({ clock, leftS, limitS }: Props) {
  const { t } = useTranslation('logbook');
  return (
    <>
      <span aria-hidden="true">{t(`clock.${clock}`)}</span>
      <b data-urgency={urgencyOf(leftS)} aria-hidden="true">
        {clockFigure(leftS)}
      </b>
      <span className={hidden.hidden}>{t(`left.${clock}`, { time: spokenTime(t, leftS) })}</span>
      <HoursBar leftS={leftS} limitS={limitS} />
    </>
  );
}
