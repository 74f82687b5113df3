import { type RouteAnswer, type readMyPrivacy, switchPrivateDrive } from '@milepost/contract';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { formatMoment } from '../../../format/time.ts';
import { privateDays } from '../../../privacy/private-days.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from './PrivacyPage.module.css';

type Mine = RouteAnswer<typeof readMyPrivacy>['privateTime'];

/** A driver's private time: now, by the week, and who opened it in an emergency. */
export function PrivateTime({ time }: { readonly time: Mine }) {
  const { t } = useTranslation('privacy');
  const queries = useQueryClient();
  const { driveSince, hours, isNow, noDrive, openings, personalUse } = time;
  const nowMs = Date.now();
  const drive = useMutation({
    mutationFn: (isOn: boolean) => call(switchPrivateDrive, { body: { isOn } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['my-privacy'] }),
  });
  return (
    <section className={styles.card} aria-labelledby="private-time">
      <h2 id="private-time">
        {t('time.title')} <Chip tone={isNow ? 'info' : 'neutral'}>{t(isNow ? 'time.now' : 'time.notNow')}</Chip>
      </h2>
      <p>{t('time.text')}</p>
      {driveSince !== null && <p>{t('time.since', { time: formatMoment(Date.parse(driveSince), nowMs) })}</p>}
      {drive.error && (
        <Notice tone="critical" role="alert">
          {describeError(drive.error).message}
        </Notice>
      )}
      {driveSince === null && noDrive !== null ? (
        <p>{noDrive === 'with-log' && !personalUse ? t('time.withLogExact') : t(`time.${noDrive}`)}</p>
      ) : (
        <div>
          <Button
            size="large"
            variant="primary"
            icon={<IconLock size={18} stroke={1.75} aria-hidden />}
            busy={drive.isPending}
            onClick={() => drive.mutate(driveSince === null)}
          >
            {t(driveSince === null ? 'time.begin' : 'time.end')}
          </Button>
        </div>
      )}
      {hours.length === 0 && <p>{t('time.none')}</p>}
      <ul className={styles.people}>
        {hours.flatMap(({ driver, times, vehicle, zone }) =>
          times.map(({ days, from, to }) => (
            <li key={`${driver?.id}-${vehicle?.id}-${days.join()}-${from}`}>
              <b>
                {vehicle
                  ? t(from === to ? 'time.wholeDaysOfVehicle' : 'time.hoursOfVehicle', {
                      vehicle: vehicle.name,
                      days: privateDays(days),
                      from,
                      to,
                    })
                  : t(from === to ? 'time.wholeDays' : 'time.hours', { days: privateDays(days), from, to })}
              </b>
              <span>{t('time.zone', { zone: zone.replaceAll('_', ' ') })}</span>
            </li>
          )),
        )}
      </ul>
      <h3>{t('time.openings')}</h3>
      {openings.length === 0 && <p>{t('time.noOpenings')}</p>}
      <ul className={styles.people}>
        {openings.map(({ at, importedAt, by, from, id, reason, to, vehicle }) => (
          <li key={id}>
            <b>
              {t('time.opening', {
                ...{ by, vehicle },
                from: formatMoment(Date.parse(from), nowMs),
                to: formatMoment(Date.parse(to), nowMs),
              })}
            </b>
            <span>
              {formatMoment(Date.parse(at), nowMs)} · {t('time.reason', { reason })}
              {importedAt !== undefined && ` · ${t('imported')}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
