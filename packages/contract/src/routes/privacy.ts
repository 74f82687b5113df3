import { z } from 'zod';
import { BACKWARD, idSchema, instantSchema, isForward } from '../fields.ts';
import { issue } from '../issue.ts';
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
  'hidden',
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
    /** When it was imported from another server; left out if it happened here. */
    importedAt: z.iso.datetime().optional(),
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

const CLOCK = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, issue('time-of-day'));
/** Private hours that begin on these days (1 is Monday) and last until `to`, the next day if that is not later. */
export const privateTimesSchema = z
  .array(
    z
      .object({ days: z.array(z.int().min(1).max(7)).min(1, issue('at-least-one')).max(7), from: CLOCK, to: CLOCK })
      .strict(),
  )
  .max(7);
export type PrivateTimes = z.infer<typeof privateTimesSchema>;

/** Weekly private hours of a driver, in whatever vehicle, or of a vehicle, whoever drives. */
export const privateHoursSchema = z
  .object({
    driver: z.object({ id: z.string(), name: z.string() }).nullable(),
    vehicle: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** IANA name: by whose clocks. The driver's home terminal, or the account. */
    zone: z.string(),
    times: privateTimesSchema,
    /** Positions from before stay as they were. */
    since: z.iso.datetime(),
  })
  .meta({ id: 'PrivateHours' });
export type PrivateHours = z.infer<typeof privateHoursSchema>;

/** Someone opened positions that private time hides. */
export const privateOpeningSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    by: z.string(),
    vehicle: z.string(),
    reason: z.string(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    /** When it was imported from another server; left out if it happened here. */
    importedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'PrivateOpening' });

/** How long a period may be for which hidden positions are opened, in hours. */
export const OPENING_HOURS = 24;

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
    privateTime: z.object({
      /** Whether the vehicle's positions are hidden now. */
      isNow: z.boolean(),
      /** Since when the driver's own private drive lasts. */
      driveSince: z.iso.datetime().nullable(),
      /** Why the driver can't switch on a private drive; null if they can. */
      noDrive: z.enum(['not-allowed', 'no-vehicle', 'with-log']).nullable(),
      /** Whether personal use in the log hides the tracker's positions. */
      personalUse: z.boolean(),
      /** The driver's hours, and those of the vehicle. */
      hours: z.array(privateHoursSchema),
      /** The last 100 openings of positions of this driver's private time, newest first. */
      openings: z.array(privateOpeningSchema),
    }),
  }),
});

export const switchPrivateDrive = defineRoute({
  method: 'PUT',
  path: '/api/v1/my_privacy/private_drive',
  access: 'profile.write',
  summary: 'Begin or end a private drive in your vehicle; positions from then on are hidden',
  tag: TAG,
  body: z.object({ isOn: z.boolean() }),
  response: z.object({ since: z.iso.datetime().nullable() }),
  problems: ['private-drive-off', 'no-vehicle-now', 'private-time-with-log'],
});

export const listPrivateHours = defineRoute({
  method: 'GET',
  path: '/api/v1/private_hours',
  access: 'settings.read',
  summary: 'List the private hours of drivers and vehicles',
  tag: TAG,
  response: z.array(privateHoursSchema),
});

export const setPrivateHours = defineRoute({
  method: 'PUT',
  path: '/api/v1/private_hours',
  access: 'privacy.write',
  summary: 'Set the private hours of a driver or a vehicle from now on; none ends them',
  tag: TAG,
  body: z
    .object({ driverId: idSchema.nullable(), vehicleId: idSchema.nullable(), times: privateTimesSchema })
    .refine(({ driverId, vehicleId }) => (driverId === null) !== (vehicleId === null), {
      error: issue('required'),
      path: ['driverId'],
    }),
  response: z.array(privateHoursSchema),
  problems: ['not-found', 'private-time-with-log'],
});

export const openHiddenPositions = defineRoute({
  method: 'POST',
  path: '/api/v1/device/{id}/hidden_position',
  access: 'privacy.write',
  summary: 'Open positions that private time hides, for an emergency; the driver is told who did and why',
  tag: TAG,
  params: z.object({ id: idSchema }),
  body: z
    .object({
      from: instantSchema,
      to: instantSchema,
      reason: z
        .string()
        .trim()
        .min(10, issue('reason-length', { min: 10, max: 500 }))
        .max(500, issue('reason-length', { min: 10, max: 500 })),
    })
    .refine(isForward, BACKWARD)
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= OPENING_HOURS * 3_600_000, {
      error: issue('duration-between', { minS: 60, maxS: OPENING_HOURS * 3600 }),
      path: ['to'],
    }),
  response: z.object({
    /** Of the drivers whose positions these are. */
    drivers: z.array(z.string()),
    positions: z.array(
      z.object({
        at: z.iso.datetime(),
        lat: z.number(),
        lon: z.number(),
        /** km/h */
        speed: z.number().nullable(),
        address: z.string().nullable(),
      }),
    ),
  }),
  problems: ['not-found'],
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
