import { may, type OutcomeTile, type Overview, type OverviewOutcomes } from '@milepost/contract';
import { IconDeviceTv, IconLayoutGrid, IconPrinter, IconTarget, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAccountSettings } from '../../base/account-settings.ts';
import { lazyPart } from '../../base/chunks/lazy-part.tsx';
import { describeError } from '../../base/describe-error.ts';
import { RetryButton } from '../../base/RetryButton.tsx';
import { Skeleton } from '../../base/Skeleton.tsx';
import { useSession } from '../../base/session/session.ts';
import { daysOf } from '../../figures/period.ts';
import { formatDate, isoDateOf } from '../../format/date.ts';
import { formatClock } from '../../format/time.ts';
import { pathOf } from '../../organisation/groups.ts';
import { useGroups } from '../../organisation/use-groups.ts';
import { paths } from '../../paths.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Controls } from './Controls.tsx';
import { DistanceChart } from './charts/DistanceChart.tsx';
import { HoursChart } from './charts/HoursChart.tsx';
import { DetentionCard } from './detention/DetentionCard.tsx';
import { overviewLinks } from './links.ts';
import { DoNext } from './next/DoNext.tsx';
import { NowBand } from './now/NowBand.tsx';
import { useWorkNow } from './now/use-work-now.ts';
import type { WorkNow } from './now/work-now.ts';
import styles from './OverviewPage.module.css';
import { type OverviewUrl, useOverviewUrl } from './state/use-overview-url.ts';
import { TileGrid } from './tiles/TileGrid.tsx';
import { useArrangement } from './tiles/use-arrangement.ts';
import { useOutcomes, useOverview } from './use-overview.ts';
import { useWall } from './use-wall.ts';

const TargetsDialog = lazyPart(async () => (await import('./targets/TargetsDialog.tsx')).TargetsDialog);

const NOBODY: readonly never[] = [];

/** `/overview`: how the fleet is doing now and over a period, and what to do next. */
export function Component() {
  const { t } = useTranslation(['overview', 'shell', 'errors']);
  const settings = useAccountSettings();
  const me = useSession(session => session.me);
  const url = useOverviewUrl();
  const { nodes: folders } = useGroups('folder', NOBODY);
  const { nodes: departments } = useGroups('department', NOBODY);
  const work = useWorkNow({
    ...{ folder: url.folder, department: url.department },
    ...{ folders: folders ?? NOBODY, departments: departments ?? NOBODY },
  });
  const today = isoDateOf(Date.now(), settings.timeZone);
  const days = daysOf(url.period, url.custom, today);
  const asked = { ...days, folder: url.folder, department: url.department };
  const { data, error, dataUpdatedAt, refetch, isPlaceholderData, isPaused, failureReason } = useOverview(asked);
  const { outcomes, outcomesToCome } = useOutcomes(asked);
  const page = useRef<HTMLDivElement>(null);
  const wall = useWall(page);
  const [arranging, setArranging] = useState(false);
  const [settingTargets, setSettingTargets] = useState(false);
  const maySetTargets = me !== null && may(me, 'settings.write');

  return (
    <div ref={page} className={styles.page} data-page="flow" data-wall={wall.isOn || undefined}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <header className={styles.head}>
        <h1>{t('title')}</h1>
        <div className={styles.controls}>
          <Controls url={url} days={days} folders={folders ?? NOBODY} departments={departments ?? NOBODY} />
          {data && data.vehicles > 0 && (
            <>
              <Button
                icon={<IconLayoutGrid size={16} stroke={1.75} aria-hidden />}
                aria-pressed={arranging}
                onClick={() => setArranging(!arranging)}
              >
                {t(arranging ? 'actions.done' : 'actions.arrange')}
              </Button>
              {maySetTargets && (
                <IconButton bordered label={t('actions.targets')} onClick={() => setSettingTargets(true)}>
                  <IconTarget size={18} stroke={1.75} aria-hidden />
                </IconButton>
              )}
              <IconButton bordered label={t('actions.print')} onClick={() => print()}>
                <IconPrinter size={18} stroke={1.75} aria-hidden />
              </IconButton>
              <IconButton
                bordered
                label={t(wall.isOn ? 'actions.leaveWall' : 'actions.wall')}
                tooltip="bottom-end"
                onClick={wall.isOn ? wall.leave : wall.enter}
              >
                {wall.isOn ? (
                  <IconX size={18} stroke={1.75} aria-hidden />
                ) : (
                  <IconDeviceTv size={18} stroke={1.75} aria-hidden />
                )}
              </IconButton>
            </>
          )}
        </div>
      </header>
      {error && data && (
        <Notice tone="warning">
          {t('stale', { time: formatClock(dataUpdatedAt), reason: describeError(error).message })}
        </Notice>
      )}
      {error && !data && (
        <ErrorState
          title={t('failed')}
          text={describeError(error).message}
          actions={<RetryButton error={error} onRetry={() => void refetch()} variant="primary" />}
        />
      )}
      {!error && !data && <Skeleton bones={11} className={styles.toCome} />}
      {isPlaceholderData && (isPaused || failureReason) && (
        <Notice tone="warning">
          {t('before', { reason: failureReason ? describeError(failureReason).message : t('errors:unreachable') })}
        </Notice>
      )}
      {data && data.vehicles === 0 && !isPlaceholderData && <NoVehicles url={url} />}
      {data && data.vehicles > 0 && (
        <Bands
          overview={data}
          outcomes={outcomes}
          outcomesToCome={outcomesToCome}
          isEarlier={isPlaceholderData}
          links={overviewLinks({
            folder: pathOf(folders ?? NOBODY, url.folder),
            department: pathOf(departments ?? NOBODY, url.department),
            folderId: url.folder,
            period: url.period,
            days: data.period,
          })}
          work={work}
          arranging={arranging}
          firstWeekday={settings.firstWeekday}
        />
      )}
      {settingTargets && <TargetsDialog onClose={() => setSettingTargets(false)} />}
    </div>
  );
}

