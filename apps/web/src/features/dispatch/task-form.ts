import { type Geofence, type Task, taskStopShownSchema } from '@milepost/contract';
import { momentOf, wallClock } from '../../format/time.ts';
import { coordinates } from '../../geofences/near-places.ts';
import { boundsOf } from '../../geofences/shapes.ts';
import type { Wanted } from './use-fits.ts';

/** A stop's form fields: a geofence, or coordinates as text. */
export interface StopValues {
  readonly name: string;
  readonly geofenceId: string;
  readonly coordinates: string;
}
export const EMPTY_STOP: StopValues = { name: '', geofenceId: '', coordinates: '' };

export interface TaskValues {
  readonly title: string;
  readonly ref: string;
  readonly priority: string;
  readonly dueFrom: string;
  readonly dueTo: string;
  readonly driverId: string;
  readonly answerBy: string;
  readonly stops: readonly StopValues[];
  readonly needsPhoto: boolean;
  readonly needsSignature: boolean;
  readonly notes: string;
}

const field = (iso: string | null): string => (iso === null ? '' : wallClock(Date.parse(iso)));
const instant = (text: string): string | null => {
  const ms = momentOf(text);
  return ms === null ? null : new Date(ms).toISOString();
};

export const valuesOf = (task: Task | null): TaskValues => ({
  title: task?.title ?? '',
  ref: task?.ref ?? '',
  priority: task?.priority ?? 'normal',
  dueFrom: field(task?.dueFrom ?? null),
  dueTo: field(task?.dueTo ?? null),
  driverId: task?.driver?.id ?? '',
  answerBy: field(task?.answerBy ?? null),
  stops: task?.stops.map(({ name, lat, lon }) => ({ name, geofenceId: '', coordinates: `${lat}, ${lon}` })) ?? [],
  needsPhoto: task?.needsPhoto ?? false,
  needsSignature: task?.needsSignature ?? false,
  notes: task?.notes ?? '',
});

/** The center of a geofence, and the radius in meters within which a parked vehicle has arrived. */
function placeOf({ shape }: Geofence): { readonly lat: number; readonly lon: number; readonly radiusM: number } {
  const [west, south, east, north] = boundsOf(shape);
  const [lat, lon] = [(south + north) / 2, (west + east) / 2];
  const [high, wide] = [(north - south) * 111_320, (east - west) * 111_320 * Math.cos((lat * Math.PI) / 180)];
  return { lat, lon, radiusM: Math.max(50, Math.round(Math.hypot(high, wide) / 2)) };
}

/**
 * The input for the contract's schema. A stop without a place is passed on without one, so that the schema rejects it
 * with its message.
 */
export function bodyOf(values: TaskValues, geofences: readonly Geofence[]) {
  return {
    ...values,
    ref: values.ref || null,
    notes: values.notes || null,
    driverId: values.driverId || null,
    dueFrom: instant(values.dueFrom),
    dueTo: instant(values.dueTo),
    answerBy: instant(values.answerBy),
    stops: values.stops.map(({ name, geofenceId, coordinates: text }) => {
      const geofence = geofences.find(({ id }) => id === geofenceId);
      const place = geofence ? placeOf(geofence) : coordinates(text);
      return {
        name: name || (geofence?.name ?? ''),
        ...(place && { lat: place.lat, lon: place.lon }),
        ...(geofence && placeOf(geofence)),
      };
    }),
  };
}

/** What decides who can make it, as far as the form is filled in: stops that have a place, and a window that runs forward. */
export function wantedOf(values: TaskValues, geofences: readonly Geofence[]): Wanted {
  const { stops, dueFrom, dueTo } = bodyOf(values, geofences);
  const parsed = stops.map(stop => taskStopShownSchema.safeParse({ ...stop, name: stop.name || '–' }));
  const isForward = !dueFrom || !dueTo || Date.parse(dueFrom) < Date.parse(dueTo);
  return {
    taskId: null,
    dueFrom: isForward ? dueFrom : null,
    dueTo: isForward ? dueTo : null,
    stops: parsed.flatMap(({ data }) => (data ? [data] : [])),
  };
}
