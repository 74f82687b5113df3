import { z } from 'zod';
import { groupNameSchema, idSchema, notesSchema, personNameSchema } from '../fields.ts';
import { geofenceShapeSchema } from '../geofence-shape.ts';
import { issue } from '../issue.ts';
import { nearTownSchema } from '../messaging.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Geofences';

/** The most geofences and groups of an account. */
export const GEOFENCES_MAX = 10_000;
export const GEOFENCE_GROUPS_MAX = 50;

/** Colors of the design, which has one for light and one for dark. */
export const GEOFENCE_COLORS = ['blue', 'teal', 'orange', 'purple', 'plum'] as const;
export type GeofenceColor = (typeof GEOFENCE_COLORS)[number];

/** What it takes for a vehicle to count as having crossed the edge. */
export const geofenceEdgeSchema = z.object({
  /** How far past the edge it must be, at least; more if the fix is less accurate. */
  bufferM: z
    .number()
    .min(0, issue('at-least', { min: 0 }))
    .max(500, issue('at-most', { max: 500 })),
  /** For how many fixes in a row. */
  minFixes: z
    .int()
    .min(1, issue('at-least', { min: 1 }))
    .max(10, issue('at-most', { max: 10 })),
  /** Or for how long. */
  minSeconds: z
    .int()
    .min(0, issue('at-least', { min: 0 }))
    .max(3600, issue('at-most', { max: 3600 })),
});
export type GeofenceEdge = z.infer<typeof geofenceEdgeSchema>;

/** What a new geofence begins with. */
export const DEFAULT_GEOFENCE_EDGE: GeofenceEdge = { bufferM: 25, minFixes: 2, minSeconds: 60 };

/** The vehicles that a geofence is for: in these folders, or one of these. */
export const geofenceVehiclesSchema = z.object({
  folderIds: z.array(idSchema).max(1000, issue('too-many', { max: 1000 })),
  deviceIds: z.array(idSchema).max(5000, issue('too-many', { max: 5000 })),
});
export type GeofenceVehicles = z.infer<typeof geofenceVehiclesSchema>;

const FREE_RANGE = issue('minutes-between', { min: 0, max: 10_080 });

/** How long a vehicle may stay for free, and what each hour after that costs, in the account's currency. */
export const detentionSchema = z.object({
  freeMinutes: z.int(FREE_RANGE).min(0, FREE_RANGE).max(10_080, FREE_RANGE),
  perHour: z
    .number(issue('at-least', { min: 0 }))
    .min(0, issue('at-least', { min: 0 }))
    .max(100_000, issue('at-most', { max: 100_000 })),
});
export type Detention = z.infer<typeof detentionSchema>;

const speedLimitSchema = z
  .number(issue('at-least', { min: 5 }))
  .min(5, issue('at-least', { min: 5 }))
  .max(300, issue('at-most', { max: 300 }));

export const geofenceGroupSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    color: z.enum(GEOFENCE_COLORS),
    /** Of its geofences that have none of their own; null: none. */
    detention: detentionSchema.nullable(),
  })
  .meta({ id: 'GeofenceGroup' });
export type GeofenceGroup = z.infer<typeof geofenceGroupSchema>;

export const geofenceSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    groupId: z.string().nullable(),
    color: z.enum(GEOFENCE_COLORS),
    /** No vehicle should be inside. */
    isRestricted: z.boolean(),
    /** Otherwise it is kept, but not watched. */
    isOn: z.boolean(),
    shape: geofenceShapeSchema,
    edge: geofenceEdgeSchema,
    /** Null: all of them. */
    vehicles: geofenceVehiclesSchema.nullable(),
    note: z.string().nullable(),
    /** Null: that of its group, if it has one. */
    detention: detentionSchema.nullable(),
    /** What rules about speed limits compare with, in km/h; null: no limit. */
    speedLimitKmh: speedLimitSchema.nullable(),
    createdAt: z.iso.datetime(),
    createdBy: z.string().nullable(),
    changedAt: z.iso.datetime(),
  })
  .meta({ id: 'Geofence' });
