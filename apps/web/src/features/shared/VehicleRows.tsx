import { IconClock, IconPolygon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import hidden from '../../ui/hidden.module.css';
import { StatusGlyph } from '../../ui/StatusGlyph.tsx';
import styles from './VehicleRows.module.css';
import { type VehicleNow, wordsOf } from './vehicle-now.ts';

interface Props {
  readonly vehicles: readonly VehicleNow[];
  readonly nowMs: number;
  readonly chosen: string | null;
  readonly onChoose: (key: string) => void;
}

/** The link's vehicles as text, equivalent to the map. */
export function VehicleRows({ vehicles, nowMs, chosen, onChoose }: Props) {
  const { t } = useTranslation(['shared', 'vehicle']);
  const system = useMeasureSystem();
  return (
    <ul className={styles.rows}>
      {vehicles.map(now => {
        const { vehicle } = now;
        const words = wordsOf(now, nowMs, system, t);
        return (
          <li key={vehicle.key}>
            <button type="button" aria-pressed={vehicle.key === chosen} onClick={() => onChoose(vehicle.key)}>
              <span className={hidden.hidden}>{words.spoken}</span>
              <StatusGlyph shape={now.shape} size={18} course={vehicle.course} />
              <span className={styles.texts} aria-hidden="true">
                <span className={styles.line}>
                  <b>{vehicle.name}</b>
                  <span className={styles.state}>{words.state}</span>
                </span>
                <span className={styles.line}>
                  <span className={styles.place}>{words.place}</span>
                  <span className={styles.age} data-old={words.old || undefined}>
                    {words.age}
                  </span>
                </span>
                {words.eta && (
                  <span className={styles.inside}>
                    <IconClock size={16} stroke={1.75} />
                    {words.eta}
                  </span>
                )}
                {words.inside.map(text => (
                  <span key={text} className={styles.inside}>
                    <IconPolygon size={16} stroke={1.75} />
                    {text}
                  </span>
                ))}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
