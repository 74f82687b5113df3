import { may } from '@milepost/contract';
import { IconMarquee2, IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../base/session/session.ts';
import { nameCollator } from '../../format/locale.ts';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { allNodes, pathOf } from '../../organisation/groups.ts';
import { useGroups } from '../../organisation/use-groups.ts';
import { paths } from '../../paths.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { ChoiceList } from '../../ui/ChoiceList.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { MAX_VEHICLES } from './address.ts';
import { colorToken } from './colors.ts';
import styles from './VehiclePicker.module.css';

/** Others are found by typing. */
const SHOWN = 100;

interface Props {
  readonly chosen: readonly string[];
  readonly focus: string | null;
  readonly onChange: (vehicleIds: readonly string[]) => void;
  readonly onFocus: (vehicleId: string) => void;
  readonly area: AreaChoice;
}

interface AreaChoice {
  readonly isSearching: boolean;
  readonly drawing: 'rectangle' | 'circle' | null;
  readonly onDraw: (kind: 'rectangle' | 'circle') => void;
  /** Adds all vehicles in the visible part of the map. */
  readonly onView: () => void;
  readonly onGeofence: (geofenceId: string) => void;
}

/** Chooses vehicles, single or a whole folder; each has its color. */
export function VehiclePicker({ chosen, focus, onChange, onFocus, area }: Props) {
  const { t } = useTranslation('replay');
  const { data: vehicles } = useQuery(vehicleListQuery);
  const maySeeFences = useSession(({ me }) => me !== null && may(me, 'geofences.read'));
  const names = new Map(vehicles?.map(({ id, deviceName }) => [id, deviceName]));
  return (
    <div className={styles.vehicles}>
      {chosen.length > 0 && (
        <div className={styles.chips}>
          {chosen.map((id, nth) => {
            const name = names.get(id);
            if (name === undefined) return null;
            return (
              <span key={id} className={styles.chip} data-focus={id === focus || undefined}>
                <button type="button" onClick={() => onFocus(id)} aria-pressed={id === focus}>
                  <i style={{ background: `var(${colorToken(nth)})` }} />
                  <span>{name}</span>
                </button>
                <button
                  type="button"
                  aria-label={t('remove', { name })}
                  onClick={() => onChange(chosen.filter(other => other !== id))}
                >
                  <IconX size={13} stroke={1.75} aria-hidden />
                </button>
              </span>
            );
          })}
        </div>
      )}
      <Popover
        label={t('chooseVehicles')}
        trigger={props => (
          <button type="button" {...props} className={buttonLook({ variant: 'text' })}>
            <IconPlus size={15} stroke={1.75} aria-hidden />
            {t('add')}
          </button>
        )}
      >
        <Chooser chosen={chosen} onChange={onChange} />
      </Popover>
      {maySeeFences && (
        <Popover
          label={t('insideArea')}
          trigger={props => (
            <button
              type="button"
              {...props}
              className={buttonLook({ variant: 'text' })}
              aria-busy={area.isSearching || undefined}
            >
              <IconMarquee2 size={15} stroke={1.75} aria-hidden />
              <span>{t(area.isSearching ? 'searchingArea' : 'insideArea')}</span>
            </button>
          )}
        >
          <AreaChooser area={area} />
        </Popover>
      )}
    </div>
  );
}

/** Adds all vehicles that were inside an area during the replayed time. */
function AreaChooser({ area }: { readonly area: AreaChoice }) {
  const { t } = useTranslation('replay');
  const { data: fences = [] } = useGeofences();
  const close = (target: Element): void => target.closest<HTMLElement>('[popover]')?.hidePopover();
  return (
    <div className={styles.area}>
      <p>{t('insideText')}</p>
      {(['rectangle', 'circle'] as const).map(kind => (
        <Button
          key={kind}
          wide
          onClick={({ currentTarget }) => {
            area.onDraw(kind);
            close(currentTarget);
          }}
        >
          {t(`draw.${kind}`)}
        </Button>
      ))}
      <Button
        wide
        onClick={({ currentTarget }) => {
          area.onView();
          close(currentTarget);
        }}
      >
        {t('draw.view')}
      </Button>
      {fences.length > 0 && (
        <SelectField
          label={t('insideFence')}
          value=""
          options={[
            { value: '', label: t('chooseFence') },
            ...fences.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ currentTarget }) => {
            if (currentTarget.value === '') return;
            area.onGeofence(currentTarget.value);
            close(currentTarget);
          }}
        />
      )}
    </div>
  );
}

