import type { Task } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../base/chunks/lazy-part.tsx';
import { useConnectivity } from '../base/connectivity.ts';
import { formatCoordinates } from '../format/place.ts';
import styles from './TaskMap.module.css';

// The map is large, and the card is useful without it.
const TaskMapView = lazyPart(async () => (await import('./TaskMapView.tsx')).TaskMapView);

/** Where a driver's task goes, on a small map. Without a network, the place in words; the stops have their directions. */
export function TaskMap({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks');
  const online = useConnectivity(state => state.status === 'online');
  // A map that was drawn stays when the network is lost.
  const [wasOnline, setWasOnline] = useState(online);
  if (online && !wasOnline) setWasOnline(true);
  const [stop] = task.stops;
  if (!stop) return null;
  if (!wasOnline) {
    return (
      <p className={styles.without}>
        {t('mine.noMap')}
        <span>{t('mine.placeAt', { place: stop.name, coordinates: formatCoordinates(stop.lat, stop.lon) })}</span>
      </p>
    );
  }
  return (
    <div className={styles.map}>
      <TaskMapView task={task} />
    </div>
  );
}
