import { z } from 'zod';
import { TOWN_SEARCH_MIN } from '../defaults.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

export const townSchema = z
  .object({
    name: z.string(),
    /** `IL` in the United States, the country's name elsewhere. */
    region: z.string(),
    lat: z.number(),
    lon: z.number(),
  })
  .meta({ id: 'Town' });
export type Town = z.infer<typeof townSchema>;

export const findTowns = defineRoute({
  method: 'GET',
  path: '/api/v1/town',
  access: 'vehicles.read',
  summary: 'Find towns of the world by the beginning of a name, the best matches first',
  tag: 'History',
  query: z.object({ q: z.string().trim().min(TOWN_SEARCH_MIN, issue('invalid')).max(80, issue('invalid')) }),
  response: z.array(townSchema).max(8),
});
