import {
  DEFAULT_GEOFENCE_EDGE,
  type Detention,
  type Geofence,
  type GeofenceColor,
  type GeofenceShape,
  type GeofenceVehicles,
} from '@milepost/contract';
import type { MeasureSystem } from '../../format/measure.ts';
import { kmPerUnit, metersPerUnit, typedNumber, typedText } from '../../format/typed.ts';

type DetentionTexts = Pick<GeofenceValues, 'detention.freeMinutes' | 'detention.perHour'>;

export const detentionTexts = (detention: Detention | null): DetentionTexts => ({
  'detention.freeMinutes': detention === null ? '' : typedText(detention.freeMinutes),
  'detention.perHour': detention === null ? '' : typedText(detention.perHour),
});

/** Input for the contract's schema; null if both fields are empty. */
export function detentionOf(values: DetentionTexts): Detention | null {
  const [free, perHour] = [values['detention.freeMinutes'], values['detention.perHour']];
  return free.trim() === '' && perHour.trim() === ''
    ? null
    : { freeMinutes: typedNumber(free), perHour: typedNumber(perHour) };
}

/** Form fields of a geofence. A nested field is named by its path, as in the contract's messages. */
export interface GeofenceValues {
  readonly name: string;
  readonly groupId: string;
  readonly color: GeofenceColor;
  readonly isRestricted: boolean;
  readonly isOn: boolean;
  readonly note: string;
  readonly 'edge.bufferM': string;
  readonly 'edge.minFixes': string;
  readonly 'edge.minSeconds': string;
  readonly 'detention.freeMinutes': string;
  readonly 'detention.perHour': string;
  /** In the reader's unit; empty for none. */
  readonly speedLimitKmh: string;
  readonly shape: GeofenceShape | null;
  readonly vehicles: GeofenceVehicles | null;
}

/** A length as form text, in whole feet or meters. */
export const typedLength = (meters: number, system: MeasureSystem): string =>
  typedText(meters / metersPerUnit(system), 0);

/** The typed length in meters; NaN if it is not a number, which the schema rejects. */
export const metersOf = (typed: string, system: MeasureSystem): number => typedNumber(typed) * metersPerUnit(system);

const typedSpeed = (kmh: number | null, system: MeasureSystem): string => typedText(kmh && kmh / kmPerUnit(system), 1);

/** km/h; as it was if it shows as it was. */
function limitOf(typed: string, before: number | null, system: MeasureSystem): number | null {
  if (typed.trim() === '') return null;
  if (typed === typedSpeed(before, system)) return before;
  return Math.round(typedNumber(typed) * kmPerUnit(system) * 100) / 100;
}

export function valuesOf(geofence: Geofence | null, system: MeasureSystem): GeofenceValues {
  const edge = geofence?.edge ?? DEFAULT_GEOFENCE_EDGE;
  return {
    name: geofence?.name ?? '',
    groupId: geofence?.groupId ?? '',
    color: geofence?.color ?? 'blue',
    isRestricted: geofence?.isRestricted ?? false,
    isOn: geofence?.isOn ?? true,
    note: geofence?.note ?? '',
    'edge.bufferM': typedLength(edge.bufferM, system),
    'edge.minFixes': typedText(edge.minFixes),
    'edge.minSeconds': typedText(edge.minSeconds),
    ...detentionTexts(geofence?.detention ?? null),
    speedLimitKmh: typedSpeed(geofence?.speedLimitKmh ?? null, system),
    shape: geofence?.shape ?? null,
    vehicles: geofence?.vehicles ?? null,
  };
}

/** Input for the contract's schema. A length that was not edited is sent as it was, not rounded. */
export function bodyOf(values: GeofenceValues, known: Geofence | null, system: MeasureSystem): unknown {
  const before = (known?.edge ?? DEFAULT_GEOFENCE_EDGE).bufferM;
  const buffer = values['edge.bufferM'];
  return {
    name: values.name,
    groupId: values.groupId === '' ? null : values.groupId,
    color: values.color,
    isRestricted: values.isRestricted,
    isOn: values.isOn,
    note: values.note,
    edge: {
      bufferM: buffer === typedLength(before, system) ? before : metersOf(buffer, system),
      minFixes: typedNumber(values['edge.minFixes']),
      minSeconds: typedNumber(values['edge.minSeconds']),
    },
    detention: detentionOf(values),
    speedLimitKmh: limitOf(values.speedLimitKmh, known?.speedLimitKmh ?? null, system),
    shape: values.shape,
    vehicles: values.vehicles,
  };
}
