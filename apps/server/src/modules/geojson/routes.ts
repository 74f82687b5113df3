import { GEOJSON_PARTS, may, readGeoJson } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import { createGeofences } from '../geofences/geofences.ts';
import { geofenceFeature, vehicleFeature } from './features.ts';

const ACCESS = { vehicles: 'vehicles.read', geofences: 'geofences.read' } as const;

/** Where vehicles are, and geofences, for maps and GIS programs: docs/integrations.md. */
export function registerGeoJson(http: Http, context: Context, organisation: Organisation): void {
  const { driving, live, visibility } = organisation;
  const geofences = createGeofences(context, organisation);

  http.handle(readGeoJson, async ({ query, session }) => {
    const isAllowed = (part: (typeof GEOJSON_PARTS)[number]): boolean => may(session, ACCESS[part]);
    if (query.include && !query.include.every(isAllowed)) throw new AppError('not-allowed');
    const parts = new Set((query.include ?? GEOJSON_PARTS).filter(isAllowed));
    const vehicles = parts.has('vehicles') ? visibility.vehicles(session) : [];
    const features = [
      ...vehicles
        .toSorted((one, other) => one.id - other.id)
        .map(vehicle => vehicleFeature(vehicle, live.latestOf(vehicle.id), driving.of(vehicle))),
      ...(parts.has('geofences') ? await geofences.list(session) : []).map(geofenceFeature),
    ];
    return new FileAnswer(JSON.stringify({ type: 'FeatureCollection', features }), {
      type: 'application/geo+json',
      // Kept by who asks, who asks each time whether it has changed.
      cacheControl: 'private, no-cache',
      hasTag: true,
    });
  });
}
