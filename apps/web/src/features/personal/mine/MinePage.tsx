import { type Driver, readMyDriver } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { Documents } from '../../../documents/Documents.tsx';
import { ExpiryChip } from '../../../documents/ExpiryChip.tsx';
import { useExpiry } from '../../../documents/use-expiry.ts';
import { showLivePositions } from '../../../live/live.ts';
import { useVehicle } from '../../../live/view.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { Component as MyTasks } from '../../../tasks/MyTasks.tsx';
import { PersonFacts } from '../people/PersonFacts.tsx';
import styles from './MinePage.module.css';
import { MyPrivacy } from './MyPrivacy.tsx';
import { MyVehicle } from './MyVehicle.tsx';

/** Refetched because the driver may change while the page is open. */
const ASK_EVERY_MS = 60_000;

/** A driver's own page: current vehicle, license and card, documents, and who sees their data. */
export function MinePage({ views }: { readonly views: ReactNode }) {
  const { t } = useTranslation('personal');
  useEffect(showLivePositions, []);
  const { data, error, refetch } = useQuery({
    queryKey: ['my-driver'],
    queryFn: () => call(readMyDriver),
    refetchInterval: ASK_EVERY_MS,
  });
  const driver = data?.driver;
  return (
    <div className={styles.page} data-page="flow">
      <header className={styles.head}>
        <h1>{driver?.name ?? t('title')}</h1>
        {views}
      </header>
      {data === undefined && <ReadState error={error} onRetry={() => void refetch()} />}
      {driver === null && (
        <RegistryState
          total={0}
          error={null}
          onRetry={() => void refetch()}
          onClear={() => {}}
          empty={{ title: t('mine.nobody'), text: t('mine.nobodyText') }}
        />
      )}
      {driver && (
        <div className={styles.cards}>
          <Due driver={driver} />
          <MyTasks />
          <section className={styles.card} aria-labelledby="my-vehicle">
            <h2 id="my-vehicle">{t('mine.vehicle')}</h2>
            <MyVehicle driver={driver} />
          </section>
          <section className={styles.card} aria-labelledby="my-documents">
            <h2 id="my-documents">{t('mine.documents')}</h2>
            <Documents owner={{ kind: 'driver', id: driver.id, own: true }} mayEdit={false} onChanged={() => {}} />
          </section>
          {driver.vehicle && (
            <section className={styles.card} aria-labelledby="vehicle-documents">
              <h2 id="vehicle-documents">{t('mine.vehicleDocuments', { name: driver.vehicle.deviceName })}</h2>
              <Documents owner={{ kind: 'vehicle', id: driver.vehicle.id }} mayEdit={false} onChanged={() => {}} />
            </section>
          )}
          <section className={styles.card} aria-labelledby="my-licence">
            <h2 id="my-licence">{t('mine.licence')}</h2>
            <PersonFacts person={{ ...driver, vehicle: null, notes: null }} />
            <p className={styles.quiet}>{t('mine.wrong')}</p>
          </section>
          <section className={styles.card} aria-labelledby="my-privacy">
            <h2 id="my-privacy">{t('mine.privacy')}</h2>
            <MyPrivacy hasCard={driver.card !== null} />
          </section>
        </div>
      )}
    </div>
  );
}

/** What has expired or expires soon, shown first: the driver's own documents and those of the vehicle. */
function Due({ driver: { licenceExpiresOn, documentsExpireOn, vehicle } }: { readonly driver: Driver }) {
  const { t } = useTranslation('personal');
  const expiryOf = useExpiry();
  const entry = useVehicle(vehicle?.imei ?? null);
  const due = (
    [
      [t('mine.dueLicence'), licenceExpiresOn],
      [t('mine.dueDocument'), documentsExpireOn],
      [t('mine.dueVehicle', { name: vehicle?.deviceName }), entry?.vehicle.documentsExpireOn ?? null],
    ] as const
  ).flatMap(([what, day]) => (day !== null && expiryOf(day) !== 'fine' ? [{ what, day }] : []));
  if (due.length === 0) return null;
  return (
    <section className={styles.due} aria-labelledby="my-due">
      <h2 id="my-due">{t('mine.due')}</h2>
      {due.map(({ what, day }) => (
        <span key={what}>
          {what} <ExpiryChip expiresOn={day} exact />
        </span>
      ))}
    </section>
  );
}
