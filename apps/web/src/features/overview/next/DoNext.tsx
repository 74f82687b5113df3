import { type DoNextKind, type Overview, SEVERITIES } from '@milepost/contract';
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBroadcastOff,
  IconCalendarX,
  IconClockExclamation,
  IconCurrentLocationOff,
  IconFileAlert,
  IconFlame,
  IconId,
  IconSignature,
  IconUserQuestion,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDuration } from '../../../format/duration.ts';
import { listOf, numberFormat } from '../../../format/locale.ts';
import { paths } from '../../../paths.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import card from '../card.module.css';
import type { WorkStep } from '../now/work-now.ts';
import styles from './DoNext.module.css';

type Step = Overview['doNext'][number];
type AnyStep = Step | WorkStep;

/** So many steps are shown, as the server does. */
const MOST = 7;

const ICONS: Readonly<Record<AnyStep['kind'], typeof IconFlame>> = {
  violation: IconClockExclamation,
  soon: IconClockExclamation,
  uncertified: IconSignature,
  unidentified: IconUserQuestion,
  criticalAlerts: IconAlertOctagon,
  warningAlerts: IconAlertTriangle,
  documentsEnded: IconFileAlert,
  documentsEnding: IconFileAlert,
  driverDocumentsEnded: IconId,
  driverDocumentsEnding: IconId,
  subscriptionsOver: IconCalendarX,
  subscriptionsEnding: IconCalendarX,
  silent: IconBroadcastOff,
  neverHeard: IconBroadcastOff,
  idled: IconFlame,
  gpsDoubts: IconCurrentLocationOff,
  noDriver: IconUserQuestion,
};

const VERBS: Readonly<Record<AnyStep['kind'], 'look' | 'renew' | 'check' | 'assign' | 'remind' | 'review'>> = {
  violation: 'look',
  soon: 'look',
  uncertified: 'remind',
  unidentified: 'review',
  criticalAlerts: 'look',
  warningAlerts: 'look',
  documentsEnded: 'renew',
  documentsEnding: 'renew',
  driverDocumentsEnded: 'renew',
  driverDocumentsEnding: 'renew',
  subscriptionsOver: 'renew',
  subscriptionsEnding: 'renew',
  silent: 'check',
  neverHeard: 'check',
  idled: 'look',
  gpsDoubts: 'check',
  noDriver: 'assign',
};

const WORK_LINKS: Readonly<Record<WorkStep['kind'], string>> = {
  violation: paths.eldShowing('violation'),
  soon: paths.eldShowing('soon'),
  uncertified: paths.eldShowing('uncertified'),
  unidentified: paths.eldUnidentified(),
};

interface Props {
  readonly steps: readonly Step[];
  /** About logs; empty if the account keeps none. */
  readonly work: readonly WorkStep[];
  readonly linkOf: (step: Step) => string;
}

/** The most useful next steps, and why. */
export function DoNext({ steps, work, linkOf }: Props) {
  const { t } = useTranslation('overview');
  const reasonOf = useReason();
  // Within a severity, logs come first: the law and a license depend on them.
  const ranked = [...work, ...steps]
    .toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))
    .slice(0, MOST);
  return (
    <section className={card.card} aria-labelledby="overview-next">
      <header className={styles.head}>
        <h2 id="overview-next">{t('next.title')}</h2>
        <span>{t('next.order')}</span>
      </header>
      {ranked.length === 0 && <p className={styles.nothing}>{t('next.nothing')}</p>}
      <ol className={styles.steps}>
        {ranked.map(step => {
          const Icon = ICONS[step.kind];
          const title = t(`next.kinds.${step.kind}`, { count: step.count });
          return (
            <li key={step.kind} data-severity={step.severity}>
              <Icon size={18} stroke={1.75} aria-hidden />
              <div>
                <b>{title}</b>
                <span>{reasonOf(step)}</span>
              </div>
              <Link
                to={'about' in step ? linkOf(step) : WORK_LINKS[step.kind]}
                className={buttonLook()}
                aria-label={`${t(`next.verbs.${VERBS[step.kind]}`)}: ${title}`}
              >
                {t(`next.verbs.${VERBS[step.kind]}`)}
              </Link>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function useReason(): (step: AnyStep) => string {
  const { t } = useTranslation('overview');
  return step => {
    if ('about' in step) {
      const { kind, about, count, measure } = step;
      return withWhy(
        about.map(({ name }) => name),
        count,
        measure === null ? null : reason(kind, measure),
      );
    }
    const { drivers, leftS, names } = step;
    const left =
      leftS === null ? null : t('next.measures.left', { count: drivers, time: formatDuration(leftS * 1000) });
    return withWhy(names, drivers, left);
  };

  function withWhy(shown: readonly string[], count: number, why: string | null): string {
    const names =
      count > shown.length ? t('next.names', { names: shown.join(', '), count: count - shown.length }) : listOf(shown);
    return [names, why].filter(Boolean).join(' · ');
  }

  function reason(kind: DoNextKind, measure: number): string | null {
    switch (kind) {
      case 'silent':
      case 'idled':
        return t(`next.measures.${kind}`, { time: formatDuration(measure * 1000) });
      case 'gpsDoubts':
        return t('next.measures.gpsDoubts', {
          share: numberFormat({ style: 'percent', maximumFractionDigits: 0 }).format(measure),
        });
      case 'documentsEnded':
      case 'driverDocumentsEnded':
        return t('next.measures.endedDays', { count: -measure });
      case 'documentsEnding':
      case 'driverDocumentsEnding':
      case 'subscriptionsEnding':
        return measure === 0 ? t('next.measures.endedToday') : t('next.measures.endsDays', { count: measure });
      default:
        return null;
    }
  }
}
