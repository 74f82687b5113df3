import { listMessages, type RouteAnswer } from '@milepost/contract';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { Skeleton } from '../../../base/Skeleton.tsx';
import { joined, wireSpeedFigure } from '../../../format/measure.ts';
import { formatCoordinates } from '../../../format/place.ts';
import { formatClock, formatDay } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { RawFrame } from './RawFrame.tsx';
import styles from './RawTab.module.css';

const LIMIT = 50;

type Message = RouteAnswer<typeof listMessages>[number];

const fixMsOf = ({ report }: Message): number => Date.parse(`${report.reportDate}T${report.reportTime}Z`);
const keyOf = ({ report }: Message): string => `${report.reportDate}${report.reportTime}${report.receivedAt}`;

/** ISO time of the past moment that is shown; undefined while live. */
function useMomentShown(): string | undefined {
  const past = usePast();
  return past && new Date(past.atMs).toISOString();
}

/** The newest messages, or the last up to a past moment, as stored, so that any figure can be traced to what the tracker sent. Each opens its frame. */
export function RawTab({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('dashboard');
  const { id } = entry.vehicle;
  const [opened, setOpened] = useState<string | null>(null);
  const [left, setLeft] = useState<string | null>(null);
  const at = useMomentShown();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['messages', id, at],
    queryFn: () => call(listMessages, { params: { id }, query: { limit: LIMIT, at } }),
    staleTime: 0,
    placeholderData: before => before,
  });
  if (!data) {
    if (!error) return <Skeleton bones={6} />;
    return (
      <p className={styles.tab} role="alert">
        {t('raw.failed')}: {describeError(error).message}
      </p>
    );
  }
  const place = data.findIndex(message => keyOf(message) === opened);
  const message = data[place];
  if (message?.report.receivedAt) {
    const step = (by: number): (() => void) | null => {
      const next = data[place + by];
      return next ? () => setOpened(keyOf(next)) : null;
    };
    return (
      <RawFrame
        vehicleId={id}
        receivedAt={message.report.receivedAt}
        fixMs={fixMsOf(message)}
        onBack={() => {
          setLeft(opened);
          setOpened(null);
        }}
        onNewer={step(-1)}
        onOlder={step(1)}
      />
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
                key={keyOf(message)}
                message={message}
                isLeft={keyOf(message) === left}
                onOpen={() => setOpened(keyOf(message))}
              />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

interface RowProps {
  readonly message: Message;
  /** The user just came back from this row's frame, so it gets the focus. */
  readonly isLeft: boolean;
  readonly onOpen: () => void;
}

function Row({ message, isLeft, onOpen }: RowProps) {
  const { report, protocol, doubts, attributes } = message;
  const { t } = useTranslation('dashboard');
  const system = useMeasureSystem();
  const fixMs = fixMsOf(message);
  return (
    <tr data-doubted={doubts.length > 0 || undefined}>
      <th scope="row" title={formatDay(fixMs)}>
        <button
          type="button"
          className={styles.open}
          // biome-ignore lint/a11y/noAutofocus: after closing the frame, the focus returns to its row.
          autoFocus={isLeft}
          aria-label={t('raw.open', { time: formatClock(fixMs) })}
          onClick={onOpen}
        >
          {formatClock(fixMs)}
        </button>
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
