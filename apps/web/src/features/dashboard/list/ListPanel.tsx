import { may } from '@milepost/contract';
import { IconArrowsSort, IconPlus } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyChunk } from '../../../base/chunks/load-chunk.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { useSession } from '../../../base/session/session.ts';
import { formatCount } from '../../../format/locale.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { chooseList, sortBy, useDashboard } from '../state/dashboard-state.ts';
import { SORTS } from '../state/url-state.ts';
import type { ListHandle } from './FleetTree.tsx';
import type { FleetList } from './fleet-list.ts';
import styles from './ListPanel.module.css';
import { VehiclePanel } from './VehiclePanel.tsx';

const DriverPanel = lazyChunk(async () => (await import('./DriverPanel.tsx')).DriverPanel);
const PlacesPanel = withTexts(() => import('./PlacesPanel.tsx'), {
  visits: () => import('../../../locales/en-US/visits.json'),
});

interface Props {
  readonly list: FleetList;
  readonly listRef: Ref<ListHandle>;
  readonly searchRef: Ref<HTMLInputElement>;
  /** Null: the user may not add vehicles. */
  readonly onAdd: ((imei?: string) => void) | null;
}

/** Beside the map: the vehicles, plus drivers and geofences for users who may see them. */
export function ListPanel(props: Props) {
  const { list, onAdd } = props;
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const me = useSession(session => session.me);
  const chosen = useDashboard(state => state.list);
  const vehicles = {
    id: 'vehicles',
    label: t('list.label'),
    count:
      list.counts === null
        ? undefined
        : list.entries.length === list.total
          ? formatCount(list.total)
          : t('list.count', { shown: formatCount(list.entries.length), total: formatCount(list.total) }),
  } as const;
  const others = (['drivers', 'places'] as const).filter(
    id => me !== null && may(me, id === 'drivers' ? 'drivers.read' : 'geofences.read'),
  );
  const tabs = [vehicles, ...others.map(id => ({ id, label: t(`list.${id}`) }))];
  const tab = tabs.find(({ id }) => id === chosen)?.id ?? 'vehicles';
  return (
    <section className={styles.panel} aria-label={t('list.section')} id="vehicle-list" tabIndex={-1}>
      <Tabs
        tabs={tabs}
        chosen={tab}
        onChoose={chooseList}
        label={t('list.section')}
        end={tab === 'vehicles' && <VehicleTools onAdd={onAdd} />}
      >
        {tab === 'vehicles' ? (
          <VehiclePanel {...props} />
        ) : (
          <Part>{tab === 'drivers' ? <DriverPanel /> : <PlacesPanel />}</Part>
        )}
      </Tabs>
    </section>
  );
}

function VehicleTools({ onAdd }: Pick<Props, 'onAdd'>) {
  const { t } = useTranslation('dashboard');
  const sort = useDashboard(state => state.sort);
  return (
    <div className={styles.tools}>
      {onAdd && (
        <IconButton label={t('list.add')} tooltip="bottom-end" onClick={() => onAdd()}>
          <IconPlus size={18} stroke={1.75} aria-hidden />
        </IconButton>
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
    </div>
  );
}
