import type { TaskFit } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { formatDuration } from '../../format/duration.ts';
import { numberFormat } from '../../format/locale.ts';
import { joined, speedFigure } from '../../format/measure.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Plate } from '../../ui/Plate.tsx';
import styles from './DriverFits.module.css';
import { useFitWords } from './fit-words.ts';
import type { Fits } from './use-fits.ts';

interface Props {
  readonly answer: Fits;
  readonly hasStops: boolean;
  /** Whether the task can be left to nobody. */
  readonly mayBeNobody?: boolean;
  /** Only the best, as cards. */
  readonly isBrief?: boolean;
  readonly nowMs: number;
  /** The chosen driver; empty for nobody. */
  readonly value: string;
  readonly onChoose: (driverId: string) => void;
}

/** Those who can make it come first; the others on request. */
const SHOWN = 8;
const SHOWN_BRIEFLY = 4;

/** The drivers to choose from: who can legally make the task, until when each must leave, and why others can’t. */
export function DriverFits({ answer, hasStops, mayBeNobody = true, isBrief = false, nowMs, value, onChoose }: Props) {
  const { t } = useTranslation('dispatch');
  const system = useMeasureSystem();
  const name = useId();
  const [isWhole, setWhole] = useState(false);
  const { data, error, isPlaceholderData } = answer;
  if (error && !data) return <Notice tone="warning">{describeError(error).message}</Notice>;
  if (!data) {
    return (
      <fieldset className={styles.fits}>
        <legend>{t('fit.who')}</legend>
        <p className={styles.note} role="status">
          {t('fit.loading')}
        </p>
      </fieldset>
    );
  }
  const { drivers, assumes } = data;
  const fitting = drivers.filter(({ fits }) => fits === true).length;
  const count = isBrief ? SHOWN_BRIEFLY : SHOWN;
  const shown = isWhole ? drivers : drivers.filter(({ driver }, i) => i < count || driver.id === value);
  const hidden = drivers.length - shown.length;
  const unknown = drivers.filter(({ fits }) => fits === null).length;
  // What was found for other stops or another window isn't said of these.
  const hasPlace = hasStops && !isPlaceholderData;
  const summary = t('fit.summary', { count: drivers.length, fit: fitting });
  return (
    <fieldset className={styles.fits}>
      <legend>{t('fit.who')}</legend>
      <p className={styles.note} role="status">
        {isPlaceholderData
          ? t('fit.loading')
          : !hasPlace
            ? t('fit.noStops')
            : [summary, unknown > 0 && t('fit.unknown', { count: unknown })].filter(Boolean).join(', ')}
      </p>
      <div className={styles.list} data-brief={isBrief || undefined}>
        {mayBeNobody && (
          <label className={styles.row}>
            <input type="radio" name={name} checked={value === ''} onChange={() => onChoose('')} />
            <span className={styles.nobody}>{t('fit.nobody')}</span>
          </label>
        )}
        {shown.map(fit => (
          <label key={fit.driver.id} className={styles.row} data-fits={fit.fits ?? undefined}>
            <input
              type="radio"
              name={name}
              checked={value === fit.driver.id}
              onChange={() => onChoose(fit.driver.id)}
            />
            <Row fit={fit} {...{ nowMs, hasPlace, isBrief }} />
          </label>
        ))}
      </div>
      {hidden > 0 && !isBrief && <Button onClick={() => setWhole(true)}>{t('fit.more', { count: hidden })}</Button>}
      {hasPlace && (
        <p className={styles.note}>
          {t('fit.assumes', {
            factor: numberFormat({ maximumFractionDigits: 2 }).format(assumes.roadFactor),
            speed: joined(speedFigure(metresPerSecond(assumes.speedMps), system)),
            stop: formatDuration(assumes.stopS * 1000),
          })}
        </p>
      )}
    </fieldset>
  );
}

interface RowProps {
  readonly fit: TaskFit;
  readonly nowMs: number;
  readonly hasPlace: boolean;
  readonly isBrief: boolean;
}

function Row({ fit, nowMs, hasPlace, isBrief }: RowProps) {
  const words = useFitWords(nowMs);
  const [there, spare] = words.arrival(fit);
  return (
    <span className={styles.text}>
      <span className={styles.line}>
        <span className={styles.who}>
          {fit.vehicle && <Plate>{fit.vehicle.deviceName}</Plate>}
          <b>{fit.driver.name}</b>
        </span>
        {fit.arriveAt !== null && (
          <span className={styles.arrival}>
            <b>{there}</b> {spare !== null && <span data-late={fit.fits === false || undefined}>{spare}</span>}
          </span>
        )}
      </span>
      {hasPlace && fit.reason && <span className={styles.reason}>{words.reason(fit.reason)}</span>}
      {hasPlace && fit.makesLate.length > 0 && <span className={styles.reason}>{words.makesLate(fit)}</span>}
      <span className={styles.more}>
        {(isBrief
          ? [words.rest(fit), words.way(fit)]
          : [words.leave(fit), words.rest(fit), words.way(fit), words.left(fit)]
        )
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  );
}
