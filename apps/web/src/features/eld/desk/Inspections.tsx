import { certifyRepair, type InspectionReport, may, VEHICLE_UNIT } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { formatCount } from '../../../format/locale.ts';
import { DefectPhoto } from '../../../logbook/DefectPhoto.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Chip, type ChipTone } from '../../../ui/Chip.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { inspectionsQuery } from '../queries.ts';
import { useWrite } from '../use-write.ts';
import styles from './List.module.css';
import { Listed } from './Listed.tsx';
import { useDeskTimes } from './use-desk-times.ts';

const TONES: Readonly<Record<InspectionReport['state'], ChipTone>> = {
  reported: 'critical',
  repaired: 'ok',
  'repair-not-needed': 'ok',
  reviewed: 'neutral',
};

/** Drivers' inspections: defects, who certified the repair, and whether the vehicle may be driven. */
export function Inspections() {
  const { t } = useTranslation(['eld', 'logbook']);
  const query = useQuery(inspectionsQuery);
  const { moment } = useDeskTimes();
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  const { mutate, isPending } = useWrite(
    ({ id, repaired }: { readonly id: string; readonly repaired: boolean }) =>
      call(certifyRepair, { params: { id }, body: { repaired } }),
    t('dvir.certified'),
  );
  return (
    <Listed
      query={query}
      label={t('tabs.dvir')}
      heads={[
        t('columns.unit'),
        t('dvir.inspection'),
        t('dvir.defects'),
        t('columns.state'),
        ...(mayWrite ? [''] : []),
      ]}
      empty={{ title: t('dvir.empty.title'), text: t('dvir.empty.text') }}
      row={({ id, vehicle, when, trailers, state, defects, reportedBy, certifiedBy, reviewedBy, mayBeDriven }) => (
        <tr key={id}>
          <th scope="row">
            <Plate>{vehicle.deviceName}</Plate>
            {vehicle.isDeleted && <span className={styles.second}>{t('dvir.deleted')}</span>}
            {trailers && <span className={styles.second}>{t('dvir.trailers', { trailers })}</span>}
          </th>
          <td>
            {t(`dvir.when.${when}`)}
            <span className={styles.second}>
              {reportedBy.name}, {moment(reportedBy.at)}
            </span>
          </td>
          <td>
            {defects.length === 0 ? (
              <span className={styles.quiet}>{t('dvir.noDefects')}</span>
            ) : (
              <ul className={styles.defects}>
                {defects.map(({ part, unit, what, affectsSafety, photos }, nth) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes.
                  <li key={nth}>
                    <b>{t(`logbook:part.${part}`)}</b>{' '}
                    {unit === VEHICLE_UNIT ? what : [unit, what].filter(Boolean).join(' · ')}
                    {affectsSafety && <Chip tone="critical">{t('dvir.unsafe')}</Chip>}
                    {photos.map((photo, n) => (
                      <DefectPhoto
                        key={photo}
                        id={photo}
                        label={t('dvir.photo', { part: t(`logbook:part.${part}`), n: formatCount(n + 1) })}
                      />
                    ))}
                  </li>
                ))}
              </ul>
            )}
          </td>
          <td>
            <Chip tone={defects.length === 0 ? 'ok' : TONES[state]}>
              {defects.length === 0 ? t('dvir.state.fine') : t(`dvir.state.${state}`)}
            </Chip>
            {!mayBeDriven && <span className={`${styles.second} ${styles.critical}`}>{t('dvir.notDriven')}</span>}
            {certifiedBy && (
              <span className={styles.second}>
                {certifiedBy.name}, {moment(certifiedBy.at)}
              </span>
            )}
            {reviewedBy && (
              <span className={styles.second}>
                {t('dvir.reviewed', { name: reviewedBy.name, time: moment(reviewedBy.at) })}
              </span>
            )}
          </td>
          {mayWrite && (
            <td>
              {state === 'reported' && defects.length > 0 && !vehicle.isDeleted && (
                <div className={styles.actions}>
                  <Button
                    busy={isPending}
                    aria-label={t('dvir.repairedOf', { unit: vehicle.deviceName })}
                    onClick={() => mutate({ id, repaired: true })}
                  >
                    {t('dvir.repaired')}
                  </Button>
                  <Button
                    busy={isPending}
                    aria-label={t('dvir.notNeededOf', { unit: vehicle.deviceName })}
                    onClick={() => mutate({ id, repaired: false })}
                  >
                    {t('dvir.notNeeded')}
                  </Button>
                </div>
              )}
            </td>
          )}
        </tr>
      )}
    />
  );
}
