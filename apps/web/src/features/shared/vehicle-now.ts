import type { Shared, SharedVehicle } from '@milepost/contract';
import { agedBy, type StatusNow, vehicleStatus } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { TFunction } from 'i18next';
import { formatAge, formatDuration, spokenAge } from '../../format/duration.ts';
import { joined, type MeasureSystem, wireSpeedFigure } from '../../format/measure.ts';
import { formatMoment } from '../../format/time.ts';
import { timedState } from '../../live/live-message.ts';
import type { MapVehicle } from '../../map/scene/nodes.ts';
import { shapeOf } from '../../ui/status-shapes.ts';

type T = TFunction<['shared', 'vehicle']>;

/** A shared vehicle at this moment, judged by the rules of the rest of the product. */
export interface VehicleNow {
  readonly vehicle: SharedVehicle;
  readonly status: StatusNow;
  readonly shape: ReturnType<typeof shapeOf>;
  readonly place: { readonly lat: number; readonly lon: number } | null;
  readonly fixMs: number | null;
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
    fixMs: live?.fixAt ?? null,
  };
}

const isOld = ({ status }: VehicleNow): boolean => status.status === 'outdated' || status.status === 'offline';

export function mapVehicleOf(now: VehicleNow, nowMs: number): MapVehicle | null {
  if (!now.place) return null;
  return {
    id: now.vehicle.key,
    ...now.place,
    shape: now.shape,
    status: now.status.status,
    course: now.vehicle.course,
    label: now.vehicle.name,
    age: isOld(now) && now.fixMs !== null ? formatAge(nowMs - now.fixMs) : null,
  };
}

export interface VehicleWords {
  /** "Moving · 64 mph", "Stopped · 18 m". */
  readonly state: string;
  readonly place: string;
  /** How old it is: "12 s", or "as of 14:02". */
  readonly age: string;
  readonly old: boolean;
  /** The same for those who hear it. */
  readonly spoken: string;
}

export function wordsOf(now: VehicleNow, nowMs: number, system: MeasureSystem, t: T): VehicleWords {
  const { vehicle, status, fixMs } = now;
  if (fixMs === null)
    return { state: t('waiting'), place: '', age: '', old: false, spoken: `${vehicle.name}, ${t('waiting')}` };
  const word = t(`vehicle:status.${status.status}`);
  const isStanding = status.status === 'stopped' || status.status === 'idling';
  const figure =
    vehicle.speed !== null && status.status === 'moving'
      ? joined(wireSpeedFigure(vehicle.speed, system))
      : isStanding && status.sinceMs !== null
        ? formatDuration(nowMs - status.sinceMs)
        : '';
  const old = isOld(now);
  const place = vehicle.address ?? '';
  return {
    state: [word, figure].filter(Boolean).join(' · '),
    place,
    age: old ? t('asOf', { time: formatMoment(fixMs, nowMs) }) : t('ago', { age: formatAge(nowMs - fixMs) }),
    old,
    spoken: [vehicle.name, word, figure, place, t('ago', { age: spokenAge(nowMs - fixMs) })].filter(Boolean).join(', '),
  };
}
