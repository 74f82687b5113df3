import type { Driver } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import styles from './cells.module.css';

/** Name and department. */
export function PersonCell({ person, department }: { readonly person: Driver; readonly department: string | null }) {
  const { t } = useTranslation('personal');
  return (
    <>
      <Avatar name={person.name} kind="person" size={30} />
      <span className={styles.lines}>
        <b>{person.name}</b>
        <small>{person.archived ? t('archived') : (department ?? t('noDepartment'))}</small>
      </span>
    </>
  );
}

/** The vehicle they drive now, and how we know. */
export function UnitCell({ person }: { readonly person: Driver }) {
  const { t } = useTranslation('personal');
  if (!person.vehicle) return <span className={styles.quiet}>{t('noUnit')}</span>;
  return (
    <span className={styles.unit}>
      <Plate>{person.vehicle.deviceName}</Plate>
      <small>{t(`drivingBy.${person.vehicle.source}`)}</small>
    </span>
  );
}
