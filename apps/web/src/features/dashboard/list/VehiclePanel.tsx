import { VEHICLE_STATUSES } from '@milepost/geo';
import { IconArrowsSort, IconPlus } from '@tabler/icons-react';
import { type Ref, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { StatusRibbon } from '../../../ui/StatusRibbon.tsx';
import { shapeOf } from '../../../ui/status-shapes.ts';
import { sortBy, toggleStatus, useDashboard } from '../state/dashboard-state.ts';
import { SORTS } from '../state/url-state.ts';
import type { FleetList } from './fleet-list.ts';
import { ListState } from './ListState.tsx';
import { SearchField } from './SearchField.tsx';
import { StaleStrip } from './StaleStrip.tsx';
import { UnknownTrackers } from './UnknownTrackers.tsx';
import { type ListHandle, VehicleList } from './VehicleList.tsx';
import styles from './VehiclePanel.module.css';

interface Props {
  readonly list: FleetList;
  readonly listRef: Ref<ListHandle>;
  readonly searchRef: Ref<HTMLInputElement>;
  /** Null for someone who may not add vehicles. */
  readonly onAdd: ((imei?: string) => void) | null;
}

export function VehiclePanel({ list, listRef, searchRef, onAdd }: Props) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const sort = useDashboard(state => state.sort);
  const isFiltered = list.imeis.length !== list.total;
  return (
    <section className={styles.panel} aria-labelledby="vehicles-heading" id="vehicle-list" tabIndex={-1}>
      <header className={styles.head}>
        <h2 id="vehicles-heading">{t('list.label')}</h2>
        <span className={styles.count}>
          {isFiltered
            ? t('list.count', {
                shown: formatCount(list.imeis.length),
                total: formatCount(list.total),
              })
            : formatCount(list.total)}
        </span>
        <span className={styles.gap} />
        {onAdd && (
          <button type="button" className={styles.add} onClick={() => onAdd()}>
            <IconPlus size={14} stroke={1.75} aria-hidden />
            <span className={styles.addText}>{t('list.add')}</span>
          </button>
        )}
        <Menu
          trigger={props => (
            <IconButton {...props} label={t('list.sort', { by: t(`sort.${sort}`) })} tooltip="bottom-end">
              <IconArrowsSort size={18} stroke={1.75} aria-hidden />
            </IconButton>
          )}
        >
          {SORTS.map(one => (
            <MenuItem key={one} checked={one === sort} onClick={() => sortBy(one)}>
              {t(`sort.${one}`)}
            </MenuItem>
          ))}
        </Menu>
      </header>
      <div className={styles.search}>
        <SearchField ref={searchRef} />
      </div>
      <div className={styles.ribbon}>
        <Ribbon list={list} />
      </div>
      <StaleStrip />
      {onAdd && <UnknownTrackers onAdd={onAdd} />}
      {list.imeis.length > 0 ? (
        <VehicleList imeis={list.imeis} ref={listRef} />
      ) : (
        <ListState list={list} onAdd={onAdd} />
      )}
    </section>
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
        count: list.counts[status],
      })).filter(({ status, count }) => !floating || count > 0 || chosen.has(status)),
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
