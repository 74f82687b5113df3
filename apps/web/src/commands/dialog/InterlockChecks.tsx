import type { Interlock } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import { IconCircleCheck, IconCircleMinus, IconCircleX, IconLock, IconLockOpen } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../format/duration.ts';
import { joined, speedFigure } from '../../format/measure.ts';
import { formatClock } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useNow } from '../../live/view.ts';
import { Chip } from '../../ui/Chip.tsx';
import hidden from '../../ui/hidden.module.css';
import { Plate } from '../../ui/Plate.tsx';
import styles from './InterlockChecks.module.css';

type Check = Interlock['checks'][number];

interface Props {
  readonly interlock: Interlock;
  /** When the checks will pass if the vehicle stays as it is; null if the server can't tell. */
  readonly possibleAt: string | null;
  readonly vehicle: string;
}

/** Each check of the safety interlock in words, with the measured value, so that the user can judge it. */
export function InterlockChecks({ interlock, possibleAt, vehicle }: Props) {
  const { t } = useTranslation('commands');
  const nowMs = useNow();
  // Between two measurements, the age of the fix keeps growing.
  const checks = interlock.checks.map(check => aged(check, nowMs - Date.parse(interlock.checkedAt)));
  const failed = checks.filter(({ holds }) => !holds).length;
  return (
    <section className={styles.interlock} aria-label={t('interlock.title')}>
      <header>
        <h3>{t('interlock.title')}</h3>
        <Plate>{vehicle}</Plate>
        <Chip tone={failed === 0 ? 'ok' : 'warning'}>
          {failed === 0 ? (
            <IconLockOpen size={13} stroke={2} aria-hidden />
          ) : (
            <IconLock size={13} stroke={2} aria-hidden />
          )}
          {failed === 0 ? t('interlock.holds') : t('interlock.fails', { count: failed })}
        </Chip>
      </header>
      <ul>
        {checks.map(check => (
          <CheckLine key={check.check} check={check} />
        ))}
      </ul>
      {possibleAt !== null && <p>{t('interlock.possibleAt', { time: formatClock(Date.parse(possibleAt)) })}</p>}
    </section>
  );
}

function aged(check: Check, passedMs: number): Check {
  if (check.check !== 'fresh' || check.measured === null) return check;
  const measured = check.measured + Math.max(0, passedMs) / 1000;
  return { ...check, measured, holds: check.holds && (check.limit === null || measured <= check.limit) };
}

function CheckLine({ check }: { readonly check: Check }) {
  const { t } = useTranslation('commands');
  const measured = useMeasured(check);
  const { holds, limit } = check;
  // A check without a measurement, because the tracker has no such sensor, proves nothing.
  const isSilent = holds && measuredBy(check) === null;
  const Icon = isSilent ? IconCircleMinus : holds ? IconCircleCheck : IconCircleX;
  const withLimit = limit !== null && check.check !== 'standing' && check.check !== 'still';
  const duration = formatDuration((limit ?? 0) * 1000);
  const name =
    check.check === 'ignition'
      ? t(withLimit ? 'interlock.ignition' : 'interlock.ignitionPlain', { duration })
      : check.check === 'fresh'
        ? t(withLimit ? 'interlock.fresh' : 'interlock.freshPlain', { duration })
        : t(`interlock.${check.check}`);
  return (
    <li data-holds={isSilent ? 'silent' : holds}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span>{name}</span>
      <b>{measured}</b>
      <span className={hidden.hidden}>{holds ? t('interlock.met') : t('interlock.notMet')}</span>
    </li>
  );
}

const measuredBy = ({ measured, on }: Check): number | boolean | null => measured ?? on;

function useMeasured({ check, measured, on }: Check): string {
  const { t } = useTranslation('commands');
  const system = useMeasureSystem();
  if (check === 'still') {
    if (on === null) return t('interlock.notMeasured');
    return on ? t('interlock.moving') : t('interlock.stillNow');
  }
  if (check === 'ignition') {
    if (on === true) return t('interlock.on');
    const parked = measured === null ? null : formatDuration(measured * 1000);
    if (on === false) return parked === null ? t('interlock.off') : t('interlock.offFor', { duration: parked });
    return parked ?? t('interlock.notMeasured');
  }
  if (measured === null) return t('interlock.notMeasured');
  return check === 'standing'
    ? joined(speedFigure(metresPerSecond(measured), system))
    : formatDuration(measured * 1000);
}
