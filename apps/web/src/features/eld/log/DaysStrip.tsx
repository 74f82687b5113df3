import type { listLogDays, RouteAnswer } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { clockFigure } from '../../../format/duration.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { MiniGraph } from '../../../logbook/MiniGraph.tsx';
import { wholeMinutes } from '../../../logbook/whole-minutes.ts';
import { paths } from '../../../paths.ts';
import { Chip, type ChipTone } from '../../../ui/Chip.tsx';
import { type DayState, signingOfDay } from '../desk/day-state.ts';
import styles from './DaysStrip.module.css';

interface Props {
  /** Newest first. */
  readonly days: RouteAnswer<typeof listLogDays>;
  readonly shown: string | null;
}

const TONES: Readonly<Partial<Record<DayState, ChipTone>>> = {
  proposed: 'warning',
  uncertified: 'critical',
  certified: 'ok',
};

/** The last days, each with its driving time, a small graph and what is left to do. */
export function DaysStrip({ days, shown }: Props) {
  const { t } = useTranslation('eld');
  return (
    <nav className={styles.days} aria-label={t('log.days')}>
      {days.map((day, nth) => {
        const state = signingOfDay(day, nth === 0);
        return (
          <Link
            key={day.date}
            to={paths.eldLog(day.driverId, day.date)}
            replace
            className={styles.day}
            aria-current={day.date === shown ? 'page' : undefined}
          >
            <b>{logDate(day.date)}</b>
            <span>
              <b>{clockFigure(wholeMinutes(day.totals).D)}</b> <small aria-hidden="true">D</small>
            </span>
            <Chip {...(TONES[state] && { tone: TONES[state] })}>{t(`dayState.${state}`)}</Chip>
            <MiniGraph day={day} current={day.date === shown} />
          </Link>
        );
      })}
    </nav>
  );
}
