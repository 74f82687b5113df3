import { IconPolygon } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatDuration, isWorthSaying } from '../format/duration.ts';
import { formatMoment } from '../format/time.ts';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
import { useMinute } from '../live/view.ts';
import { isOld } from '../vehicles/vehicle-shape.ts';
import styles from './InsideLine.module.css';
import { useGeofences } from './use-geofences.ts';
import { useInside } from './use-inside.ts';

/**
 * The geofences that a vehicle is inside, the last one entered first, and for how long; if it no longer reports, when
 * it was last known to be there.
 */
export function Component({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('visits');
  const { data } = useInside();
  const { data: geofences } = useGeofences();
  const nowMs = useMinute();
  const { fixMs, vehicle } = entry;
  const inside = (data?.inside ?? []).toReversed().flatMap(({ deviceId, geofenceId, isAtLeast, since }) => {
    const geofence = deviceId === vehicle.id && geofences?.find(({ id }) => id === geofenceId);
    return geofence ? { id: geofenceId, name: geofence.name, isAtLeast, sinceMs: Date.parse(since) } : [];
  });
  if (inside.length === 0) return null;
  const isPast = isOld(entry) && fixMs !== null;
  return (
    <ul className={styles.inside}>
      {inside.map(({ id, isAtLeast, name, sinceMs }) => (
        <li key={id}>
          <IconPolygon size={16} stroke={1.75} aria-hidden />
          {isPast
            ? t('asOf', { name, time: formatMoment(fixMs, nowMs) })
            : isWorthSaying(isAtLeast, nowMs - sinceMs)
              ? t(isAtLeast ? 'forAtLeast' : 'for', { name, duration: formatDuration(nowMs - sinceMs) })
              : t('in', { name })}
        </li>
      ))}
    </ul>
  );
}