export type Geofence = z.infer<typeof geofenceSchema>;

const fields = z.object({
  name: personNameSchema,
  groupId: idSchema.nullable(),
  color: z.enum(GEOFENCE_COLORS),
  isRestricted: z.boolean(),
  isOn: z.boolean(),
  shape: geofenceShapeSchema,
  edge: geofenceEdgeSchema,
  vehicles: geofenceVehiclesSchema.nullable(),
  note: notesSchema.nullable(),
  detention: detentionSchema.nullable(),
  speedLimitKmh: speedLimitSchema.nullable(),
});

export const newGeofenceSchema = fields.partial().required({ name: true, shape: true });
export type NewGeofence = z.input<typeof newGeofenceSchema>;
export const geofenceChangeSchema = fields.partial();
export type GeofenceChange = z.input<typeof geofenceChangeSchema>;

export const newGeofenceGroupSchema = z.object({
  name: groupNameSchema,
  color: z.enum(GEOFENCE_COLORS),
  detention: detentionSchema.nullable().optional(),
});

const params = z.object({ id: idSchema });
const deletedSchema = z.object({ deleted: z.literal(true), id: z.string() });

export const listGeofences = defineRoute({
  method: 'GET',
  path: '/api/v1/geofence',
  access: 'geofences.read',
  summary: 'List the geofences, by name',
  tag: TAG,
  response: z.array(geofenceSchema),
  conditional: true,
});

export const createGeofence = defineRoute({
  method: 'POST',
  path: '/api/v1/geofence',
  access: 'geofences.write',
  summary: 'Create a geofence',
  tag: TAG,
  body: newGeofenceSchema,
  status: 201,
  response: geofenceSchema,
  problems: ['geofence-name-taken', 'too-many-geofences'],
});

/** The most geofences of one import. */
export const GEOFENCE_IMPORT_MAX = 1000;

/** `newGroup`: the name of a group that the same call creates. */
const importedGeofenceSchema = newGeofenceSchema.extend({ newGroup: groupNameSchema.optional() });
export type ImportedGeofence = z.input<typeof importedGeofenceSchema>;
export type NewGeofenceGroup = z.input<typeof newGeofenceGroupSchema>;

export const importGeofences = defineRoute({
  method: 'POST',
  path: '/api/v1/geofence_import',
  access: 'geofences.write',
  summary: 'Create many geofences, and groups for them: all of them, or none',
  tag: TAG,
  body: z
    .object({
      geofences: z
        .array(importedGeofenceSchema)
        .min(1, issue('at-least-one'))
        .max(GEOFENCE_IMPORT_MAX, issue('too-many', { max: GEOFENCE_IMPORT_MAX })),
      /** Groups that are created with them. */
      groups: z
        .array(newGeofenceGroupSchema)
        .max(GEOFENCE_GROUPS_MAX, issue('too-many', { max: GEOFENCE_GROUPS_MAX }))
        .default([]),
    })
    .refine(
      ({ geofences, groups }) =>
        geofences.every(({ newGroup }) => newGroup === undefined || groups.some(({ name }) => name === newGroup)),
      { path: ['groups'], message: issue('invalid-choice') },
    ),
  status: 201,
  response: z.array(geofenceSchema),
  problems: ['geofence-name-taken', 'geofence-group-name-taken', 'too-many-geofences', 'too-many-geofence-groups'],
});

export const updateGeofence = defineRoute({
  method: 'PATCH',
  path: '/api/v1/geofence/{id}',
  access: 'geofences.write',
  summary: 'Change a geofence; fields that are left out stay',
  tag: TAG,
  params,
  body: geofenceChangeSchema,
  response: geofenceSchema,
  problems: ['not-found', 'geofence-name-taken'],
});

/** The most geofences that are changed or deleted at once. */
export const GEOFENCE_BULK_MAX = 1000;

