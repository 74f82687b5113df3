import type { MyDuty } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { clockFigure, formatHours } from '../../../format/duration.ts';
import { listOf } from '../../../format/locale.ts';
import { homeMoment, homeTime } from '../../../logbook/home-time.ts';
import { HoursBar, urgencyOf } from '../../../ui/HoursBar.tsx';
import { clocksAt } from '../store/clocks.ts';
import styles from './HoursCard.module.css';

const NAMES = ['break', 'drive', 'window', 'onDuty', 'cycle'] as const;
const BINDINGS = ['drive', 'window', 'onDuty', 'break', 'cycle', 'timeOff'] as const;
const EXEMPT = ['agriculture', 'emergencyRelief'] as const;
/** The clocks are computed only as often as their figures change. */
const EVERY_MS = 5000;
const HOURS_16_MS = 16 * 3_600_000;

/** The legal clocks as figures and bars, and which of them ends the driving. Computed on the phone. */
export function HoursCard({ duty, now }: { readonly duty: MyDuty; readonly now: number }) {
  const { t } = useTranslation('eldDriverMore');
  const changedMs = useMemo(() => changedAt(duty.dutyLog), [duty.dutyLog]);
  const atMs = Math.max(Math.floor(now / EVERY_MS) * EVERY_MS, Math.min(changedMs, now));
  const { binds, clocks, declared, exempt, mayDriveAgainAtMs, mustStopByMs } = useMemo(
    () => clocksAt(duty, atMs),
    [duty, atMs],
  );
  const zone = duty.dutyLog.timezone;
  const when = (ms: number): string => (ms - now < HOURS_16_MS ? homeTime(ms, zone) : homeMoment(ms, zone));
  const exemption = EXEMPT.find(one => one === exempt);
  const binding = exemption ? undefined : BINDINGS.find(one => one === binds);
  const because = binding === undefined ? '' : ` · ${t(`clocks.because.${binding}`)}`;
  const says = exemption
    ? t(`clocks.exempt.${exemption}`)
    : mustStopByMs !== null
      ? t('clocks.stopBy', { time: when(mustStopByMs) })
      : mayDriveAgainAtMs !== null
        ? t('clocks.driveAgain', { time: when(mayDriveAgainAtMs) })
        : t('clocks.mustRest');
  const shown = NAMES.flatMap(name => {
    const clock = clocks[name];
    return clock && Number.isFinite(clock.limitS) ? [{ name, ...clock }] : [];
  });
  return (
    <section className={styles.card} aria-label={t('clocks.label')}>
      <p className={styles.says} data-stopped={mustStopByMs === null || undefined}>
        {says}
        {because}
      </p>
      {declared.some(one => one !== exempt) && (
        <p className={styles.declared}>
          {t('clocks.declared', {
            names: listOf(declared.filter(one => one !== exempt).map(one => t(`exception.names.${one}`))),
          })}
        </p>
      )}
      {shown.map(({ leftS, limitS, name }) => (
        <div key={name} className={styles.clock} data-clock={name} data-binds={name === binding || undefined}>
          <span className={styles.name}>{t(`clocks.${name}`)}</span>
          <span className={styles.why}>
            {name === 'break' && t('clocks.afterDriving', { duration: formatHours(leftS * 1000) })}
            {name === 'window' && leftS > 0 && t('clocks.ends', { time: when(now + leftS * 1000) })}
            {(name === 'drive' || name === 'onDuty' || name === 'cycle') &&
              t('clocks.of', { limit: clockFigure(limitS) })}
          </span>
          <b className={styles.figure} data-urgency={urgencyOf(leftS)}>
            {clockFigure(leftS)}
          </b>
          <span className={styles.bar}>
            <HoursBar leftS={leftS} limitS={limitS} />
          </span>
        </div>
      ))}
    </section>
  );
}

/** When the log last changed: figures from before would contradict what was just entered. */
const changedAt = ({ declarations, segments }: MyDuty['dutyLog']): number =>
  Math.max(
    0,
    ...segments.map(({ start }) => Date.parse(start)),
    ...declarations.flatMap(({ start, end }) => [Date.parse(start), end === null ? 0 : Date.parse(end)]),
  );
