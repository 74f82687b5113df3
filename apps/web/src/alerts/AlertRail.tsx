import { IconChevronDown, IconChevronUp, IconCircleCheck } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { describeError } from '../base/describe-error.ts';
import { RetryButton } from '../base/RetryButton.tsx';
import { ShellSlot } from '../base/ShellSlot.tsx';
import { formatClock, formatTime } from '../format/time.ts';
import { usePast } from '../live/past.ts';
import { paths } from '../paths.ts';
import { Chip } from '../ui/Chip.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TONE_OF_SEVERITY } from './AlertBadge.tsx';
import styles from './AlertRail.module.css';
import { AlertRow } from './AlertRow.tsx';
import { acknowledge } from './acknowledge.ts';
import { ICON_OF_SEVERITY } from './alert-icons.ts';
import { useAlerts, useMayReadAlerts } from './use-alerts.ts';

const COLLAPSED_KEY = 'alerts-collapsed';
/** The rest is on the alerts page. */
const SHOWN = 4;
/** In the past view the rail shows more, because no page lists those alerts. */
const SHOWN_THEN = 50;

interface Props {
  /** Shows the vehicle. */
  readonly onVehicle: (imei: string) => void;
  /** If space is short, only the counts show until the rail is opened. */
  readonly compact?: boolean;
}

/** Open alerts beside the page, the most urgent first. */
export function Component({ onVehicle, compact = false }: Props) {
  const { t } = useTranslation(['alerts', 'timeTravel']);
  const past = usePast();
  const mayRead = useMayReadAlerts();
  const { alerts, counts, total, error, updatedMs, refetch } = useAlerts();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isCollapsed = chosen ?? (compact || localStorage.getItem(COLLAPSED_KEY) === '1');
  const list = useRef<HTMLUListElement>(null);
  const rail = useRef<HTMLElement>(null);
  const id = useId();
  if (!mayRead || (alerts === undefined && !error)) return null;

  const collapse = (next: boolean): void => {
    setChosen(next);
    localStorage.setItem(COLLAPSED_KEY, next ? '1' : '0');
  };
  /** Moves the focus to the next item, or to the rail, so that pressing one key handles one item after another. */
  const acknowledgeRow = (alertId: string): void => {
    const rows = [...(list.current?.children ?? [])];
    const at = rows.findIndex(row => row.contains(document.activeElement));
    void acknowledge([alertId]).then(done => {
      if (!done || at < 0) return;
      requestAnimationFrame(() => {
        const left = [...(list.current?.children ?? [])].filter(row => row !== rows[at]);
        const next = left[Math.min(at, left.length - 1)];
        (next?.querySelector<HTMLElement>('[data-focus]') ?? rail.current)?.focus();
      });
    });
  };
  const Chevron = isCollapsed ? IconChevronUp : IconChevronDown;
  return (
    <section
      ref={rail}
      id="alerts"
      tabIndex={-1}
      className={styles.rail}
      aria-labelledby={id}
      data-collapsed={isCollapsed || undefined}
    >
      <ShellSlot name="skip-links">
        <a href="#alerts">{t('skip')}</a>
      </ShellSlot>
      <header className={styles.head}>
        <h2 id={id}>{past ? t('timeTravel:openAt', { time: formatTime(past.atMs) }) : t('title')}</h2>
        {(['critical', 'warning', 'info'] as const).map(severity => {
          const Icon = ICON_OF_SEVERITY[severity];
          return (
            counts[severity] > 0 && (
              <Chip key={severity} tone={TONE_OF_SEVERITY[severity]}>
                <Icon size={13} stroke={1.75} role="img" aria-label={t(`severity.${severity}`)} />
                {counts[severity]}
              </Chip>
            )
          );
        })}
        {total === 0 && !error && (
          <span className={styles.none}>
            <IconCircleCheck size={15} stroke={1.75} aria-hidden />
            {t(past ? 'timeTravel:noneOpen' : 'none')}
          </span>
        )}
        {total > 0 && (
          <IconButton
            className={styles.collapse}
            label={t(isCollapsed ? 'expand' : 'collapse')}
            aria-expanded={!isCollapsed}
            tooltip="top"
            onClick={() => collapse(!isCollapsed)}
          >
            <Chevron size={18} stroke={1.75} aria-hidden />
          </IconButton>
        )}
      </header>
      {!past && error !== null && error !== undefined && (
        <p className={styles.stale} role="status">
          {alerts ? t('asOf', { time: formatClock(updatedMs) }) : describeError(error).message}
          <RetryButton error={error} onRetry={refetch} variant="text" />
        </p>
      )}
      {!isCollapsed && total > 0 && (
        <>
          <ul className={styles.list} ref={list}>
            {alerts?.slice(0, past ? SHOWN_THEN : SHOWN).map(alert => (
              <AlertRow key={alert.id} alert={alert} onVehicle={onVehicle} onAcknowledge={acknowledgeRow} />
            ))}
          </ul>
          {total > SHOWN && !past && (
            <Link className={styles.all} to={paths.alerts()}>
              {t('all', { count: total })}
            </Link>
          )}
        </>
      )}
    </section>
  );
}
