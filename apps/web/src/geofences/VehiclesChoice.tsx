import type { GeofenceVehicles } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { vehicleListQuery } from '../live/vehicle-list.ts';
import { groupTree } from '../organisation/groups.ts';
import { useOrganisation } from '../organisation/organisation.ts';
import { groupsOf } from '../organisation/stored-groups.ts';
import { groupOptions } from '../organisation/use-group-list.ts';
import { Notice } from '../ui/Notice.tsx';
import { type Option, SelectField } from '../ui/SelectField.tsx';
import { Token } from '../ui/Token.tsx';
import styles from './VehiclesChoice.module.css';

interface Props {
  readonly value: GeofenceVehicles | null;
  readonly onChange: (value: GeofenceVehicles | null) => void;
  readonly error: string | undefined;
}

/** Chooses the vehicles of a geofence or rule: all, or folders and single vehicles. */
export function VehiclesChoice({ value, onChange, error }: Props) {
  const { t } = useTranslation('geofence');
  const folders = useOrganisation(state => state.folders);
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  const nodes = groupTree(
    (groupsOf('folder', { folders, departments: null }) ?? []).map(group => ({ ...group, members: [] })),
  );
  const lists = {
    folderIds: groupOptions(nodes),
    deviceIds: vehicles.map(({ id, deviceName }): Option => ({ value: id, label: deviceName })),
  };
  return (
    <>
      {error && (
        <Notice tone="critical" role="alert">
          {error}
        </Notice>
      )}
      <fieldset className={styles.choices} data-field="vehicles">
        <legend>{t('vehicles.title')}</legend>
        <label>
          <input type="radio" checked={value === null} onChange={() => onChange(null)} />
          {t('vehicles.all')}
        </label>
        <label>
          <input
            type="radio"
            checked={value !== null}
            onChange={() => onChange(value ?? { folderIds: [], deviceIds: [] })}
          />
          {t('vehicles.some')}
        </label>
      </fieldset>
      {value &&
        (['folderIds', 'deviceIds'] as const).map(kind => {
          const chosen = lists[kind].filter(option => value[kind].includes(option.value));
          const left = lists[kind].filter(option => !value[kind].includes(option.value));
          return (
            <div key={kind} className={styles.list}>
              <SelectField
                label={t(`vehicles.${kind}`)}
                value=""
                options={[{ value: '', label: t(`vehicles.add.${kind}`) }, ...left]}
                onChange={event => {
                  const { value: id } = event.currentTarget;
                  if (id !== '') onChange({ ...value, [kind]: [...value[kind], id] });
                }}
              />
              <div className={styles.tokens}>
                {chosen.map(option => (
                  <Token
                    key={option.value}
                    removeLabel={t('vehicles.remove', { name: option.label })}
                    onRemove={() => onChange({ ...value, [kind]: value[kind].filter(id => id !== option.value) })}
                  >
                    {option.label}
                  </Token>
                ))}
              </div>
            </div>
          );
        })}
      {value && value.folderIds.length + value.deviceIds.length === 0 && (
        <p className={styles.quiet}>{t('vehicles.none')}</p>
      )}
    </>
  );
}
