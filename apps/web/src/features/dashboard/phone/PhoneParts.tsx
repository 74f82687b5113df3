import { type ReactNode, type Ref, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ShellSlot } from '../../../base/ShellSlot.tsx';
import { FilterButton } from '../list/filters/FilterButton.tsx';
import type { FleetList } from '../list/fleet-list.ts';
import { SearchField } from '../list/SearchField.tsx';
import { Ribbon } from '../list/VehiclePanel.tsx';
import { chooseList, setCurrentVehicle, useDashboard } from '../state/dashboard-state.ts';
import { BottomSheet } from './BottomSheet.tsx';
import styles from './PhoneParts.module.css';
import type { SheetStop } from './sheet-stops.ts';

interface Props {
  readonly list: FleetList;
  readonly searchRef: Ref<HTMLInputElement>;
  readonly stop: SheetStop;
  readonly onStop: (stop: SheetStop) => void;
  readonly pageHeight: number;
  /** The current vehicle; null shows the list. */
  readonly card: ReactNode;
  readonly vehicles: ReactNode;
}

/** Over a phone's map: search, status chips, and the sheet with list or card. */
export function PhoneParts({ list, searchRef, stop, onStop, pageHeight, card, vehicles }: Props) {
  const { t } = useTranslation('dashboard');
  const query = useDashboard(state => state.query);
  const current = useDashboard(state => state.current);

  // Searching opens the list to show the matches; choosing a vehicle shows it together with the map.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing opens the list, not the stop that it changes.
  useEffect(() => {
    if (query === '') return;
    setCurrentVehicle(null);
    chooseList('vehicles');
    if (stop === 'peek') onStop('half');
  }, [query]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only choosing a vehicle moves the sheet.
  useEffect(() => {
    if (current !== null) onStop('half');
  }, [current]);

  return (
    <>
      <ShellSlot name="search">
        <SearchField ref={searchRef} bare />
      </ShellSlot>
      <div className={styles.ribbon}>
        <Ribbon list={list} floating />
        <FilterButton floating />
      </div>
      <BottomSheet stop={stop} onStop={onStop} pageHeight={pageHeight} label={t('sheet.label')}>
        {card ?? vehicles}
      </BottomSheet>
    </>
  );
}
