import { may, REPORT_MAX_DAYS, type Report, type ReportRow } from '@milepost/contract';
import { IconCalendarTime, IconPrinter, IconStar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { accountSettingsQuery, useAccountSettings } from '../../base/account-settings.ts';
import { describeError } from '../../base/describe-error.ts';
import { RetryButton } from '../../base/RetryButton.tsx';
import { Skeleton } from '../../base/Skeleton.tsx';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { type Days, lengthOf } from '../../figures/period.ts';
import { isoDateOf } from '../../format/date.ts';
import { formatCount } from '../../format/locale.ts';
import { endOfDay, startOfDay } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Catalogue } from './Catalogue.tsx';
import { Completeness } from './Completeness.tsx';
import { Empty } from './Empty.tsx';
import { Export } from './Export.tsx';
import { Filters } from './Filters.tsx';
import { GroupChart } from './GroupChart.tsx';
import { daysOfPreset, openingPreset, presetOf } from './presets.ts';
import styles from './ReportsPage.module.css';
import { ReportTable } from './ReportTable.tsx';
import { addressOfGroup, addressQuery, type ReportAddress, readAddress } from './report-url.ts';
import { SaveDialog } from './SaveDialog.tsx';
import { Schedule } from './Schedule.tsx';
import { Summary } from './Summary.tsx';
import { presetIn, savedQuery } from './saved-query.ts';
import { useReport, useReports } from './use-reports.ts';

const DAY_MS = 86_400_000;
/** The longest time that one replay shows. */
const REPLAY_MAX_MS = 7 * DAY_MS;
const HOUR_MS = 3_600_000;

/** The address bar's: a second change may come before React has drawn the first. */
const addressNow = (): ReportAddress | null => readAddress(new URLSearchParams(window.location.search));

