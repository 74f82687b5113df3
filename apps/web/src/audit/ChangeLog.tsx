import { listAudit } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { describeError } from '../base/describe-error.ts';
import { useFromNow } from '../live/view.ts';
import { AuditLine } from './AuditLine.tsx';
import styles from './ChangeLog.module.css';

const SHOWN = 100;
const DAY_MS = 86_400_000;

interface Props {
  /** Filters by the part of the action before the dot, because a vehicle and a driver may have the same ID. */
  readonly kind: 'vehicle' | 'driver';
  readonly id: string;
}

/** Who changed a vehicle or driver, and when. Newest first. */
export function ChangeLog({ kind, id }: Props) {
  const { t } = useTranslation('audit');
  const today = useFromNow(now => Math.floor(now / DAY_MS) * DAY_MS);
  const { data, error } = useQuery({
    queryKey: ['audit', kind, id],
    queryFn: () => call(listAudit, { query: { action: kind, targetId: id, limit: SHOWN } }),
    // Always read again, so that a change just saved in the drawer is included.
    staleTime: 0,
  });
  // This action's target is the driver, whose ID may equal the vehicle's.
  const entries = data?.entries.filter(({ action }) => action !== 'vehicle.driver-changed');
  if (error && !data) return <p role="alert">{describeError(error).message}</p>;
  if (entries?.length === 0) return <p>{t('noChanges')}</p>;
  return (
    <ol className={styles.log}>
      {entries?.map(entry => (
        <AuditLine key={entry.id} entry={entry} nowMs={today} detailed />
      ))}
    </ol>
  );
}
