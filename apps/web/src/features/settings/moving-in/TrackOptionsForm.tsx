import {
  ALTITUDE_UNITS,
  CSV_TRACK_COLUMNS,
  DATE_ORDERS,
  DISTANCE_UNITS,
  type MoveInFile,
  type RouteInput,
  SPEED_UNITS,
  type startMoveIn,
  TEMPERATURE_UNITS,
} from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../../ui/SelectField.tsx';
import styles from './MoveIn.module.css';

export type Options = NonNullable<RouteInput<typeof startMoveIn>['body']['options']>;

interface Props {
  readonly files: readonly MoveInFile[];
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

const UNITS = {
  speedUnit: SPEED_UNITS,
  distanceUnit: DISTANCE_UNITS,
  altitudeUnit: ALTITUDE_UNITS,
  temperatureUnit: TEMPERATURE_UNITS,
  dateOrder: DATE_ORDERS,
} as const;

/** What the columns of CSV files are, and in which units and time zone. */
export function TrackOptionsForm({ files, options, onChange }: Props) {
  const { t } = useTranslation('moving-in');
  const columns = useMemo(() => [...new Set(files.flatMap(file => file.columns))], [files]);
  const guessed = useMemo(() => Object.assign({}, ...files.map(file => file.guessed).reverse()), [files]);
  const zones = useMemo(
    () => Intl.supportedValuesOf('timeZone').map(zone => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    [],
  );
  const [first] = files;
  return (
    <div className={styles.options}>
      {first && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
        <section className={styles.sample} tabIndex={0} aria-label={t('sample')}>
          <table>
            <thead>
              <tr>
                {first.columns.map((column, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file may have one name and don't move.
                  <th key={i}>{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {first.sample.map((cells, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file don't move.
                <tr key={i}>
                  {first.columns.map((_, j) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                    <td key={j}>{cells[j] ?? ''}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <fieldset>
        <legend>{t('columns')}</legend>
        {CSV_TRACK_COLUMNS.map(column => (
          <SelectField
            key={column}
            label={t(`column.${column}`)}
            value={options.columns?.[column] ?? guessed[column] ?? ''}
            options={[{ value: '', label: t('noColumn') }, ...columns.map(name => ({ value: name, label: name }))]}
            onChange={event =>
              onChange({ ...options, columns: { ...options.columns, [column]: event.currentTarget.value } })
            }
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('units')}</legend>
        <SelectField
          label={t('timeZone')}
          options={zones}
          value={options.timeZone ?? 'UTC'}
          onChange={event => onChange({ ...options, timeZone: event.currentTarget.value })}
        />
        {(Object.keys(UNITS) as (keyof typeof UNITS)[]).map(unit => (
          <SelectField
            key={unit}
            label={t(`unit.${unit}`)}
            value={options[unit] ?? UNITS[unit][0]}
            options={UNITS[unit].map(value => ({ value, label: t(`unitName.${value.replace('/', '')}` as never) }))}
            onChange={event => onChange({ ...options, [unit]: event.currentTarget.value })}
          />
        ))}
      </fieldset>
    </div>
  );
}
