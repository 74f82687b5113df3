import { VEHICLE_STATUSES } from '@milepost/geo';
import { lazy, type Ref, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '../../../app/with-texts.ts';
import { StatusRibbon } from '../../../ui/StatusRibbon.tsx';
import { shapeOf } from '../../../ui/status-shapes.ts';
import { toggleStatus, useDashboard } from '../state/dashboard-state.ts';
import { FleetTree, type ListHandle } from './FleetTree.tsx';
import { FilterButton } from './filters/FilterButton.tsx';
import type { FleetList } from './fleet-list.ts';
import { SearchField } from './SearchField.tsx';
import { StaleStrip } from './StaleStrip.tsx';
import styles from './VehiclePanel.module.css';

const FilterTokens = withTexts(() => import('./filters/FilterTokens.tsx'), {
  searchTokens: () => import('../../../locales/en-US/search-tokens.json'),
});
// Only where there is no list to show.
const ListState = lazy(async () => ({ default: (await import('./ListState.tsx')).ListState }));
const UnknownTrackers = lazy(async () => ({ default: (await import('./UnknownTrackers.tsx')).UnknownTrackers }));

interface Props {
  readonly list: FleetList;
  readonly listRef: Ref<ListHandle>;
  readonly searchRef: Ref<HTMLInputElement>;
  /** Null for someone who may not add vehicles. */
  readonly onAdd: ((imei?: string) => void) | null;
}

/** The vehicles: what of them is looked for, and the list of those that are found. */
export function VehiclePanel({ list, listRef, searchRef, onAdd }: Props) {
  const hasTokens = useDashboard(state => state.tokens.length > 0);
  return (
    <div className={styles.panel}>
      <div className={styles.search}>
        <SearchField ref={searchRef} />
        <FilterButton />
      </div>
      <div className={styles.ribbon}>
        <Ribbon list={list} />
      </div>
      <Suspense>{hasTokens && <FilterTokens />}</Suspense>
      <StaleStrip />
      <Suspense>{onAdd && <UnknownTrackers onAdd={onAdd} />}</Suspense>
      {list.entries.length > 0 ? (
        <FleetTree list={list} ref={listRef} />
      ) : (
        <Suspense>
          <ListState list={list} onAdd={onAdd} />
        </Suspense>
      )}
    </div>
  );
}

export function Ribbon({ list, floating = false }: { readonly list: FleetList; readonly floating?: boolean }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const chosen = useDashboard(state => state.statuses);
  const items = useMemo(
    () =>
      VEHICLE_STATUSES.map(status => ({
        status,
        shape: shapeOf(status),
        word: t(`vehicle:status.${status}`),
        count: list.counts?.[status],
      })).filter(({ status, count }) => !floating || (count ?? 0) > 0 || chosen.has(status)),
    [list.counts, t, floating, chosen],
  );
  return (
    <StatusRibbon
      items={items}
      chosen={chosen}
      onToggle={toggleStatus}
      label={t('list.filterByStatus')}
      floating={floating}
    />
  );
}
