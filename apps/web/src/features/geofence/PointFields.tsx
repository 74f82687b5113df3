import type { GeoPoint } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './GeofenceMap.module.css';

interface Props {
  readonly point: GeoPoint;
  readonly number: number;
  readonly disabled?: boolean;
  readonly onChange: (point: GeoPoint) => void;
}

/** Latitude and longitude of a point. The shape changes as soon as both are valid numbers. */
export function PointFields({ point: [lon, lat], number, disabled = false, onChange }: Props) {
  const { t } = useTranslation('geofence');
  return (
    <>
      <Degrees
        label={t('latitude', { number })}
        value={lat}
        limit={90}
        {...{ disabled }}
        onChange={to => onChange([lon, to])}
      />
      <Degrees
        label={t('longitude', { number })}
        value={lon}
        limit={180}
        {...{ disabled }}
        onChange={to => onChange([to, lat])}
      />
    </>
  );
}

interface DegreesProps {
  readonly label: string;
  readonly value: number;
  readonly limit: number;
  readonly disabled: boolean;
  readonly onChange: (value: number) => void;
}

function Degrees({ label, value, limit, disabled, onChange }: DegreesProps) {
  /** What is being typed, until the user leaves the field. */
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string): number | null => {
    const number = Number(text.trim().replace('−', '-').replace(',', '.'));
    return text.trim() !== '' && Math.abs(number) <= limit ? number : null;
  };
  return (
    <input
      type="text"
      inputMode="decimal"
      className={styles.degrees}
      aria-label={label}
      aria-invalid={typed !== null && read(typed) === null ? true : undefined}
      disabled={disabled}
      value={typed ?? value.toFixed(6)}
      onChange={event => {
        const { value: text } = event.currentTarget;
        setTyped(text);
        const number = read(text);
        if (number !== null && number !== value) onChange(number);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
