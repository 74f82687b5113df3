import { listDrivers, may } from '@milepost/contract';
import { IconPhone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { useSession } from '../../../app/session/session.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { DRIVERS_KEY } from '../../../organisation/driver-list.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { driverOf } from '../../../vehicles/vehicle-words.ts';
import styles from './DriverLine.module.css';

/** Who drives now, how that is known, and how to reach them. */
export function DriverLine({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('dashboard');
  const driver = driverOf(entry);
  const mayRead = useSession(({ me }) => me !== null && may(me, 'drivers.read'));
  const { data: drivers } = useQuery({
    queryKey: DRIVERS_KEY,
    queryFn: () => call(listDrivers),
    enabled: mayRead && driver !== null,
    staleTime: 60_000,
  });
  if (!driver) return null;
  const person = drivers?.find(({ id }) => id === driver.id);
  const listed = entry.vehicle.driver;
  const source = listed?.id === driver.id ? listed.source : person?.vehicle?.source;
  const phone = person?.phone;
  return (
    <section className={styles.driver} aria-label={t('driver.section')}>
      <Avatar name={driver.name} kind="person" size={32} />
      <div>
        <b>{driver.name}</b>
        {source && <span>{t(`driver.by.${source}`)}</span>}
      </div>
      {phone && (
        <a
          className={styles.call}
          href={`tel:${phone.replace(/[^\d+]/g, '')}`}
          aria-label={t('driver.callNamed', { name: driver.name, phone })}
        >
          <IconPhone size={16} stroke={1.75} aria-hidden />
          {t('driver.call')}
        </a>
      )}
    </section>
  );
}
