import { z } from 'zod';
import { BACKWARD, idSchema, instantSchema, isForward } from '../fields.ts';
import { ROLES } from '../roles.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Privacy';

/**
 * Ways to look at a driver's positions. The first three show everyone in sight: having them open says little about one
 * driver. The others are about this driver's vehicle, past or log.
 */
export const FLEET_LOOKS = ['map', 'alerts', 'desk'] as const;
export const LOOK_KINDS = [
  ...FLEET_LOOKS,
  'vehicle',
  'replay',
  'trips',
  'time-travel',
  'search',
  'report',
  'file',
  'log',
  'share',
  'ledger',
  'alert',
] as const;
export type LookKind = (typeof LOOK_KINDS)[number];

/**
 * `share`: a visitor of a share link, whom nobody knows; the user is who created the link. `email` and `push`: an alert
 * went to the user. `webhook`: it went to a program of the company.
 */
export const LOOK_VIA = ['session', 'api-token', 'share', 'email', 'push', 'webhook'] as const;

/** How long the ledger is kept at least, in days: the database refuses to delete newer entries. */
export const LOOKS_KEPT_LEAST_DAYS = 30;
/** A look that goes on within this time is the same one, in minutes. */
export const LOOK_PAUSE_MINUTES = 15;

export const lookSchema = z
  .object({
    id: z.string(),
    kind: z.enum(LOOK_KINDS),
    via: z.enum(LOOK_VIA),
    /** As they were called at the time; null for a webhook, or if the user was deleted since. */
    user: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** The share link, or the webhook, and its name if it has one. */
    link: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
    beganAt: z.iso.datetime(),
    untilAt: z.iso.datetime(),
    /** The time of the positions; null for where the driver was at the moment. */
    period: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).nullable(),
  })
  .meta({ id: 'Look' });
export type Look = z.infer<typeof lookSchema>;

const ledgerQuery = z
  .object({
    from: instantSchema,
    to: instantSchema,
    before: z.string().max(80).optional().describe('`next` of the last page'),
  })
  .refine(isForward, BACKWARD);

const ledgerPage = z.object({ looks: z.array(lookSchema), next: z.string().nullable() });

/** Why a user can see a driver's position. */
export const SEEN_THROUGH = ['account', 'folder', 'department'] as const;

export const readMyPrivacy = defineRoute({
  method: 'GET',
  path: '/api/v1/my_privacy',
  access: 'profile.read',
  summary: 'Read who can see your position now, which share links show it, and how long what is kept about you',
  tag: TAG,
  response: z.object({
    /** The signed-in user's driver record; null if there is none, and the rest then is empty. */
    driver: z.object({ id: z.string(), name: z.string(), hasCard: z.boolean() }).nullable(),
    vehicle: z.object({ id: z.string(), deviceName: z.string() }).nullable(),
    keepPositionsDays: z.int().nullable(),
    keepLooksDays: z.int(),
    viewers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: z.enum(ROLES),
        through: z.enum(SEEN_THROUGH),
        /** API tokens of theirs, with which programs read the same. */
        apiTokens: z.int(),
      }),
    ),
    /** Links that show the vehicle, now or from a later time on. */
    links: z.array(
      z.object({
        id: z.string(),
        name: z.string().nullable(),
        createdBy: z.string(),
        startsAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
        showTrail: z.boolean(),
      }),
    ),
  }),
});

export const listMyLooks = defineRoute({
  method: 'GET',
  path: '/api/v1/my_privacy/look',
  access: 'profile.read',
  summary: 'List who looked at your positions in a period, newest first',
  tag: TAG,
  query: ledgerQuery,
  response: ledgerPage,
});

export const listLooksOf = defineRoute({
  method: 'GET',
  path: '/api/v1/driver/{id}/look',
  access: 'audit.read',
  summary: "List who looked at a driver's positions in a period, newest first; the driver sees that it was read",
  tag: TAG,
  params: z.object({ id: idSchema }),
  query: ledgerQuery,
  response: ledgerPage,
  problems: ['not-found'],
});

export const readPrivacyOverview = defineRoute({
  method: 'GET',
  path: '/api/v1/privacy_overview',
  access: 'settings.read',
  summary: 'Count the looks of the last 30 days by kind, without naming anyone',
  tag: TAG,
  response: z.object({
    from: z.iso.datetime(),
    keepLooksDays: z.int(),
    /** Drivers, and how many of them can read their own ledger because they have a user account. */
    drivers: z.int(),
    driversWithAccess: z.int(),
    kinds: z.array(z.object({ kind: z.enum(LOOK_KINDS), looks: z.int(), people: z.int(), drivers: z.int() })),
  }),
});
