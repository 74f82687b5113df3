import { VEHICLE_STATUSES } from '@milepost/geo';
import { type Ref, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyChunk } from '../../../base/chunks/load-chunk.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { hasFilters, UnknownValues } from '../../../search-tokens/unknown/lazy.ts';
import { StatusRibbon } from '../../../ui/StatusRibbon.tsx';
import { shapeOf } from '../../../ui/status-shapes.ts';
import { toggleStatus, useDashboard } from '../state/dashboard-state.ts';
import { FleetTree, type ListHandle } from './FleetTree.tsx';
import { FilterButton } from './filters/FilterButton.tsx';
import type { FleetList } from './fleet-list.ts';
import { SearchField } from './SearchField.tsx';
import { StaleStrip } from './StaleStrip.tsx';
import { useSearch } from './use-fleet-list.ts';
import styles from './VehiclePanel.module.css';

const FilterTokens = withTexts(() => import('./filters/FilterTokens.tsx'), {
  searchTokens: () => import('../../../locales/en-US/search-tokens.json'),
});
// Loads only when there is no list to show.
const ListState = lazyChunk(async () => (await import('./ListState.tsx')).ListState);
const UnknownTrackers = lazyChunk(async () => (await import('./UnknownTrackers.tsx')).UnknownTrackers);

interface Props {
  readonly list: FleetList;
  readonly listRef: Ref<ListHandle>;
  readonly searchRef: Ref<HTMLInputElement>;
  /** Null: the user may not add vehicles. */
  readonly onAdd: ((imei?: string) => void) | null;
}

/** The vehicles: search, filters, and the list of matches. */
export function VehiclePanel({ list, listRef, searchRef, onAdd }: Props) {
  const hasTokens = useDashboard(state => state.tokens.length > 0);
  const asked = useSearch();
  return (
    <div className={styles.panel}>
      <div className={styles.search}>
        <SearchField ref={searchRef} />
        <FilterButton />
      </div>
      <div className={styles.ribbon}>
        <Ribbon list={list} />
      </div>
      <Part>{hasTokens && <FilterTokens />}</Part>
      <Part>{hasFilters(asked) && <UnknownValues search={asked} className={styles.unknown} />}</Part>
      <StaleStrip />
      <Part>{onAdd && <UnknownTrackers onAdd={onAdd} />}</Part>
      {list.entries.length > 0 ? (
        <FleetTree list={list} ref={listRef} />
      ) : (
        <Part>
          <ListState list={list} onAdd={onAdd} />
        </Part>
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
