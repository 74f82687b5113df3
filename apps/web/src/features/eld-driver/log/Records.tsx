import type { LogDay, ShownRecord } from '@milepost/contract';
import { IconLock } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { loggedPlaceWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { homeTime } from '../../../logbook/home-time.ts';
import { Button } from '../../../ui/Button.tsx';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import view from './Log.module.css';

interface Props {
  readonly day: LogDay;
  readonly onEdit?: (record: ShownRecord) => void;
  readonly onRemark?: (record: ShownRecord) => void;
  /** Hands the record to the co-driver, for driving that was theirs. */
  readonly onHandOver?: (record: ShownRecord) => void;
}

const BY_TYPE = ['2', '4'] as const;
const BY_CODE = ['3-0', '5-1', '5-2', '6-1', '6-2', '6-3', '6-4', '7-1', '7-2', '7-3', '7-4'] as const;

/** Names a record that is not a duty status (Appendix A, table 6). */
export function recordWords(
  t: TFunction<['eldDriverMore', 'eldDriver', 'logbook']>,
  { code, fault, status, type }: ShownRecord,
): string {
  const byType = BY_TYPE.find(one => one === String(type));
  if (byType) return t(`log.types.${byType}`);
  const byCode = BY_CODE.find(one => one === `${type}-${code}`);
  if (byCode) return [t(`log.types.${byCode}`), fault].filter(Boolean).join(' ');
  return status === null ? '' : t(`logbook:status.${status}`);
}

/** Who or what created a record. */
export function originWords(
  t: TFunction<['eldDriverMore', 'eldDriver', 'logbook']>,
  { by, origin }: ShownRecord,
): string {
  if (origin === 'automatic') return t('log.automatic');
  if (origin === 'unidentified') return t('log.claimed');
  if (origin === 'driver') return t('log.byDriver');
  return by === null ? '' : t('log.byOther', { name: by });
}

/** A day's records, newest last, with buttons to change them. */
export function Records({ day, onEdit, onRemark, onHandOver }: Props) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const system = useMeasureSystem();
  const records = day.records.filter(({ state }) => state !== 'change-rejected' && state !== 'change-withdrawn');
  if (records.length === 0) return <p>{t('log.noRecords')}</p>;
  return (
    <ol className={view.records} aria-label={t('log.records')}>
      {records.map(record => {
        const isActive = record.state === 'active';
        // People may enter only duty status, personal use and yard moves.
        const isDuty = record.type === 1 || record.type === 3;
        const words = recordWords(t, record);
        // A remark can stand for the status, which the chip names, but for nothing else.
        const hasChip = record.status !== null && isDuty;
        const name = `${homeTime(Date.parse(record.at), day.timeZone)} ${words}`;
        return (
          <li key={record.id} data-inactive={!isActive || undefined}>
            <span className={view.time}>{homeTime(Date.parse(record.at), day.timeZone)}</span>
            {hasChip && record.status !== null && (
              <DutyChip status={record.status} label={t(`logbook:status.${record.status}`)} />
            )}
            <span className={view.what}>
              <b>{(hasChip && record.note) || words}</b>
              <span>
                {[
                  !hasChip && record.note,
                  record.place && loggedPlaceWords(record.place, system),
                  originWords(t, record),
                  !isActive && t('log.inactive'),
                ]
                  .filter(Boolean)
                  .join(' · ')}
                {record.isLocked && (
                  <span title={t('log.locked')}>
                    {' '}
                    <IconLock size={13} stroke={1.75} role="img" aria-label={t('log.locked')} />
                  </span>
                )}
              </span>
              {isActive && onRemark && (
                <span className={view.buttons}>
                  {isDuty && !record.isLocked && onEdit && record.status !== null && (
                    <Button variant="text" aria-label={`${t('log.edit')}: ${name}`} onClick={() => onEdit(record)}>
                      {t('log.edit')}
                    </Button>
                  )}
                  {record.status === 'D' && record.isLocked && onHandOver && (
                    <Button
                      variant="text"
                      aria-label={`${t('team.handOver')}: ${name}`}
                      onClick={() => onHandOver(record)}
                    >
                      {t('team.handOver')}
                    </Button>
                  )}
                  <Button variant="text" aria-label={`${t('log.annotate')}: ${name}`} onClick={() => onRemark(record)}>
                    {t('log.annotate')}
                  </Button>
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
