import type { MetresPerSecond } from '@milepost/units';
import type { TFunction } from 'i18next';
import { formatAge, formatDuration, spokenAge } from '../../format/duration.ts';
import { type MeasureSystem, speedFigure } from '../../format/measure.ts';
import { formatCoordinates, placeWords, spokenCourse } from '../../format/place.ts';
import { formatMoment } from '../../format/time.ts';
import type { VehicleEntry } from '../../live/vehicle-entry.ts';
import { fixTime, inTense, speedOf, speedWords, toldMs } from '../../vehicles/shown.ts';
import { courseOf, isOld } from '../../vehicles/vehicle-shape.ts';
import { driverOf } from '../../vehicles/vehicle-words.ts';

type T = TFunction<['dashboard', 'vehicle']>;

/** The texts of a vehicle's row. */
export interface VehicleWords {
  /** Speed of a moving vehicle, duration of a standing one, or why neither is known. */
  readonly figure: string;
  readonly place: string;
  /** How old this is; null when it is so old that date and time are shown instead. */
  readonly age: string | null;
  /** Date and time of outdated information, shown in amber. */
  readonly asOf: string | null;
}

export function describeVehicle(
  entry: VehicleEntry,
  nowMs: number,
  system: MeasureSystem,
  t: T,
  isPast = false,
): VehicleWords {
  const ages = isPast ? { age: fixTime(entry, nowMs), asOf: null } : agesOf(entry, nowMs, t);
  return { figure: figureOf(entry, nowMs, system, t), place: placeOf(entry, system, t), ...ages };
}

function figureOf(entry: VehicleEntry, nowMs: number, system: MeasureSystem, t: T): string {
  const { now } = entry;
  const lasted = nowMs - (now.sinceMs ?? nowMs);
  switch (now.status) {
    case 'moving':
    case 'outdated': {
      const shown = speedOf(entry, nowMs);
      return shown ? speedWords(shown, system) : '';
    }
    case 'idling':
      return t('row.idle', { duration: formatDuration(lasted) });
    case 'stopped':
      return formatDuration(lasted);
    case 'no-gps':
      return t('row.noFix');
    case 'offline':
      return t('row.silent', { age: formatAge(lasted) });
    case 'private':
      return t('row.private');
    case 'no-data':
      return t('row.noData');
  }
}

/** The address from the server, or else the coordinates. */
export function placeOf({ now, report, place }: VehicleEntry, system: MeasureSystem, t: T): string {
  if (now.status === 'no-data') return t('row.waiting');
  const known = (report && placeWords(report, system)) || (place ? formatCoordinates(place.lat, place.lon) : '');
  return now.status === 'no-gps' && known !== '' ? t('row.lastFix', { place: known }) : known;
}

function agesOf(entry: VehicleEntry, nowMs: number, t: T): Pick<VehicleWords, 'age' | 'asOf'> {
  const told = toldMs(entry);
  if (told === null) return { age: null, asOf: null };
  if (isOld(entry)) return { age: null, asOf: t('row.asOf', { time: formatMoment(told, nowMs) }) };
  return { age: formatAge(nowMs - told), asOf: null };
}

const spokenSpeed = (speed: MetresPerSecond, system: MeasureSystem, t: T): string =>
  t(system.distance === 'mi' ? 'spoken.mph' : 'spoken.kmh', { value: speedFigure(speed, system).value });

/**
 * The row for screen readers: "4127, Dana Whitlock, moving, 64 miles per hour, N Damen Ave, Chicago, IL, 2 seconds
 * ago".
 */
export function spokenName(entry: VehicleEntry, nowMs: number, system: MeasureSystem, t: T): string {
  const { vehicle, now } = entry;
  const shown = speedOf(entry, nowMs);
  const told = toldMs(entry);
  const underWay = now.status === 'moving' || now.status === 'outdated';
  const course = courseOf(entry);
  return [
    vehicle.deviceName,
    driverOf(entry)?.name ?? '',
    t(`vehicle:status.${now.status}`).toLowerCase(),
    underWay && shown ? inTense(shown.tense, spokenSpeed(shown.speed, system, t)) : '',
    now.status === 'moving' && course !== null ? t('spoken.heading', { direction: spokenCourse(course) }) : '',
    !underWay && now.sinceMs !== null ? t('spoken.for', { age: spokenAge(nowMs - now.sinceMs) }) : '',
    placeOf(entry, system, t),
    told === null ? '' : t('spoken.ago', { age: spokenAge(nowMs - told) }),
  ]
    .filter(Boolean)
    .join(', ');
}
