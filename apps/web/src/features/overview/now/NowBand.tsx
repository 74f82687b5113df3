import type { Overview } from '@milepost/contract';
import { VEHICLE_STATUSES } from '@milepost/geo';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount } from '../../../format/locale.ts';
import { paths } from '../../../paths.ts';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { shapeOf, shapeToken } from '../../../ui/status-shapes.ts';
import card from '../card.module.css';
import styles from './NowBand.module.css';
import { useLateTasks } from './use-work-now.ts';
import type { WorkNow } from './work-now.ts';

interface Props {
  readonly overview: Overview;
  readonly statusLink: (status: string) => string;
  /** Null if the account keeps no logs. */
  readonly work: WorkNow | null;
}

/** The fleet right now: vehicles by status, drivers, and open work. */
export function NowBand({ overview, statusLink, work }: Props) {
  const { t } = useTranslation(['overview', 'vehicle']);
  const { statuses, drivers } = overview.now;
  const shown = VEHICLE_STATUSES.filter(status => (statuses[status] ?? 0) > 0);
  return (
    <div className={styles.band}>
      <section className={card.card} aria-labelledby="overview-now">
        <header className={styles.head}>
          <h2 id="overview-now">{t('now.vehicles', { count: overview.vehicles })}</h2>
          <Link to={paths.dashboard()}>{t('now.openMap')}</Link>
        </header>
        <div className={styles.bar} aria-hidden="true">
          {shown.map(status => (
            <i
              key={status}
              data-status={status}
              style={
                { flexGrow: statuses[status], '--c': `var(${shapeToken(shapeOf(status))})` } as React.CSSProperties
              }
            />
          ))}
        </div>
        <ul className={styles.statuses}>
          {shown.map(status => (
            <li key={status}>
              <Link to={statusLink(status)}>
                <StatusGlyph shape={shapeOf(status)} size={12} />
                <b>{formatCount(statuses[status] ?? 0)}</b> {t(`vehicle:status.${status}`)}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      {drivers && (
        <section className={card.card} aria-labelledby="overview-drivers">
          <header className={styles.head}>
            <h2 id="overview-drivers">{t('now.drivers')}</h2>
          </header>
          {work ? (
            <DutyFigures work={work} />
          ) : (
            <Figures
              figures={(['driving', 'standing', 'withoutVehicle'] as const).map(key => ({
                key,
                count: drivers[key],
                word: t(`now.${key}`),
                link: paths.personal(),
              }))}
            />
          )}
        </section>
      )}
      <Attention overview={overview} statusLink={statusLink} work={work} />
    </div>
  );
}

/** Drivers by duty status; what needs action only if there is any. */
function DutyFigures({ work }: { readonly work: WorkNow }) {
  const { t } = useTranslation('overview');
  const always = ['driving', 'onDuty', 'resting'] as const;
  const urgent = [
    { key: 'soon', tone: 'warning' },
    { key: 'violation', tone: 'critical' },
  ] as const;
  return (
    <Figures
      figures={[
        ...always.map(key => ({ key, count: work[key], word: t(`now.${key}`), link: paths.eld() })),
        ...urgent
          .filter(({ key }) => work[key] > 0)
          .map(({ key, tone }) => ({
            key,
            tone,
            count: work[key],
            word: t(`now.${key}`),
            link: paths.eldShowing(key),
          })),
      ]}
    />
  );
}

function Attention({ overview, statusLink, work }: Props) {
  const { t } = useTranslation('overview');
  const { alerts, silent, documentsEnding, subscriptionsEnding } = overview.now;
  const lateTasks = useLateTasks();
  const counted = [
    { key: 'critical', count: alerts?.critical ?? 0, link: paths.alerts(), tone: 'critical' },
    { key: 'warning', count: alerts?.warning ?? 0, link: paths.alerts(), tone: 'warning' },
    { key: 'lateTasks', count: lateTasks ?? 0, link: paths.dispatch(), tone: 'warning' },
    { key: 'uncertified', count: work?.uncertifiedDays ?? 0, link: paths.eldShowing('uncertified') },
    { key: 'unidentified', count: work?.unidentifiedMinutes ?? 0, link: paths.eldUnidentified() },
    { key: 'silent', count: silent, link: statusLink('offline') },
    { key: 'documents', count: documentsEnding ?? 0, link: `${paths.assets()}?documents=ended,ending` },
    { key: 'subscriptions', count: subscriptionsEnding ?? 0, link: `${paths.assets()}?subscription=over,ending` },
  ] as const;
  const figures = counted
    .filter(({ count }) => count > 0)
    .map(figure => ({ ...figure, word: t(`now.${figure.key}`, { count: figure.count }) }));
  return (
    <section className={card.card} aria-labelledby="overview-attention">
      <header className={styles.head}>
        <h2 id="overview-attention">{t('now.attention')}</h2>
      </header>
      {figures.length === 0 ? <p className={styles.nothing}>{t('now.nothing')}</p> : <Figures figures={figures} />}
    </section>
  );
}

interface Counted {
  readonly key: string;
  readonly count: number;
  readonly word: string;
  readonly link: string;
  readonly tone?: string;
}

const Figures = ({ figures }: { readonly figures: readonly Counted[] }) => (
  <ul className={styles.figures}>
    {figures.map(({ key, count, word, link, tone }) => (
      <li key={key}>
        <Link to={link} data-tone={tone}>
          <b>{formatCount(count)}</b>
          <span>{word}</span>
        </Link>
      </li>
    ))}
  </ul>
);
