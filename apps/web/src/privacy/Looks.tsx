import { type Look, type LookKind, listLooksOf, listMyLooks } from '@milepost/contract';
import {
  IconBell,
  IconClockHour4,
  IconDownload,
  IconEyeCheck,
  IconHistory,
  IconLink,
  IconLockOpen,
  IconMap2,
  IconMapSearch,
  IconPlayerTrackNext,
  IconReportAnalytics,
  IconRoute,
  IconTruck,
} from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { formatDate, isoDateOf } from '../format/date.ts';
import { formatDuration } from '../format/duration.ts';
import { formatDay, formatTime, startOfDay } from '../format/time.ts';
import { ReadState } from '../registry/ReadState.tsx';
import { Button } from '../ui/Button.tsx';
import { Segments } from '../ui/Segments.tsx';
import styles from './Looks.module.css';
import { type FleetLine, lookDays } from './look-days.ts';

const ICONS = {
  map: IconMap2,
  alerts: IconBell,
  desk: IconClockHour4,
  vehicle: IconTruck,
  replay: IconPlayerTrackNext,
  trips: IconRoute,
  'time-travel': IconHistory,
  search: IconMapSearch,
  report: IconReportAnalytics,
  file: IconDownload,
  log: IconClockHour4,
  share: IconLink,
  ledger: IconEyeCheck,
  alert: IconBell,
  hidden: IconLockOpen,
} as const satisfies Record<LookKind, unknown>;

const WHO = { 'api-token': 'apiToken', email: 'email', push: 'push', webhook: 'webhook' } as const;

const PERIODS = ['7', '30', '365'] as const;
const DAY_MS = 86_400_000;
/** A look is in the ledger within a second; this is when its driver sees it. */
const ASK_EVERY_MS = 5000;
const MINUTE_MS = 60_000;

/** Who looked at a driver's positions, day by day: one's own ledger, or with an ID that of a driver. */
export function Looks({ driverId = null }: { readonly driverId?: string | null }) {
  const { t } = useTranslation('privacy');
  const [days, setDays] = useState<(typeof PERIODS)[number]>('7');
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: ['looks', driverId, days],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) => {
      const nowMs = Date.now();
      const query = {
        from: new Date(startOfDay(nowMs) - (Number(days) - 1) * DAY_MS).toISOString(),
        to: new Date(nowMs).toISOString(),
        ...(before !== undefined && { before }),
      };
      return driverId === null ? call(listMyLooks, { query }) : call(listLooksOf, { params: { id: driverId }, query });
    },
    getNextPageParam: page => page.next ?? undefined,
    // Reading another's ledger is an entry in it.
    refetchInterval: driverId === null ? ASK_EVERY_MS : false,
  });
  const looks = data?.pages.flatMap(page => page.looks);
  return (
    <div className={styles.looks}>
      <Segments
        segments={PERIODS.map(id => ({ id, label: t(`period.${id}`) }))}
        chosen={days}
        onChoose={setDays}
        label={t('period.label')}
      />
      {looks === undefined && <ReadState error={error} onRetry={() => void refetch()} />}
      {looks?.length === 0 && <p className={styles.quiet}>{t('nobodyLooked')}</p>}
      {lookDays(looks ?? []).map(({ day, fleet, own }) => (
        <section key={day} aria-label={formatDate(day)}>
          <h3>{dayWords(day, t)}</h3>
          <ul>
            {own.map(look => (
              <LookRow key={look.id} look={look} />
            ))}
            {fleet.map(line => (
              <FleetRow key={line.kind} line={line} />
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </div>
  );
}

function LookRow({ look: { beganAt, importedAt, kind, link, period, untilAt, user, via } }: { readonly look: Look }) {
  const { t } = useTranslation('privacy');
  const name = user?.name ?? t('someone');
  const who =
    via === 'share'
      ? link?.name
        ? t('who.namedLink', { link: link.name, name })
        : t('who.link', { name })
      : via === 'session'
        ? name
        : t(`who.${WHO[via]}`, { name, webhook: link?.name ?? '' });
  const Icon = ICONS[kind];
  return (
    <li className={styles.row}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={styles.what}>
        <b>{who}</b>
        <span>
          {t(`kind.${kind}`)}
          {period && ` · ${periodWords(period)}`}
          {importedAt !== undefined && ` · ${t('imported')}`}
        </span>
      </span>
      <When fromMs={Date.parse(beganAt)} toMs={Date.parse(untilAt)} />
    </li>
  );
}

function FleetRow({ line: { fromMs, isImported, kind, names, toMs } }: { readonly line: FleetLine }) {
  const { t } = useTranslation('privacy');
  const Icon = ICONS[kind];
  return (
    <li className={styles.row}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={styles.what}>
        <b className={styles.fleet}>{names.length === 0 ? t('someone') : names.join(', ')}</b>
        <span>
          {t(`kind.${kind}`)}
          {isImported && ` · ${t('imported')}`}
        </span>
      </span>
      <When fromMs={fromMs} toMs={toMs} />
    </li>
  );
}

function When({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  const length = toMs - fromMs;
  return (
    <span className={styles.when}>
      {formatTime(fromMs)}
      {length >= MINUTE_MS && `–${formatTime(toMs)}`}
      {length >= MINUTE_MS && <span>{formatDuration(length)}</span>}
    </span>
  );
}

function dayWords(day: string, t: ReturnType<typeof useTranslation<'privacy'>>['t']): string {
  const nowMs = Date.now();
  if (day === isoDateOf(nowMs)) return t('today');
  if (day === isoDateOf(startOfDay(nowMs) - 1)) return t('yesterday');
  return formatDate(day);
}

/** `Mon, Nov 2 08:00–12:00`; whole days only as days. */
function periodWords({ from, to }: NonNullable<Look['period']>): string {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const [first, last] = [formatDay(fromMs), formatDay(toMs)];
  if (first !== last) return `${first} – ${last}`;
  return toMs - fromMs < MINUTE_MS
    ? `${first} ${formatTime(toMs)}`
    : `${first} ${formatTime(fromMs)}–${formatTime(toMs)}`;
}
