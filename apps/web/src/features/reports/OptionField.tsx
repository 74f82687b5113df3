import type { ReportOption } from '@milepost/contract';
import type { MeasureSystem } from '../../format/measure.ts';
import { kmPerUnit, litersPerUnit } from '../../format/typed.ts';
import { TextField } from '../../ui/TextField.tsx';
import styles from './Filters.module.css';

interface Props {
  readonly option: ReportOption;
  /** As in the API; undefined: the report's default. */
  readonly value: number | undefined;
  readonly system: MeasureSystem;
  readonly onChange: (value: number | undefined) => void;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** What one of the field's units is in the API, its name, and by how much the field steps. */
function measureOf(key: ReportOption['key'], system: MeasureSystem) {
  const { distance, volume } = system;
  const litres = litersPerUnit(system);
  if (key === 'minimumM') return { step: 0.1, unit: kmPerUnit(system) * 1000, of: distance };
  // In thousandths a liter.
  if (key === 'fuelPrice') return { step: 0.01, unit: 1000 / litres, of: `/ ${volume}` };
  if (key === 'idleHeavyMl' || key === 'idleLightMl') return { step: 0.01, unit: 1000 * litres, of: `${volume}/h` };
  return { step: 1, unit: 60, of: 'min' };
}

/** A numeric option of a report, in the user's units. */
export function OptionField({ option: { key, title, value: own }, value, system, onChange }: Props) {
  const shown = value ?? own;
  if (key === 'workFrom' || key === 'workTo') {
    return (
      <TextField
        type="time"
        label={title}
        value={`${two(Math.floor(shown / 60) % 24)}:${two(shown % 60)}`}
        onChange={event => {
          const [hours = Number.NaN, minutes = Number.NaN] = event.currentTarget.value.split(':').map(Number);
          const chosen = hours * 60 + minutes;
          if (!Number.isNaN(chosen)) onChange(chosen === own ? undefined : chosen);
        }}
      />
    );
  }
  if (key === 'coldFrom' || key === 'coldTo') {
    return (
      <TextField
        key={own}
        type="number"
        min={-60}
        max={60}
        step={1}
        label={`${title} (°C)`}
        className={styles.number}
        defaultValue={shown}
        onBlur={event => {
          const chosen = Math.round(Number(event.currentTarget.value));
          if (event.currentTarget.value !== '' && Math.abs(chosen) <= 60) onChange(chosen === own ? undefined : chosen);
        }}
        onKeyDown={event => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    );
  }
  const { step, unit, of } = measureOf(key, system);
  return (
    <TextField
      key={own}
      type="number"
      min={0}
      step={step}
      label={`${title} (${of})`}
      className={styles.number}
      defaultValue={Math.round((shown / unit) * 100) / 100}
      onBlur={event => {
        const chosen = Math.round(Number(event.currentTarget.value) * unit);
        if (Number.isFinite(chosen) && chosen >= 0) onChange(chosen === own ? undefined : chosen);
      }}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
