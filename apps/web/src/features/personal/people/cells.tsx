import type { BoardRow, Driver } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import styles from './cells.module.css';

/** Below this, coaching helps. */
const LOW_SCORE = 75;

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

/** The duty status now; empty for people who keep no log. */
export function DutyCell({ row }: { readonly row: BoardRow | null }) {
  const { t } = useTranslation('logbook');
  return row && <DutyChip status={row.status} label={t(`status.${row.status}`)} />;
}

/** The score of 100, and as a bar. */
export const ScoreCell = ({ score }: { readonly score: number | null }) =>
  score !== null && (
    <span className={styles.score} data-low={score < LOW_SCORE || undefined}>
      <b>{formatCount(Math.round(score))}</b>
      <span aria-hidden="true">
        <i style={{ width: `${Math.max(0, Math.min(100, score))}%` }} />
      </span>
    </span>
  );

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
