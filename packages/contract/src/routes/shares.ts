import { z } from 'zod';
import { emptyAsNull, idSchema, instantSchema, lineSchema, notesSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { nearTownSchema } from '../messaging.ts';
import { defineRoute } from '../route.ts';
import { geofenceSchema } from './geofences.ts';
import { settingsSchema } from './settings.ts';
import { brandSchema } from './tenancy.ts';
import { liveStateSchema, VEHICLE_TYPES } from './vehicles.ts';

const TAG = 'Share links';

/** The shortest duration of a link, and the longest with `shares.write` alone and with `shares.long`. */
export const SHARE_MIN_MINUTES = 10;
export const SHARE_MAX_DAYS = 7;
export const SHARE_LONG_MAX_DAYS = 90;
/** How far in the future a link may begin, in days. */
export const SHARE_AHEAD_DAYS = 30;
export const SHARE_MAX_VEHICLES = 100;
/** The trail on a shared page goes back at most this many hours, and never before the link's own start. */
export const SHARED_TRAIL_HOURS = 24;

/**
 * `planned` starts later; `ended` is past its end; visitors cannot tell the last two from a link that does not exist.
 */
export const SHARE_STATES = ['planned', 'open', 'ended', 'revoked'] as const;

export const shareSchema = z
  .object({
    id: z.string(),
    state: z.enum(SHARE_STATES),
    name: z.string().nullable(),
    /** Shown on the page that visitors see. */
    note: z.string().nullable(),
    /** The vehicles that the user can see, and the number of others. */
    vehicles: z.array(z.object({ id: z.string(), deviceName: z.string() })),
    hidden: z.int(),
    showTrail: z.boolean(),
    showSpeed: z.boolean(),
    /** The geofences that the vehicles are inside: their names and outlines. */
    showGeofences: z.boolean(),
    /** Whether it shows when the vehicle is expected at a task. */
    showEta: z.boolean(),
    startsAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    createdBy: z.object({ id: z.string(), name: z.string() }),
    revokedAt: z.iso.datetime().nullable(),
    /** Counted once for each tab and hour; link previews by programs are not counted. */
    views: z.int(),
    lastViewedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Share' });
export type Share = z.infer<typeof shareSchema>;

const texts = { name: emptyAsNull(lineSchema(60)).optional(), note: emptyAsNull(notesSchema.max(300)).optional() };

export const newShareSchema = z.strictObject({
  ...texts,
  deviceIds: z.array(idSchema).min(1, issue('at-least-one-vehicle')).max(SHARE_MAX_VEHICLES),
  /** If absent, starts now. Nothing from before the start is ever shown. */
  startsAt: instantSchema.optional(),
  expiresAt: instantSchema,
  showTrail: z.boolean(),
  showSpeed: z.boolean(),
  showGeofences: z.boolean().default(false),
  /** A task of one of the vehicles: visitors read when it is expected there, until the task is over. */
  taskId: emptyAsNull(idSchema).optional(),
});

export const shareChangeSchema = z.strictObject({ ...texts, expiresAt: instantSchema.optional() });

const params = z.object({ id: idSchema });
const answer = z.object({ share: shareSchema });

export const listShares = defineRoute({
  method: 'GET',
  path: '/api/v1/share',
  access: 'shares.read',
  summary: 'List links that share vehicles you can see, newest first',
  tag: TAG,
  query: z.object({ deviceId: idSchema.optional() }),
  response: z.object({ shares: z.array(shareSchema) }),
  problems: ['not-found'],
});

export const listOwnShares = defineRoute({
  method: 'GET',
  path: '/api/v1/share/own',
  access: 'shares.write',
  summary: 'List the links you created, newest first',
  tag: TAG,
  response: z.object({ shares: z.array(shareSchema) }),
});

export const createShare = defineRoute({
  method: 'POST',
  path: '/api/v1/share',
  access: 'shares.write',
  summary:
    'Create a link that shows vehicles to anyone who has it, for a limited time; its address is returned only once',
  tag: TAG,
  body: newShareSchema,
  response: z.object({ share: shareSchema, url: z.string() }),
  status: 201,
  problems: ['not-found'],
});

export const updateShare = defineRoute({
  method: 'PATCH',
  path: '/api/v1/share/{id}',
  access: 'shares.write',
  summary: 'Change the name, note or end of a link if you can see all its vehicles',
  tag: TAG,
  params,
  body: shareChangeSchema,
  response: answer,
  problems: ['not-found', 'share-ended'],
});

export const revokeShare = defineRoute({
  method: 'DELETE',
  path: '/api/v1/share/{id}',
  access: 'shares.write',
  summary: 'End a link at once and permanently',
  tag: TAG,
  params,
  response: answer,
  problems: ['not-found'],
});

export const revokeSharesBy = defineRoute({
  method: 'DELETE',
  path: '/api/v1/share',
  access: 'shares.write',
  summary: 'End all links a user created that you can see, at once and permanently; returns the links it ended',
  tag: TAG,
  query: z.object({ createdBy: uuidSchema }),
  response: z.object({ shares: z.array(shareSchema) }),
  problems: ['not-found'],
});

/** A vehicle as a visitor sees it: nothing that identifies it elsewhere, and nothing from outside the link's period. */
export const sharedVehicleSchema = z
  .object({
    /** Valid only within this link. */
    key: z.string(),
    name: z.string(),
    type: z.enum(VEHICLE_TYPES).nullable(),
    /** Null before its first position within the period. */
    live: liveStateSchema.nullable(),
    course: z.number().nullable(),
    /** km/h; null if the link does not show speed. */
    speed: z.number().nullable(),
    address: z.string().nullable(),
    near: nearTownSchema.nullable(),
    /** The geofences that it is inside, the last one entered first; empty if the link does not show them. */
    inside: z.array(
      z.object({
        name: z.string(),
        since: z.iso.datetime(),
        /** It was inside before: nothing from before the link is shown, or known. */
        isAtLeast: z.boolean(),
      }),
    ),
    /** When it is expected at the link's task, by estimate; null if the link shows none, or the task is over. */
    eta: z
      .object({
        stop: z.string(),
        /** Null if not known now. */
        arriveAt: z.iso.datetime().nullable(),
        /** When it was worked out. */
        at: z.iso.datetime().nullable(),
        /** It is there since then, as far as the link's period goes back. */
        arrivedAt: z.iso.datetime().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'SharedVehicle' });
export type SharedVehicle = z.infer<typeof sharedVehicleSchema>;

export const sharedSchema = z
  .object({
    name: z.string().nullable(),
    note: z.string().nullable(),
    brand: brandSchema,
    startsAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    showTrail: z.boolean(),
    showSpeed: z.boolean(),
    showGeofences: z.boolean(),
    /** When a silent vehicle is outdated or offline: the same for visitors as for the account. */
    limits: settingsSchema.pick({ outdatedAfterMinutes: true, offlineAfterMinutes: true }),
    vehicles: z.array(sharedVehicleSchema),
    /** Those that a vehicle is inside, as its `inside` says; none if the link does not show them. */
    geofences: z.array(geofenceSchema.pick({ name: true, color: true, isRestricted: true, shape: true })),
  })
  .meta({ id: 'Shared' });
export type Shared = z.infer<typeof sharedSchema>;

/**
 * The token is sent as the bearer token of the calls below, never in a URL, which would end up in logs and browser
 * histories.
 */
export const readShared = defineRoute({
  method: 'GET',
  path: '/api/v1/shared',
  access: 'public',
  summary: 'Read what a link shows now; the link’s token is the bearer',
  tag: TAG,
  response: z.object({ shared: sharedSchema }),
  conditional: true,
  problems: ['share-over', 'too-many-tries', 'too-many-requests'],
});

export const readSharedTrail = defineRoute({
  method: 'GET',
  path: '/api/v1/shared/{key}/trail',
  access: 'public',
  summary: 'Read the track of one vehicle within the link’s window; the link’s token is the bearer',
  tag: TAG,
  params: z.object({ key: uuidSchema }),
  query: z.object({ since: instantSchema.optional().describe('Only positions later than this') }),
  response: z.object({
    /** Oldest first. */
    points: z.array(z.object({ lat: z.number(), lon: z.number(), at: z.iso.datetime() })),
  }),
  problems: ['share-over', 'not-found', 'too-many-tries', 'too-many-requests'],
});

export const visitShared = defineRoute({
  method: 'POST',
  path: '/api/v1/shared/visit',
  access: 'public',
  summary: 'Count a visit to the page; the link’s token is the bearer',
  tag: TAG,
  response: z.object({ ok: z.literal(true) }),
  problems: ['share-over', 'too-many-tries', 'too-many-requests'],
});
