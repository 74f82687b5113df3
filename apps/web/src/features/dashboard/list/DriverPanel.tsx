import { type Driver, listDrivers } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { NotLoaded } from '../../../base/NotLoaded.tsx';
import { useMedia } from '../../../base/use-media.ts';
import { formatCount } from '../../../format/locale.ts';
import { usePast } from '../../../live/past.ts';
import { usePositions } from '../../../live/view.ts';
import { DRIVERS_KEY } from '../../../organisation/driver-list.ts';
import { EXPANDED_PREFIX, setExpanded, useExpandState } from '../../../organisation/expanded.ts';
import { useOrganisation } from '../../../organisation/organisation.ts';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { Tree } from '../../../ui/tree/Tree.tsx';
import { setCurrentVehicle, useDashboard } from '../state/dashboard-state.ts';
import styles from './DriverPanel.module.css';
import { DriverRow } from './DriverRow.tsx';
import { type DriverNode, departmentIds, driverTree } from './driver-tree.ts';

/** Drivers insert and remove their cards all day. */
const READ_EVERY_MS = 30_000;
const DEPARTMENT_PX = 34;
const ROW_PX = 46;
const PHONE_ROW_PX = 64;

const heightOf = ({ kind }: DriverNode): number => (kind === 'department' ? DEPARTMENT_PX : ROW_PX);
const heightOnPhone = ({ kind }: DriverNode): number => (kind === 'department' ? DEPARTMENT_PX : PHONE_ROW_PX);

const keyOf = (id: string): string => EXPANDED_PREFIX.department + id;

/** Drivers by department, each with their current vehicle and its status. */
export function DriverPanel() {
  const { t } = useTranslation('dashboard');
  const isPhone = useMedia('(max-width: 37.49em)');
  const [query, setQuery] = useState('');
  const currentImei = useDashboard(state => state.current);
  const departments = useOrganisation(state => state.departments);
  const open = useExpandState(state => state.open);
  const { data, error, refetch } = useQuery({
    queryKey: DRIVERS_KEY,
    queryFn: () => call(listDrivers),
    refetchInterval: READ_EVERY_MS,
  });
  const drivers = useDriversShown(data);
  const noDepartment = t('drivers.noDepartment');
  const roots = useMemo(
    () => driverTree(drivers, departments ?? [], query, noDepartment),
    [drivers, departments, query, noDepartment],
  );
  const isSearched = query.trim() !== '';
  const expanded = useMemo(
    () => new Set(departmentIds(roots).filter(id => isSearched || open[keyOf(id)] !== false)),
    [roots, open, isSearched],
  );

  if (!data) return <NotLoaded className={styles.state} error={error} onRetry={() => void refetch()} />;
  const driving = drivers.find(({ vehicle }) => vehicle !== null && vehicle.imei === currentImei);
  const onExpand = (ids: readonly string[], on: boolean): void => setExpanded(ids.map(keyOf), on);
  const onChoose = (node: DriverNode): void => {
    if (node.kind === 'department') onExpand([node.id], !expanded.has(node.id));
    else if (node.driver.vehicle) setCurrentVehicle(node.driver.vehicle.imei);
  };
  return (
    <div className={styles.panel}>
      <div className={styles.search}>
        <SearchBox
          value={query}
          onSearch={setQuery}
          label={t('drivers.searchLabel')}
          placeholder={t('drivers.search')}
          clearLabel={t('list.clearSearch')}
        />
      </div>
      {roots.length === 0 ? (
        <p className={styles.state}>
          {isSearched ? t('drivers.noneFound', { query: query.trim() }) : t('drivers.empty')}
        </p>
      ) : (
        <Tree
          look="list"
          label={t('list.drivers')}
          roots={roots}
          expanded={expanded}
          onExpand={onExpand}
          nameOf={({ name }) => name}
          spokenOf={node =>
            node.kind === 'department' ? t('drivers.department', { name: node.name, count: node.count }) : null
          }
          current={driving ? `driver-${driving.id}` : null}
          onChoose={onChoose}
          rowPx={isPhone ? heightOnPhone : heightOf}
          indent={({ node, level }) => (node.kind === 'department' ? level - 1 : Math.max(0, level - 2))}
          typing={false}
        >
          {node =>
            node.kind === 'driver' ? (
              <DriverRow driver={node.driver} />
            ) : (
              <>
                <b className={styles.name}>{node.name}</b>
                <span className={styles.count}>{formatCount(node.count)}</span>
              </>
            )
          }
        </Tree>
      )}
    </div>
  );
}

const NO_DRIVERS: readonly Driver[] = [];

/** The drivers; in the past view, with the vehicles they were in then. */
function useDriversShown(drivers: readonly Driver[] | undefined): readonly Driver[] {
  const past = usePast();
  const positions = usePositions();
  const picture = past?.picture;
  return useMemo(() => {
    if (!past || !drivers) return drivers ?? NO_DRIVERS;
    const vehicles = new Map(
      [...positions.entries.values()].flatMap(({ vehicle }) =>
        vehicle.driver ? [[vehicle.driver.id, vehicle] as const] : [],
      ),
    );
    return drivers.map((driver): Driver => {
      const vehicle = picture && vehicles.get(driver.id);
      if (!vehicle?.driver) return { ...driver, vehicle: null };
      const { deviceName, driver: driving, id, imei } = vehicle;
      return { ...driver, vehicle: { id, imei, deviceName, source: driving.source } };
    });
  }, [drivers, past, picture, positions]);
}
