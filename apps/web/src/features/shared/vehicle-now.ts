import type { Shared, SharedVehicle } from '@milepost/contract';
import { agedBy, type SpeedShown, type StatusNow, speedShown, vehicleStatus } from '@milepost/geo';
import { epochMs, fromKilometresPerHour } from '@milepost/units';
import type { TFunction } from 'i18next';
import { formatAge, formatDuration, isWorthSaying, spokenAge } from '../../format/duration.ts';
import type { MeasureSystem } from '../../format/measure.ts';
import { placeWords } from '../../format/place.ts';
import { formatMoment } from '../../format/time.ts';
import { timedState } from '../../live/live-message.ts';
import type { MapVehicle } from '../../map/scene/nodes.ts';
import { shapeOf } from '../../ui/status-shapes.ts';
import { speedWords } from '../../vehicles/shown.ts';

type T = TFunction<['shared', 'vehicle']>;

/** A shared vehicle at this moment, with the same status rules as in the app. */
export interface VehicleNow {
  readonly vehicle: SharedVehicle;
  readonly status: StatusNow;
  readonly shape: ReturnType<typeof shapeOf>;
  readonly place: { readonly lat: number; readonly lon: number } | null;
  /** The time of this information; null before the first fix. */
  readonly toldMs: number | null;
  readonly speed: SpeedShown | null;
}

export function vehicleNow(vehicle: SharedVehicle, nowMs: number, limits: Shared['limits']): VehicleNow {
  const live = vehicle.live && timedState(vehicle.live);
  const status = vehicleStatus(
    live ?? { motion: null, since: null, fixAt: null, heardAt: null, gpsValid: false, interval: null },
    epochMs(nowMs),
    agedBy(limits),
  );
  return {
    vehicle,
    status,
    shape: shapeOf(status.status, status.reason.rule === 'outdated' ? status.reason.lastMotion : undefined),
    place: live === null || live.lat === null || live.lon === null ? null : { lat: live.lat, lon: live.lon },
    toldMs: live === null ? null : isSilent(status) ? live.fixAt : (live.heardAt ?? live.fixAt),
    speed: speedShown(
      status,
      vehicle.speed === null ? null : fromKilometresPerHour(vehicle.speed),
      nowMs - (live?.fixAt ?? nowMs),
    ),
  };
}

const isSilent = ({ status }: StatusNow): boolean => status === 'outdated' || status === 'offline';
const isOld = ({ status }: VehicleNow): boolean => isSilent(status);

export function mapVehicleOf(now: VehicleNow, nowMs: number): MapVehicle | null {
  if (!now.place) return null;
  return {
    id: now.vehicle.key,
    ...now.place,
    shape: now.shape,
    status: now.status.status,
    course: now.vehicle.course,
    label: now.vehicle.name,
    age: isOld(now) && now.toldMs !== null ? formatAge(nowMs - now.toldMs) : null,
  };
}

export interface VehicleWords {
  /** "Moving · 64 mph", "Stopped · 18 m". */
  readonly state: string;
  readonly place: string;
  /** "Inside Depot North for 34 min", for each geofence. */
  readonly inside: readonly string[];
  /** "Expected at Dock 9 at about 15:44 (estimate, 40 s old)"; empty without a task. */
  readonly eta: string;
  /** Age of the information: "12 s" or "as of 14:02". */
  readonly age: string;
  readonly old: boolean;
  /** All of it as a sentence for screen readers. */
  readonly spoken: string;
}

/** When it is expected: always as an estimate, with its age. */
function etaWords({ eta }: SharedVehicle, nowMs: number, t: T): string {
  if (eta === null) return '';
  const { stop, arriveAt, at, arrivedAt } = eta;
  if (arrivedAt !== null) return t('arrived', { stop, time: formatMoment(Date.parse(arrivedAt), nowMs) });
  if (arriveAt === null || at === null) return t('etaUnknown', { stop });
  const arriveMs = Math.max(Date.parse(arriveAt), nowMs);
  return t('eta', { stop, time: formatMoment(arriveMs, nowMs), age: formatAge(nowMs - Date.parse(at)) });
}

export function wordsOf(now: VehicleNow, nowMs: number, system: MeasureSystem, t: T): VehicleWords {
  const { vehicle, status, speed, toldMs } = now;
  if (toldMs === null)
    return {
      state: t('waiting'),
      place: '',
      inside: [],
      eta: '',
      age: '',
      old: false,
      spoken: `${vehicle.name}, ${t('waiting')}`,
    };
  const word = t(`vehicle:status.${status.status}`);
  const isStanding = status.status === 'stopped' || status.status === 'idling';
  const figure =
    speed !== null && !isStanding
      ? speedWords(speed, system)
      : isStanding && status.sinceMs !== null
        ? formatDuration(nowMs - status.sinceMs)
        : '';
  const old = isOld(now);
  const place = placeWords(vehicle, system);
  const inside = vehicle.inside.map(({ isAtLeast, name, since }) => {
    if (old) return t('insideAsOf', { name, time: formatMoment(toldMs, nowMs) });
    const ms = nowMs - Date.parse(since);
    if (!isWorthSaying(isAtLeast, ms)) return t('in', { name });
    return t(isAtLeast ? 'insideAtLeast' : 'inside', { name, duration: formatDuration(ms) });
  });
  const eta = etaWords(vehicle, nowMs, t);
  return {
    state: [word, figure].filter(Boolean).join(' · '),
    place,
    inside,
    eta,
    age: old ? t('asOf', { time: formatMoment(toldMs, nowMs) }) : t('ago', { age: formatAge(nowMs - toldMs) }),
    old,
    spoken: [vehicle.name, word, figure, place, ...inside, eta, t('ago', { age: spokenAge(nowMs - toldMs) })]
      .filter(Boolean)
      .join(', '),
  };
}
