import { z } from 'zod';
import { issue } from '../issue.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

/** Tiles exist up to this zoom; beyond it the map enlarges them. */
export const ROADS_MAX_ZOOM = 14;
export const ROADS_MIN_ZOOM = 3;

const tileNumber = z.string().regex(/^\d{1,5}$/, issue('invalid'));

export const readFleetRoads = defineRoute({
  method: 'GET',
  path: '/api/v1/fleet/roads/{z}/{x}/{y}',
  access: 'vehicles.read',
  summary: 'Read a vector tile of the roads driven in the last 90 days by vehicles you can see, layer `fleet`',
  tag: 'Figures',
  params: z.object({
    z: tileNumber.refine(zoom => Number(zoom) >= ROADS_MIN_ZOOM && Number(zoom) <= ROADS_MAX_ZOOM, issue('invalid')),
    x: tileNumber,
    y: tileNumber,
  }),
  response: fileAnswerSchema,
  responseType: 'application/vnd.mapbox-vector-tile',
  problems: ['not-found'],
});
