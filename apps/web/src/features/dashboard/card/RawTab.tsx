import { listMessages, type RouteAnswer } from '@milepost/contract';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { describeError } from '../../../app/describe-error.ts';
import { formatClock } from '../../../format/clock.ts';
import { joined, wireSpeedFigure } from '../../../format/measure.ts';
import { formatCoordinates } from '../../../format/place.ts';
import { formatDay } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import styles from './RawTab.module.css';

const LIMIT = 50;

type Message = RouteAnswer<typeof listMessages>[number];

/** The last messages as they were stored, so that any figure can be traced to what the tracker sent. */
export function RawTab({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('dashboard');
  const { id } = entry.vehicle;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['messages', id],
    queryFn: () => call(listMessages, { params: { id }, query: { limit: LIMIT } }),
    staleTime: 0,
  });
  if (!data) {
    if (!error) return <div className={styles.tab} aria-busy="true" />;
    return (
      <p className={styles.tab} role="alert">
        {t('raw.failed')}: {describeError(error).message}
      </p>
    );
  }
  if (data.length === 0) return <p className={styles.tab}>{t('raw.none')}</p>;
  return (
    <div className={styles.tab}>
      <header className={styles.head}>
        <span>{t('raw.title', { count: data.length })}</span>
        <IconButton label={t('raw.refresh')} tooltip="left" disabled={isFetching} onClick={() => void refetch()}>
          <IconRefresh size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section className={styles.scroller} tabIndex={0} aria-label={t('card.raw')}>
        <table className={styles.table}>
          <thead>
            <tr>
              {(
                ['fix', 'received', 'valid', 'speed', 'course', 'position', 'protocol', 'doubts', 'attributes'] as const
              ).map(column => (
                <th key={column} scope="col">
                  {t(`raw.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map(message => (
              <Row
                key={`${message.report.reportDate}${message.report.reportTime}${message.report.receivedAt}`}
                message={message}
              />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function Row({ message: { report, protocol, doubts, attributes } }: { readonly message: Message }) {
  const { t } = useTranslation('dashboard');
  const system = useMeasureSystem();
  const fixMs = Date.parse(`${report.reportDate}T${report.reportTime}Z`);
  return (
    <tr data-doubted={doubts.length > 0 || undefined}>
      <th scope="row" title={formatDay(fixMs)}>
        {formatClock(fixMs)}
      </th>
      <td>{report.receivedAt && formatClock(Date.parse(report.receivedAt))}</td>
      <td>{report.gpsStatus}</td>
      <td>{joined(wireSpeedFigure(report.speed, system))}</td>
      <td>{report.course == null ? '' : `${Math.round(report.course)}°`}</td>
      <td>{formatCoordinates(report.lat, report.lon)}</td>
      <td>{protocol}</td>
      <td>{doubts.map(doubt => t(`raw.doubt.${doubt}`)).join(', ')}</td>
      <td className={styles.attributes}>
        {Object.entries(attributes)
          .map(([key, value]) => `${key}=${value}`)
          .join('  ')}
      </td>
    </tr>
  );
}
