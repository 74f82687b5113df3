import type { LogDay, ShownRecord } from '@milepost/contract';
import { fromMiles } from '@milepost/units';
import { IconLock, IconMessagePlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { joined, wholeDistanceFigure } from '../../../format/measure.ts';
import { loggedPlaceWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { homeClock, homeMoment, homeTime } from '../../../logbook/home-time.ts';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import frame from '../../../ui/table.module.css';
import styles from './RecordsTable.module.css';

interface Props {
  readonly day: LogDay;
  /** The record that starts the segment chosen in the graph. */
  readonly chosen: string | null;
  /** Null if the user may not add remarks. */
  readonly onAnnotate: ((record: ShownRecord) => void) | null;
}

/** Record types (Appendix A, table 6) with their own texts. */
const KINDS = {
  2: 'intermediate',
  3: 'indication',
  4: 'certification',
  5: 'sign-in',
  6: 'engine',
  7: 'fault',
} as const;

/** A day's records in order of time, with who or what created them, and their state. */
export function RecordsTable({ day, chosen, onAnnotate }: Props) {
  const { t } = useTranslation(['eld', 'logbook']);
  const system = useMeasureSystem();
  const what = ({ type, code, status, fault }: ShownRecord) => {
    if (status !== null) {
      return (
        <span className={styles.what}>
          <DutyChip status={status} label={t(`logbook:status.${status}`)} />
          <span aria-hidden="true">{t(`logbook:status.${status}`)}</span>
        </span>
      );
    }
    const kind = KINDS[type as keyof typeof KINDS];
    if (kind === 'fault') return t(`record.fault.${code as 1}`, { code: fault ?? '' });
    if (kind === 'sign-in') return t(code === 1 ? 'record.signIn' : 'record.signOut');
    if (kind === 'engine') return t(code <= 2 ? 'record.engineOn' : 'record.engineOff');
    return kind === undefined ? '' : t(`record.${kind}`);
  };
  /** Since the engine started, or where the record has the vehicle's total, that. */
  const distance = ({ type, miles }: ShownRecord) => {
    if (miles === null) return '';
    const words = joined(wholeDistanceFigure(fromMiles(miles), system));
    return type >= 5 ? t('record.odometer', { distance: words }) : words;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={styles.scroller} tabIndex={0} aria-label={t('record.title')}>
      <table className={`${frame.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">{t('record.start')}</th>
            <th scope="col">{t('columns.status')}</th>
            <th scope="col">{t('columns.place')}</th>
            <th scope="col">{t('record.origin.title')}</th>
            <th scope="col">{t('record.record')}</th>
            <th scope="col" data-align="end" title={t('record.distanceHint')}>
              {t('record.distance')}
            </th>
            <th scope="col">{t('record.note')}</th>
            {onAnnotate && <td />}
          </tr>
        </thead>
        <tbody>
          {day.records.map(record => {
            const { id, at, state, origin, by, isLocked, place, note, sequence, recordedAt } = record;
            const ms = Date.parse(at);
            return (
              <tr key={id} aria-current={id === chosen || undefined} data-state={state}>
                <th scope="row" title={homeClock(ms, day.timeZone)}>
                  {homeTime(ms, day.timeZone)}
                </th>
                <td>{what(record)}</td>
                <td title={place ?? undefined}>{place && loggedPlaceWords(place, system)}</td>
                <td>
                  {isLocked && <IconLock size={13} stroke={1.75} role="img" aria-label={t('record.locked')} />}{' '}
                  {origin && t(`record.origin.${origin}`)}
                  {origin === 'other-user' && by && <small>{by}</small>}
                </td>
                <td title={t('record.sequence', { sequence, time: homeMoment(Date.parse(recordedAt), day.timeZone) })}>
                  {t(`record.state.${state}`)}
                </td>
                <td data-align="end">{distance(record)}</td>
                <td>{note}</td>
                {onAnnotate && (
                  <td data-align="end">
                    {state === 'active' && (
                      <IconButton
                        label={t('record.annotate', { time: homeTime(ms, day.timeZone) })}
                        tooltip="left"
                        onClick={() => onAnnotate(record)}
                      >
                        <IconMessagePlus size={16} stroke={1.75} aria-hidden />
                      </IconButton>
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