/** `/reports`: choose a report, vehicles and days, and read it. Everything is in the address. */
export function Component() {
  const { t } = useTranslation(['reports', 'shell']);
  const { key } = useParams();
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const settings = useAccountSettings();
  // Until settings have loaded, we don't know today's date in the account's time zone.
  const isDated = useQuery(accountSettingsQuery).data !== undefined;
  const system = useMeasureSystem();
  const { data: reports, error: unread, refetch: reread } = useReports();
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'profile.write'));
  const [saving, setSaving] = useState(false);
  const [scheduling, setScheduling] = useState(false);
  const today = isoDateOf(Date.now(), settings.timeZone);
  const report = reports?.find(each => each.key === key) ?? (key === undefined ? reports?.[0] : undefined);
  const address = readAddress(parameters);
  const named = presetIn(parameters);
  const days = daysOfPreset(named ?? openingPreset(report), today, settings.firstWeekday);
  const whole: ReportAddress = address ?? openedAddress(parameters, days, report);
  const problem =
    whole.from > whole.to
      ? t('when.wrong')
      : lengthOf(whole) > REPORT_MAX_DAYS
        ? t('when.tooLong', { days: REPORT_MAX_DAYS })
        : undefined;
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage, isFetching } =
    useReport(report?.key, problem === undefined ? address : null);

  /** How another report opens: grouped as it is best read, and with other days if one of the two looks ahead. */
  const opened = (to: string): Partial<ReportAddress> => {
    const other = reports?.find(each => each.key === to);
    const turns = other !== undefined && report !== undefined && other.looksAhead !== report.looksAhead;
    return {
      group: other?.opensBy ?? '',
      options: {},
      ...(turns && daysOfPreset(openingPreset(other), today, settings.firstWeekday)),
    };
  };
  const linkOf = (to: string, at: ReportAddress = whole): string => paths.reports(to, addressQuery(at));
  const go = (change: Partial<ReportAddress>, to = report?.key ?? ''): void =>
    void navigate(linkOf(to, { ...(addressNow() ?? whole), ...change }), { replace: true });

  useShortcuts(
    mayWrite && report
      ? [{ keys: ['s'], label: t('schedule.title'), group: t('title'), run: () => setScheduling(true) }]
      : [],
  );

  // The days are in the address from the start, so that the link means the same tomorrow.
  const chosen = report?.key;
  const isWhole = address !== null && key !== undefined;
  const complete = chosen === undefined ? null : linkOf(chosen);
  useEffect(() => {
    if (!isWhole && isDated && complete !== null && addressNow() === null) void navigate(complete, { replace: true });
  }, [isWhole, isDated, complete, navigate]);

  const [page] = data?.pages ?? [];
  const rows = data?.pages.flatMap(each => each.rows) ?? [];
  const reader = { system, zone: page?.zone ?? settings.timeZone, currency: page?.currency ?? settings.currency };

  /** A day links to its trips, anything shorter to the replay of that time. */
  const evidenceOf = ({ deviceId, evidence, imei }: ReportRow): string | null => {
    if (deviceId === null || imei === null) return null;
    const isDay =
      evidence !== null &&
      Date.parse(evidence.to) - Date.parse(evidence.from) >= DAY_MS - HOUR_MS &&
      report?.key !== 'trips';
    if (evidence === null) return paths.vehicleOnMap(imei);
    if (!isDay || report?.key === 'stops') return replayOf(deviceId, evidence, reader.zone);
    const [first, last] = [evidence.from, evidence.to].map((iso, nth) =>
      isoDateOf(Date.parse(iso) - nth, reader.zone),
    ) as [string, string];
    return linkOf('trips', {
      ...whole,
      from: first,
      to: last,
      vehicles: [deviceId],
      folders: [],
      group: '',
      options: {},
    });
  };

  const groupLinkOf = (key: string): string | null => {
    const alone = addressOfGroup(whole, key);
    return alone && chosen !== undefined ? linkOf(chosen, alone) : null;
  };

  return (
    <div className={styles.frame} data-page="flow">
      <title>{t('shell:appTitle', { page: report?.title ?? t('title') })}</title>
      {reports ? (
        <Catalogue
          reports={reports}
          chosen={report?.key}
          linkOf={to => linkOf(to, { ...whole, ...opened(to) })}
          onChoose={to => go(opened(to), to)}
        />
      ) : (
        !unread && <Skeleton bones={16} className={styles.listToCome} />
      )}
      <div className={styles.page}>
        <header className={styles.head}>
          <h1>{report?.title ?? t('title')}</h1>
          {report && <p>{report.text}</p>}
          {page && report && (
            <div className={styles.actions}>
              <IconButton bordered label={t('print')} tooltip="bottom-end" onClick={() => print()}>
                <IconPrinter size={18} stroke={1.75} aria-hidden />
              </IconButton>
              {mayWrite && (
                <IconButton bordered label={t('saved.open')} tooltip="bottom-end" onClick={() => setSaving(true)}>
                  <IconStar size={18} stroke={1.75} aria-hidden />
                </IconButton>
              )}
              {mayWrite && (
                <Button
                  icon={<IconCalendarTime size={16} stroke={1.75} aria-hidden />}
                  onClick={() => setScheduling(true)}
                >
                  {t('schedule.open')}
                </Button>
              )}
              <Export report={report.key} address={whole} />
            </div>
          )}
        </header>
        {unread && !reports && (
          <ErrorState
            title={t('failed')}
            text={describeError(unread).message}
            actions={<RetryButton error={unread} onRetry={() => void reread()} variant="primary" />}
          />
        )}
        {reports && !report && <Notice tone="warning">{t('noSuchReport')}</Notice>}
        {report && (
          <Filters
            key={report.key}
            report={report}
            address={whole}
            today={today}
            firstWeekday={settings.firstWeekday}
            problem={problem}
            onChange={change => go(change)}
          />
        )}
        {error && !data && problem === undefined && (
          <ErrorState
            title={t('failed')}
            text={describeError(error).message}
            actions={<RetryButton error={error} onRetry={() => void refetch()} variant="primary" />}
          />
        )}
        {error && data && <Notice tone="warning">{t('stale', { reason: describeError(error).message })}</Notice>}
        {!data && (isFetching || (!reports && !unread)) && (
          <Skeleton bones={10} className={styles.rowsToCome} label={t('reading')} />
        )}
        {page && report && page.key === report.key && (
          <div className={styles.result} aria-busy={isPlaceholderData || undefined}>
            {page.total > 0 ? (
              <>
                <Summary page={page} reader={reader} />
                <GroupChart key={report.key} {...{ page, rows, reader }} group={whole.group} first={report.chart} />
                {page.groups.some(({ folderMean }) => folderMean) && <p>{t('folderMean')}</p>}
                <ReportTable
                  {...{ page, rows, reader }}
                  group={whole.group}
                  onlyTotals={whole.onlyTotals && whole.group !== ''}
                  linkOf={evidenceOf}
                  linkOfGroup={groupLinkOf}
                />
                {hasNextPage && !(whole.onlyTotals && whole.group !== '') && (
                  <div className={styles.more}>
                    <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                      {t('more', { shown: formatCount(rows.length), total: formatCount(page.total) })}
                    </Button>
                  </div>
                )}
              </>
            ) : (
              <Empty page={page} />
            )}
            <Completeness page={page} />
          </div>
        )}
        {saving && report && (
          <SaveDialog
            title={report.title}
            query={savedQuery(report.key, whole, presetOf(whole, today, settings.firstWeekday))}
            onClose={() => setSaving(false)}
          />
        )}
        {scheduling && report && (
          <Schedule report={report} address={whole} zone={reader.zone} onClose={() => setScheduling(false)} />
        )}
      </div>
    </div>
  );
}

/** The address of a report that was opened without days: grouped as it is best read, unless a saved one says how. */
function openedAddress(parameters: URLSearchParams, days: Days, report: Report | undefined): ReportAddress {
  const isSaved = presetIn(parameters) !== null;
  const group: [string, string][] = isSaved || parameters.has('group') ? [] : [['group', report?.opensBy ?? '']];
  const opened = readAddress(new URLSearchParams([...parameters, ['from', days.from], ['to', days.to], ...group]));
  return (
    opened ?? { ...days, ...{ vehicles: [], folders: [], group: '', compare: false, onlyTotals: false, options: {} } }
  );
}

/** Replay of a row's days, at the moment when the row begins. */
function replayOf(deviceId: string, evidence: NonNullable<ReportRow['evidence']>, zone: string): string {
  const [atMs, endMs] = [Date.parse(evidence.from), Date.parse(evidence.to)];
  const fromMs = startOfDay(atMs, zone);
  const toMs = Math.min(endOfDay(Math.max(atMs, endMs - 1), zone), fromMs + REPLAY_MAX_MS);
  return paths.replay({ vehicles: [deviceId], fromMs, toMs, atMs });
}
