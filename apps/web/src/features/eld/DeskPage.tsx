import { may } from '@milepost/contract';
import { IconSignature } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { useMedia } from '../../base/use-media.ts';
import { boardQuery } from '../../changes/keep-board.ts';
import { formatCount } from '../../format/locale.ts';
import { useMinute } from '../../live/view.ts';
import { useRegistry } from '../../registry/use-registry.ts';
import { Button } from '../../ui/Button.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import styles from './DeskPage.module.css';
import { Board } from './desk/Board.tsx';
import { isFound, isShown, SHOWN } from './desk/board-order.ts';
import { Counters } from './desk/Counters.tsx';
import { Exports } from './desk/Exports.tsx';
import { Inspections } from './desk/Inspections.tsx';
import { LogsGrid } from './desk/LogsGrid.tsx';
import { Malfunctions } from './desk/Malfunctions.tsx';
import { Proposals } from './desk/Proposals.tsx';
import { RequestDialog } from './desk/RequestDialog.tsx';
import { Unidentified } from './desk/Unidentified.tsx';
import { TABS, useDeskTab } from './desk/use-desk-url.ts';
import { EldFrame } from './EldFrame.tsx';
import { inspectionsQuery, malfunctionsQuery, proposalsQuery, unidentifiedQuery } from './queries.ts';
import { RuleNote } from './RuleNote.tsx';
import { Stale } from './Stale.tsx';
import { StandingDrivers } from './Standing.tsx';

const FILTERS = ['show'];

/** `/eld`: who is driving, how much time they have left, and what the office has to act on [R2.14]. */
export function DeskPage() {
  const { t } = useTranslation('eld');
  const registry = useRegistry(FILTERS);
  const [tab, choose] = useDeskTab();
  const board = useQuery(boardQuery);
  const unidentified = useQuery(unidentifiedQuery);
  const proposals = useQuery(proposalsQuery());
  const malfunctions = useQuery(malfunctionsQuery);
  const inspections = useQuery(inspectionsQuery);
  const nowMs = useMinute();
  const isWide = useMedia('(min-width: 90em)');
  const mayWrite = useSession(({ me }) => me !== null && may(me, 'logbook.write'));
  const [isRequesting, setIsRequesting] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: ['f'], label: t('search'), group: t('title'), run: () => search.current?.focus() }]);

  const shown = SHOWN.find(one => one === registry.filters.show?.[0]);
  const counts = {
    live: board.data?.rows.length,
    logs: undefined,
    unidentified: unidentified.data?.filter(({ state }) => state === 'open').length,
    proposals: proposals.data?.filter(({ state }) => state === 'waiting').length,
    malfunctions: malfunctions.data?.filter(({ clearedAt }) => clearedAt === null).length,
    dvir: inspections.data?.filter(({ state }) => state === 'reported').length,
    exports: undefined,
  };

  const tools = (
    <>
      <SearchBox
        ref={search}
        value={registry.query}
        onSearch={registry.search}
        label={t('search')}
        placeholder={t('searchHint')}
        clearLabel={t('clearSearch')}
      />
      <Segments
        label={t('order.label')}
        segments={(['time', 'name'] as const).map(id => ({ id, label: t(`order.${id}`) }))}
        chosen={registry.sort?.column === 'name' ? 'name' : 'time'}
        onChoose={id => registry.sortBy(id === 'name' ? { column: 'name', descending: false } : null)}
      />
      {mayWrite && (
        <Button icon={<IconSignature size={16} stroke={1.75} aria-hidden />} onClick={() => setIsRequesting(true)}>
          {t('request.open')}
        </Button>
      )}
    </>
  );

  return (
    <EldFrame title={t('title')} note={<RuleNote />}>
      <h1 className={styles.title}>{t('title')}</h1>
      <Stale query={board} />
      <StandingDrivers rows={board.data?.rows ?? []} />
      {board.data && (
        <Counters
          board={board.data}
          nowMs={nowMs}
          shown={shown}
          onShow={one => {
            choose('live');
            registry.filterBy(shown === one ? {} : { show: [one] });
          }}
          onUnidentified={() => choose('unidentified')}
        />
      )}
      <div className={styles.card}>
        <Tabs
          label={t('title')}
          tabs={TABS.map(id => ({
            id,
            label: t(`tabs.${id}`),
            count: counts[id] ? formatCount(counts[id]) : undefined,
          }))}
          chosen={tab}
          onChoose={choose}
          end={isWide && tab === 'live' && <div className={styles.end}>{tools}</div>}
        >
          {tab === 'live' && (
            <>
              {!isWide && <div className={styles.tools}>{tools}</div>}
              <Board
                rows={board.data?.rows}
                error={board.error}
                onRetry={() => void board.refetch()}
                registry={registry}
                nowMs={nowMs}
              />
            </>
          )}
          {tab === 'logs' && <LogsGrid rows={board.data?.rows ?? []} />}
          {tab === 'unidentified' && <Unidentified />}
          {tab === 'proposals' && <Proposals />}
          {tab === 'malfunctions' && <Malfunctions />}
          {tab === 'dvir' && <Inspections />}
          {tab === 'exports' && <Exports />}
        </Tabs>
      </div>
      {isRequesting && (
        <RequestDialog
          rows={(board.data?.rows ?? []).filter(row => isShown(row, shown, nowMs) && isFound(row, registry.query))}
          nowMs={nowMs}
          onClose={() => setIsRequesting(false)}
        />
      )}
    </EldFrame>
  );
}
