import type { DoNextKind, Overview } from '@milepost/contract';
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconBroadcastOff,
  IconCalendarX,
  IconCurrentLocationOff,
  IconFileAlert,
  IconFlame,
  IconId,
  IconUserQuestion,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatDuration } from '../../../format/duration.ts';
import { listOf, numberFormat } from '../../../format/locale.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import card from '../card.module.css';
import styles from './DoNext.module.css';

type Step = Overview['doNext'][number];

const ICONS: Readonly<Record<DoNextKind, typeof IconFlame>> = {
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

const VERBS: Readonly<Record<DoNextKind, 'look' | 'renew' | 'check' | 'assign' | 'call'>> = {
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

interface Props {
  readonly steps: readonly Step[];
  readonly linkOf: (step: Step) => string;
}

/** The most useful next steps, and why. */
export function DoNext({ steps, linkOf }: Props) {
  const { t } = useTranslation('overview');
  const reasonOf = useReason();
  return (
    <section className={card.card} aria-labelledby="overview-next">
      <header className={styles.head}>
        <h2 id="overview-next">{t('next.title')}</h2>
        <span>{t('next.order')}</span>
      </header>
      {steps.length === 0 && <p className={styles.nothing}>{t('next.nothing')}</p>}
      <ol className={styles.steps}>
        {steps.map(step => {
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
                to={linkOf(step)}
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

function useReason(): (step: Step) => string {
  const { t } = useTranslation('overview');
  return ({ kind, about, count, measure }) => {
    const shown = about.map(({ name }) => name);
    const names =
      count > shown.length ? t('next.names', { names: shown.join(', '), count: count - shown.length }) : listOf(shown);
    const why = measure === null ? null : reason(kind, measure);
    return why === null ? names : `${names} · ${why}`;
  };

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
