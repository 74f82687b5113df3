import { z } from 'zod';
import { TOWN_SEARCH_MIN } from '../defaults.ts';
import { issue } from '../issue.ts';
import { LANGUAGES } from '../language.ts';
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

/** A place as an address service names it. */
export const addressSchema = z
  .object({
    /** `1200 W Fulton Market` */
    name: z.string(),
    /** `Chicago, Illinois, United States` */
    region: z.string(),
    lat: z.number(),
    lon: z.number(),
  })
  .meta({ id: 'Address' });
export type Address = z.infer<typeof addressSchema>;

/** Searches by one user in a minute; a search runs when typing pauses. */
export const ADDRESS_SEARCHES_A_MINUTE = 60;

/**
 * `service` is `none` if the server has no `GEOCODER_URL`, and `unavailable` if the service did not answer: then an
 * empty list doesn't mean that there is no such address.
 */
export const findAddresses = defineRoute({
  method: 'GET',
  path: '/api/v1/address',
  access: 'vehicles.read',
  summary: 'Find addresses with the address service of this server (Nominatim or Photon), the best matches first',
  tag: 'History',
  query: z.object({
    q: z.string().trim().min(TOWN_SEARCH_MIN, issue('invalid')).max(200, issue('invalid')),
    language: z.enum(LANGUAGES).default('en-US'),
  }),
  response: z.object({
    service: z.enum(['none', 'answered', 'unavailable']),
    addresses: z.array(addressSchema).max(8),
  }),
});
