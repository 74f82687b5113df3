import { DEFAULT_THRESHOLDS } from '@milepost/geo';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatAge, formatDuration } from '../../../format/duration.ts';
import { joined, type MeasureSystem, speedFigure } from '../../../format/measure.ts';
import { formatClock, formatDay } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useNow } from '../../../live/view.ts';
import { Popover } from '../../../ui/Popover.tsx';
import { reasonAge } from './reason-age.ts';
import styles from './Why.module.css';

const { movingSpeed, movingAfterMs, standingAfterMs } = DEFAULT_THRESHOLDS;
const MINUTE_MS = 60_000;

/** The rule that decided the status, with the times it used. */
export function Why({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const system = useMeasureSystem();
  const nowMs = useNow();
  const { reason, status } = entry.now;
  const title = t('why.title', { status: t(`vehicle:status.${status}`).toLowerCase() });
  const moment = (ms: number | null): string => (ms === null ? t('why.none') : `${formatDay(ms)} ${formatClock(ms)}`);
  return (
    <Popover
      label={title}
      trigger={props => (
        <button type="button" {...props} className={styles.why}>
          {t('card.why')}
        </button>
      )}
    >
      <h3>{title}</h3>
      <p className={styles.rule}>{ruleText(entry, nowMs, system, t)}</p>
      <dl className={styles.times}>
        <dt>{t('why.fix')}</dt>
        <dd>
          {moment(reason.fixAt)} <span>{t('why.byTracker')}</span>
        </dd>
        <dt>{t('why.heard')}</dt>
        <dd>
          {moment(reason.heardAt)} <span>{t('why.byServer')}</span>
        </dd>
      </dl>
    </Popover>
  );
}

function ruleText(
  { now: { reason } }: VehicleEntry,
  nowMs: number,
  system: MeasureSystem,
  t: TFunction<['dashboard', 'vehicle']>,
): string {
  switch (reason.rule) {
    case 'outdated': {
      const values = {
        motion: t(`vehicle:status.${reason.lastMotion}`).toLowerCase(),
        age: formatDuration(reasonAge(reason, nowMs)),
        limit: formatAge(reason.limitMs),
      };
      return reason.interval === null
        ? t('why.outdatedNoInterval', values)
        : t('why.outdated', { ...values, interval: formatDuration(reason.interval * 1000) });
    }
    case 'offline':
      return t('why.offline', { age: formatDuration(reasonAge(reason, nowMs)), limit: formatAge(reason.limitMs) });
    default:
      return t(`why.${reason.rule}`, {
        speed: joined(speedFigure(movingSpeed, system)),
        seconds: movingAfterMs / 1000,
        minutes: standingAfterMs / MINUTE_MS,
      });
  }
}