interface BandsProps {
  readonly overview: Overview;
  readonly outcomes: readonly OverviewOutcomes['tiles'][number][];
  readonly outcomesToCome: readonly OutcomeTile[];
  /** The previous selection is still shown while the new one loads. */
  readonly isEarlier: boolean;
  readonly links: ReturnType<typeof overviewLinks>;
  readonly work: WorkNow | null;
  readonly arranging: boolean;
  readonly firstWeekday: number;
}

function Bands({ overview, outcomes, outcomesToCome, isEarlier, links, work, arranging, firstWeekday }: BandsProps) {
  const { t } = useTranslation('overview');
  const { tiles, arrange } = useArrangement();
  const { previous, since, behind, passing, zone } = overview;
  return (
    <div className={styles.bands} aria-busy={isEarlier || undefined}>
      <NowBand overview={overview} statusLink={links.status} work={work} />
      {behind > 0 && <Notice>{t('behind', { count: behind })}</Notice>}
      {passing > 0 && <Notice>{t('passing', { count: passing })}</Notice>}
      <TileGrid
        tiles={[...overview.tiles, ...outcomes]}
        toCome={outcomesToCome}
        chosen={tiles}
        onArrange={arrange}
        arranging={arranging}
        linkOf={links.tile}
      />
      {overview.detention && <DetentionCard detention={overview.detention} link={links.detention} />}
      <div className={styles.lower}>
        <DistanceChart overview={overview} />
        <HoursChart hours={overview.hours} firstWeekday={firstWeekday} />
        <DoNext steps={overview.doNext} work={work?.steps ?? NOBODY} linkOf={links.doNext} />
      </div>
      <p className={styles.foot}>
        {since !== null && since > previous.from
          ? t('period.since', { date: formatDate(since) })
          : t('period.previous', { from: formatDate(previous.from), to: formatDate(previous.to) })}
        {' · '}
        {t('period.zone', { zone: zone.replaceAll('_', ' ') })}
      </p>
    </div>
  );
}

function NoVehicles({ url }: { readonly url: OverviewUrl }) {
  const { t } = useTranslation('overview');
  const isFiltered = url.folder !== '' || url.department !== '';
  return (
    <div className={styles.empty}>
      <EmptyRoad />
      <h2>{t(isFiltered ? 'empty.filtered' : 'empty.title')}</h2>
      <p>{t(isFiltered ? 'empty.filteredText' : 'empty.text')}</p>
      {isFiltered ? (
        <Button onClick={() => url.change({ folder: '', department: '' })}>{t('empty.clear')}</Button>
      ) : (
        <Link to={paths.assets()} className={buttonLook({ variant: 'primary' })}>
          {t('empty.action')}
        </Link>
      )}
    </div>
  );
}
