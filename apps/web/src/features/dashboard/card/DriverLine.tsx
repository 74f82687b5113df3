import { IconPhone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import styles from './DriverLine.module.css';
import { telephone, useDriver } from './use-driver.ts';

/** The current driver, how we know, and how to reach them. */
export function DriverLine({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('dashboard');
  const driver = useDriver(entry);
  if (!driver) return null;
  const { name, source, phone } = driver;
  return (
    <section className={styles.driver} aria-label={t('driver.section')}>
      <Avatar name={name} kind="person" size={32} />
      <div>
        <b>{name}</b>
        {source && <span>{t(`driver.by.${source}`)}</span>}
      </div>
      {phone && (
        <a className={styles.call} href={telephone(phone)} aria-label={t('driver.callNamed', { name, phone })}>
          <IconPhone size={16} stroke={1.75} aria-hidden />
          {t('driver.call')}
        </a>
      )}
    </section>
  );
}
