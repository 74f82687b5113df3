import { IconBroadcast, IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatAge, formatDuration } from '../../../format/duration.ts';
import { formatMoment } from '../../../format/time.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useNow } from '../../../live/view.ts';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import { fixTime, toldMs } from '../../../vehicles/shown.ts';
import { courseOf, isOld, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import styles from './Status.module.css';
import { Why } from './Why.tsx';

/** When the vehicle had last reported at that moment, and whether the server already knew it then. */
function Then({ entry, nowMs }: { readonly entry: VehicleEntry; readonly nowMs: number }) {
  const { t } = useTranslation('timeTravel');
  const picture = usePast()?.picture;
  const later = picture?.vehicles.find(({ deviceId }) => deviceId === entry.vehicle.id)?.arrivedLater;
  const time = fixTime(entry, nowMs);
  if (time === null) return null;
  return (
    <span className={styles.age} data-old>
      <IconHistory size={13} stroke={1.75} aria-hidden />
      {t('at', { time })}
      {later && ` · ${t('arrivedLater')}`}
    </span>
  );
}

/** A vehicle's status, since when, and how old that information is. */
export function Status({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const nowMs = useNow();
  const { now } = entry;
  const past = usePast();
  const told = toldMs(entry);
  const word = t(`vehicle:status.${now.status}`);
  const old = isOld(entry);
  const since =
    now.sinceMs === null || now.status === 'no-gps'
      ? word
      : old
        ? t('card.asOf', { status: word, time: formatMoment(now.sinceMs, nowMs) })
        : t('card.since', { status: word, duration: formatDuration(nowMs - now.sinceMs) });
  return (
    <div className={styles.status}>
      <StatusChip shape={shapeOfEntry(entry)} course={courseOf(entry)}>
        {since}
      </StatusChip>
      {past && <Then entry={entry} nowMs={nowMs} />}
      {!past && told !== null && (
        <span className={styles.age} data-old={old || undefined}>
          <IconBroadcast size={13} stroke={1.75} aria-hidden />
          {t('card.ago', { age: formatAge(nowMs - told) })}
        </span>
      )}
      <Why entry={entry} />
    </div>
  );
}
