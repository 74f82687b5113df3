import { listDrivers } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { VehiclesChoice } from '../../geofences/VehiclesChoice.tsx';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';
import { useOrganisation } from '../../organisation/organisation.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Choices } from './Choices.tsx';
import type { CasePart, CaseValues } from './case-form.ts';
import { Days } from './Days.tsx';
import { GeofenceTokens } from './GeofenceTokens.tsx';
import styles from './RuleForm.module.css';

interface Props {
  readonly part: CasePart;
  /** Which of the cases it belongs to. */
  readonly nth: number;
  readonly value: CaseValues;
  readonly onChange: (value: CaseValues) => void;
}

/** One thing that must be true. */
export function CasePartField({ part, nth, value, onChange }: Props) {
  const { t } = useTranslation('rules');
  const { distance } = useMeasureSystem();
  const { drivers, fromKmh, ignition, minutes, places, vehicles, when } = value;
  switch (part) {
    case 'vehicles':
      return (
        <VehiclesChoice value={vehicles} onChange={next => onChange({ ...value, vehicles: next })} error={undefined} />
      );
    case 'drivers':
      return <Drivers value={drivers} onChange={next => onChange({ ...value, drivers: next })} />;
    case 'fromKmh':
      return (
        <TextField
          label={t('conditions.fromSpeed', { unit: distance === 'mi' ? 'mph' : 'km/h' })}
          inputMode="decimal"
          value={fromKmh ?? ''}
          onChange={event => onChange({ ...value, fromKmh: event.currentTarget.value })}
        />
      );
    case 'ignition':
      return (
        <Choices
          legend={t('conditions.part.ignition')}
          name={`ignition-${nth}`}
          options={(['on', 'off'] as const).map(each => ({ value: each, label: t(`ignitionText.${each}`) }))}
          chosen={ignition ?? ''}
          onChoose={next => onChange({ ...value, ignition: next })}
        />
      );
    case 'places':
      return (
        places && (
          <>
            <Choices
              legend={t('conditions.part.places')}
              name={`places-${nth}`}
              options={(['inside', 'outside'] as const).map(is => ({ value: is, label: t(`placesText.${is}`) }))}
              chosen={places.is}
              onChoose={is => onChange({ ...value, places: { ...places, is } })}
            />
            <GeofenceTokens
              ids={places.geofenceIds}
              onChange={ids => onChange({ ...value, places: { ...places, geofenceIds: [...ids] } })}
            />
          </>
        )
      );
    case 'when':
      return (
        when && (
          <>
            <Choices
              legend={t('conditions.part.when')}
              name={`when-${nth}`}
              options={(['within', 'outside'] as const).map(is => ({ value: is, label: t(`whenText.${is}`) }))}
              chosen={when.is}
              onChoose={is => onChange({ ...value, when: { ...when, is } })}
            />
            <div className={styles.times}>
              {(['from', 'to'] as const).map(end => (
                <TextField
                  key={end}
                  label={t(`field.${end}`)}
                  type="time"
                  value={when[end]}
                  onChange={event => onChange({ ...value, when: { ...when, [end]: event.currentTarget.value } })}
                />
              ))}
            </div>
            <Days chosen={when.days} onChange={days => onChange({ ...value, when: { ...when, days: [...days] } })} />
          </>
        )
      );
    case 'minutes':
      return (
        <TextField
          label={t('conditions.longer')}
          inputMode="numeric"
          value={minutes ?? ''}
          onChange={event => onChange({ ...value, minutes: event.currentTarget.value })}
        />
      );
  }
}

interface DriversProps {
  readonly value: CaseValues['drivers'];
  readonly onChange: (value: CaseValues['drivers']) => void;
}

function Drivers({ value, onChange }: DriversProps) {
  const { t } = useTranslation('rules');
  const { data: drivers = [] } = useQuery({ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers) });
  const departments = useOrganisation(state => state.departments) ?? [];
  const lists = (
    [
      ['departmentIds', departments],
      ['driverIds', drivers],
    ] as const
  ).filter(([, list]) => list.length > 0);
  if (value === null) return null;
  if (lists.length === 0) return <p className={styles.quiet}>{t('conditions.noDrivers')}</p>;
  return (
    <>
      {lists.map(([kind, list]) => (
        <fieldset key={kind} className={`${styles.choices} ${styles.people}`}>
          <legend>{t(`conditions.${kind}`)}</legend>
          {list.map(({ id, name }) => (
            <Checkbox
              key={id}
              checked={value[kind].includes(id)}
              onChange={event =>
                onChange({
                  ...value,
                  [kind]: event.currentTarget.checked ? [...value[kind], id] : value[kind].filter(one => one !== id),
                })
              }
            >
              {name}
            </Checkbox>
          ))}
        </fieldset>
      ))}
    </>
  );
}
