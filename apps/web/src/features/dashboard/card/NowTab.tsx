import { may } from '@milepost/contract';
import { IconCopy, IconMapPin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { useSession } from '../../../base/session/session.ts';
import { joined, speedFigure } from '../../../format/measure.ts';
import { compassPoint, formatCoordinates, placeWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useNow } from '../../../live/view.ts';
import { VehicleMutes } from '../../../rules/vehicle-mutes/lazy.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { TodayLine } from '../../../vehicles/day/TodayLine.tsx';
import { speedOf } from '../../../vehicles/shown.ts';
import { courseOf } from '../../../vehicles/vehicle-shape.ts';
import { copyCoordinates } from '../copy.ts';
import { useLayout } from '../use-layout.ts';
import { Facts } from './Facts.tsx';
import styles from './NowTab.module.css';
import { SpeedSpark } from './SpeedSpark.tsx';

const InsideLine = withTexts(() => import('../../../geofences/InsideLine.tsx'), {
  visits: () => import('../../../locales/en-US/visits.json'),
});

const WorkLines = withTexts(() => import('./WorkLines.tsx'), {
  logbook: () => import('../../../locales/en-US/logbook.json'),
  tasks: () => import('../../../locales/en-US/tasks.json'),
});

/** Where the vehicle is and what its tracker says, field by field. */
export function NowTab({ entry }: { readonly entry: VehicleEntry }) {
  // On a phone, speed and driver are in the head of the card.
  const isPhone = useLayout() === 'phone';
  return (
    <div className={styles.tab}>
      <Muted entry={entry} />
      {!isPhone && <Speed entry={entry} />}
      <PlaceBox entry={entry} />
      <Inside entry={entry} />
      <Facts entry={entry} />
      <TodayLine entry={entry} />
      {isPhone && <Spark entry={entry} />}
      <Part>
        <WorkLines entry={entry} />
      </Part>
    </div>
  );
}

export function Speed({ entry }: { readonly entry: VehicleEntry }) {
  return (
    <div className={styles.speed}>
      <SpeedFigure entry={entry} />
      <Spark entry={entry} />
    </div>
  );
}

function Spark({ entry }: { readonly entry: VehicleEntry }) {
  const system = useMeasureSystem();
  return <SpeedSpark vehicle={entry.vehicle} describe={max => joined(speedFigure(max, system))} />;
}

/** The one large figure of the card. */
export function SpeedFigure({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const system = useMeasureSystem();
  const nowMs = useNow();
  const shown = speedOf(entry, nowMs);
  if (!shown) return <p className={styles.quiet}>{t('now.noSpeed')}</p>;
  const { value, unit } = speedFigure(shown.speed, system);
  const course = courseOf(entry);
  return (
    <div className={styles.one}>
      <b className={styles.figure} data-old={shown.tense !== 'now' || entry.now.status !== 'moving' || undefined}>
        {value}
      </b>
      <span className={styles.unit}>
        {' '}
        {unit}
        {shown.speed > 0 && course !== null && ` ${compassPoint(course)}`}
        {shown.tense !== 'now' && ` · ${t(`vehicle:tense.${shown.tense}`)}`}
      </span>
    </div>
  );
}

/** Which of its alerts notify nobody right now. */
function Muted({ entry: { vehicle } }: { readonly entry: VehicleEntry }) {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'alerts.read'));
  const isPast = usePast() !== undefined;
  return (
    mayRead &&
    !isPast && (
      <Part>
        <VehicleMutes of={({ deviceId }) => deviceId === vehicle.id} />
      </Part>
    )
  );
}

/** Loads after more urgent parts, and not at all for users who can't see geofences. */
function Inside({ entry }: { readonly entry: VehicleEntry }) {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'geofences.read'));
  return (
    mayRead && (
      <Part>
        <InsideLine entry={entry} />
      </Part>
    )
  );
}

function PlaceBox({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('dashboard');
  const system = useMeasureSystem();
  const { place, report, now } = entry;
  if (!place) return <p className={styles.quiet}>{t('now.noPlace')}</p>;
  const coordinates = formatCoordinates(place.lat, place.lon);
  // The address belongs to the newest report, which may have no valid fix; the coordinates are from the last valid fix.
  const address = report && placeWords(report, system);
  return (
    <div className={styles.place}>
      <IconMapPin size={16} stroke={1.75} aria-hidden />
      <div>
        <b>{address || coordinates}</b>
        <span>
          {now.status === 'no-gps' && `${t('now.lastPlace')} · `}
          {address && coordinates}
        </span>
      </div>
      <IconButton label={t('card.copyCoordinates')} tooltip="left" onClick={() => void copyCoordinates(place)}>
        <IconCopy size={18} stroke={1.75} aria-hidden />
      </IconButton>
    </div>
  );
}