interface FirstChoiceProps extends Pick<Props, 'chosen' | 'onChange'> {
  readonly onReplay: () => void;
}

/** Beside the map of the fleet, while nothing is replayed yet. */
export function FirstChoice({ chosen, onChange, onReplay }: FirstChoiceProps) {
  const { t } = useTranslation('replay');
  const id = useId();
  const { data: vehicles } = useQuery(vehicleListQuery);
  if (vehicles?.length === 0) {
    return (
      <section className={styles.first} aria-labelledby={id}>
        <h2 id={id}>{t('noFleet')}</h2>
        <p>{t('noFleetText')}</p>
        <Link to={paths.assets()} className={buttonLook({ variant: 'primary' })}>
          {t('goToVehicles')}
        </Link>
      </section>
    );
  }
  return (
    <section className={styles.first} aria-labelledby={id}>
      <h2 id={id}>{t('noVehicles')}</h2>
      <p>{t('noVehiclesText')}</p>
      <Chooser chosen={chosen} onChange={onChange} />
      <Button variant="primary" size="large" wide disabled={chosen.length === 0} onClick={onReplay}>
        {chosen.length === 0 ? t('title') : t('replayChosen', { count: chosen.length })}
      </Button>
    </section>
  );
}

/** A list of folders and vehicles to check off. */
function Chooser({ chosen, onChange }: Pick<Props, 'chosen' | 'onChange'>) {
  const { t } = useTranslation('replay');
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  const members = useMemo(() => vehicles.map(({ id, folderId }) => ({ id, groupId: folderId })), [vehicles]);
  const { nodes } = useGroups('folder', members);
  const [search, setSearch] = useState('');
  const words = search.trim().toLocaleLowerCase();
  const found = useMemo(
    () =>
      vehicles
        .filter(({ deviceName, plate }) => `${deviceName} ${plate ?? ''}`.toLocaleLowerCase().includes(words))
        .toSorted((a, b) => nameCollator().compare(a.deviceName, b.deviceName)),
    [vehicles, words],
  );
  const folders = useMemo(
    () =>
      [...allNodes(nodes ?? [])]
        .map(node => ({ id: node.id, name: pathOf(nodes ?? [], node.id).join(' › '), members: node.members }))
        .filter(({ name, members: inside }) => inside.length > 0 && name.toLocaleLowerCase().includes(words)),
    [nodes, words],
  );
  const isFull = chosen.length >= MAX_VEHICLES;
  const add = (ids: readonly string[]): void => onChange([...new Set([...chosen, ...ids])].slice(0, MAX_VEHICLES));
  return (
    <div className={styles.chooser}>
      <SearchBox
        value={search}
        onSearch={setSearch}
        label={t('search')}
        placeholder={t('search')}
        clearLabel={t('clearSearch')}
      />
      {isFull && <p role="status">{t('full', { count: MAX_VEHICLES })}</p>}
      {folders.length > 0 && (
        <ChoiceList title={t('folders')}>
          {folders.map(({ id, name, members: inside }) => {
            const all = inside.every(one => chosen.includes(one));
            return (
              <Checkbox
                key={id}
                checked={all}
                mixed={!all && inside.some(one => chosen.includes(one))}
                disabled={isFull && !all}
                onChange={() => (all ? onChange(chosen.filter(one => !inside.includes(one))) : add(inside))}
              >
                {name}
              </Checkbox>
            );
          })}
        </ChoiceList>
      )}
      <ChoiceList title={t('vehicles')}>
        {found.slice(0, SHOWN).map(({ id, deviceName }) => {
          const isChosen = chosen.includes(id);
          return (
            <Checkbox
              key={id}
              checked={isChosen}
              disabled={isFull && !isChosen}
              onChange={() => (isChosen ? onChange(chosen.filter(one => one !== id)) : add([id]))}
            >
              {deviceName}
            </Checkbox>
          );
        })}
        {found.length > SHOWN && <p>{t('typeMore', { count: found.length - SHOWN })}</p>}
        {found.length === 0 && <p>{t(vehicles.length === 0 ? 'noFleet' : 'noMatch')}</p>}
      </ChoiceList>
    </div>
  );
}