const bulkIdsSchema = z
  .array(idSchema)
  .min(1, issue('at-least-one'))
  .max(GEOFENCE_BULK_MAX, issue('too-many', { max: GEOFENCE_BULK_MAX }));

const bulkGeofenceChangeSchema = fields
  .pick({ groupId: true, color: true, isRestricted: true, isOn: true, vehicles: true })
  .partial();
export type GeofenceBulkChange = z.input<typeof bulkGeofenceChangeSchema>;

export const updateGeofences = defineRoute({
  method: 'PATCH',
  path: '/api/v1/geofence',
  access: 'geofences.write',
  summary: 'Change many geofences at once: all of them, or none',
  tag: TAG,
  body: z
    .object({ ids: bulkIdsSchema, change: bulkGeofenceChangeSchema })
    .refine(({ change }) => Object.values(change).some(value => value !== undefined), {
      path: ['change'],
      message: issue('nothing-to-change'),
    }),
  response: z.array(geofenceSchema),
  problems: ['not-found'],
});

export const deleteGeofences = defineRoute({
  method: 'POST',
  path: '/api/v1/geofence_deletion',
  access: 'geofences.write',
  summary: 'Delete many geofences and their visits at once: all of them, or none',
  tag: TAG,
  body: z.object({ ids: bulkIdsSchema }),
  response: z.object({ deleted: z.int() }),
  problems: ['not-found'],
});

export const deleteGeofence = defineRoute({
  method: 'DELETE',
  path: '/api/v1/geofence/{id}',
  access: 'geofences.write',
  summary: 'Delete a geofence and its visits',
  tag: TAG,
  params,
  response: deletedSchema,
  problems: ['not-found'],
});

/** Places are suggested where vehicles stopped so often in so many days. */
export const SUGGESTED_STOPS_MIN = 3;
export const SUGGESTED_DAYS = 30;

export const suggestGeofences = defineRoute({
  method: 'GET',
  path: '/api/v1/geofence_suggestion',
  access: 'geofences.read',
  summary:
    'Places where vehicles in the caller’s folders stopped often in the last 30 days and no geofence is, the busiest first',
  tag: TAG,
  response: z.array(
    z.object({
      center: z.tuple([z.number(), z.number()]),
      radiusM: z.number(),
      /** How many stops of 5 minutes or more, of how many vehicles, and how long in all. */
      stops: z.int(),
      vehicles: z.int(),
      seconds: z.number(),
      address: z.string().nullable(),
      near: nearTownSchema.nullable(),
    }),
  ),
});

export const listGeofenceGroups = defineRoute({
  method: 'GET',
  path: '/api/v1/geofence_group',
  access: 'geofences.read',
  summary: 'List the groups of geofences, by name',
  tag: TAG,
  response: z.array(geofenceGroupSchema),
});

export const createGeofenceGroup = defineRoute({
  method: 'POST',
  path: '/api/v1/geofence_group',
  access: 'geofences.write',
  summary: 'Create a group of geofences',
  tag: TAG,
  body: newGeofenceGroupSchema,
  status: 201,
  response: geofenceGroupSchema,
  problems: ['geofence-group-name-taken', 'too-many-geofence-groups'],
});

export const updateGeofenceGroup = defineRoute({
  method: 'PATCH',
  path: '/api/v1/geofence_group/{id}',
  access: 'geofences.write',
  summary: 'Rename a group of geofences, or change its color',
  tag: TAG,
  params,
  body: newGeofenceGroupSchema.partial(),
  response: geofenceGroupSchema,
  problems: ['not-found', 'geofence-group-name-taken'],
});

export const deleteGeofenceGroup = defineRoute({
  method: 'DELETE',
  path: '/api/v1/geofence_group/{id}',
  access: 'geofences.write',
  summary: 'Delete a group; its geofences are then in no group',
  tag: TAG,
  params,
  response: deletedSchema,
  problems: ['not-found'],
});
