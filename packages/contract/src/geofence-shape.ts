import { z } from 'zod';
import { issue } from './issue.ts';

/** The limits of a shape, in meters and points. */
export const GEOFENCE_LIMITS = {
  minRadiusM: 20,
  maxRadiusM: 200_000,
  minWidthM: 10,
  maxWidthM: 5000,
  maxPoints: 1000,
} as const;

const { minRadiusM, maxRadiusM, minWidthM, maxWidthM, maxPoints } = GEOFENCE_LIMITS;

const longitude = z.number().min(-180, issue('longitude')).max(180, issue('longitude'));
const latitude = z.number().min(-90, issue('latitude')).max(90, issue('latitude'));

/** [longitude, latitude] in degrees on WGS 84, as in GeoJSON (RFC 7946, 3.1.1). */
export const geoPointSchema = z.tuple([longitude, latitude]);
export type GeoPoint = z.infer<typeof geoPointSchema>;

const manyPoints = issue('too-many-points', { max: maxPoints });
const fewPoints = (min: number): string => issue('too-few-points', { min });
/** Not closed: the first point isn't repeated. */
const ringSchema = z.array(geoPointSchema).min(3, fewPoints(3)).max(maxPoints, manyPoints);

const radius = issue('radius-between', { minM: minRadiusM, maxM: maxRadiusM });
const width = issue('width-between', { minM: minWidthM, maxM: maxWidthM });

/** Edges are straight in longitude and latitude, and go the short way across the antimeridian. */
export const geofenceShapeSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('circle'),
      center: geoPointSchema,
      radiusM: z.number(radius).min(minRadiusM, radius).max(maxRadiusM, radius),
    }),
    z.object({
      kind: z.literal('polygon'),
      /** The outline, then its holes. */
      rings: z.array(ringSchema).min(1, fewPoints(3)).max(100, manyPoints),
    }),
    z.object({
      kind: z.literal('rectangle'),
      /** West, south, east, north; west is greater than east across the antimeridian (RFC 7946, 5.2). */
      bounds: z.tuple([longitude, latitude, longitude, latitude]),
    }),
    z.object({
      kind: z.literal('corridor'),
      line: z.array(geoPointSchema).min(2, fewPoints(2)).max(maxPoints, manyPoints),
      /** From edge to edge. */
      widthM: z.number(width).min(minWidthM, width).max(maxWidthM, width),
    }),
  ])
  .meta({ id: 'GeofenceShape' });
export type GeofenceShape = z.infer<typeof geofenceShapeSchema>;
export type GeofenceKind = GeofenceShape['kind'];
