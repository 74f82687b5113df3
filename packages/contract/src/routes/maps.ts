import { z } from 'zod';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Maps';

/** West, south, east, north, in degrees. */
export const boundsSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** A PMTiles file in `DATA_DIR/maps`. */
export const mapFileNameSchema = z.string().regex(/^[a-z0-9][\w.-]{0,80}\.pmtiles$/i, issue('map-file-name'));

/** Hosts that the content security policy lets pages load from. */
const hostsSchema = z.array(z.string());

/** The base map for pages; URLs include their key. */
export const baseMapSchema = z.discriminatedUnion('kind', [
  /** The built-in map files, with no streets except those of the demo. */
  z.object({ kind: z.literal('built-in') }),
  z.object({
    kind: z.literal('file'),
    name: mapFileNameSchema,
    /** Changes when another file is stored under the same name. */
    version: z.string(),
    bounds: boundsSchema,
    attribution: z.string(),
  }),
  z.object({
    kind: z.literal('style'),
    url: z.string(),
    /** For dark mode; if null, `url` serves both. */
    darkUrl: z.string().nullable(),
    attribution: z.string().nullable(),
    hosts: hostsSchema,
  }),
  z.object({
    kind: z.literal('tiles'),
    url: z.string(),
    attribution: z.string().nullable(),
    hosts: hostsSchema,
  }),
]);
export type BaseMap = z.infer<typeof baseMapSchema>;

export const readBaseMap = defineRoute({
  method: 'GET',
  path: '/api/v1/base_map',
  access: 'signed-in',
  summary: 'Read which base map to draw',
  tag: TAG,
  response: z.object({
    map: baseMapSchema,
    /** `nobody`: no choice was made, so the built-in map is shown. */
    decidedBy: z.enum(['environment', 'settings', 'nobody']),
  }),
});

export const readPublicBaseMap = defineRoute({
  method: 'GET',
  path: '/api/v1/public_base_map',
  access: 'public',
  summary: 'Read which base map a visitor draws: the chosen one, unless it uses a file or a key',
  tag: TAG,
  response: z.object({ map: baseMapSchema }),
});

const HOST = String.raw`(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?`;
const ADDRESS = new RegExp(`^https?://(?:\\{s\\}\\.)?(?:${HOST}|\\[[0-9a-f:]+\\])(?::\\d{1,5})?/[^\\s"'<>\\\\]*$`, 'i');
const addressSchema = z.string().trim().max(1000).regex(ADDRESS, issue('map-address'));
const tileAddressSchema = addressSchema.refine(
  url => ['{z}', '{x}', '{y}'].every(part => url.includes(part)),
  issue('tile-address'),
);
/** A host without a path, as in the content security policy. */
const hostSchema = z
  .string()
  .trim()
  .regex(new RegExp(`^https?://(?:\\*\\.)?${HOST}(?::\\d{1,5})?$`, 'i'), issue('map-host'));
const attributionSchema = z.string().trim().max(300).nullable();
/** Replaces `{key}` in URLs. Absent: keep the current key; null: no key. */
const keySchema = z.string().trim().min(1).max(300).nullable().optional();

export const newMapChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('built-in') }),
  z.object({ kind: z.literal('file'), name: mapFileNameSchema }),
  z.object({ kind: z.literal('openfreemap') }),
  z.object({
    kind: z.literal('style'),
    url: addressSchema,
    darkUrl: addressSchema.nullable(),
    attribution: attributionSchema,
    key: keySchema,
    /** Other hosts that the style loads from: tiles, glyphs, icons. */
    hosts: z.array(hostSchema).max(10),
  }),
  z.object({ kind: z.literal('tiles'), url: tileAddressSchema, attribution: attributionSchema, key: keySchema }),
]);
export type NewMapChoice = z.infer<typeof newMapChoiceSchema>;

/** As returned by the API: whether there is a key, not the key itself. */
const storedChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('built-in') }),
  z.object({ kind: z.literal('file'), name: z.string() }),
  z.object({ kind: z.literal('openfreemap') }),
  z.object({
    kind: z.literal('style'),
    url: z.string(),
    darkUrl: z.string().nullable(),
    attribution: z.string().nullable(),
    hasKey: z.boolean(),
    hosts: z.array(z.string()),
  }),
  z.object({ kind: z.literal('tiles'), url: z.string(), attribution: z.string().nullable(), hasKey: z.boolean() }),
]);
export type MapChoice = z.infer<typeof storedChoiceSchema>;

/** Why a file in the folder cannot be used as a street map. */
export const MAP_FILE_FAULTS = [
  'not-pmtiles',
  'cut-off',
  'no-vector-tiles',
  'compression',
  'bounds',
  'schema',
] as const;
export type MapFileFault = (typeof MAP_FILE_FAULTS)[number];

export const mapFileSchema = z.object({
  name: mapFileNameSchema,
  bytes: z.int(),
  fault: z.enum(MAP_FILE_FAULTS).nullable(),
  bounds: boundsSchema.nullable(),
  maxZoom: z.int().nullable(),
});
export type MapFile = z.infer<typeof mapFileSchema>;

const choiceAnswerSchema = z.object({
  choice: storedChoiceSchema,
  /** Set by MAP_STYLE_URL or MAP_TILE_URL, which take precedence. */
  fromEnvironment: z.boolean(),
  files: z.array(mapFileSchema),
});

export const readMapChoice = defineRoute({
  method: 'GET',
  path: '/api/v1/map_choice',
  access: 'settings.read',
  summary: "Read where the map comes from, and the map files of this server (operator's account only)",
  tag: TAG,
  response: choiceAnswerSchema,
});

export const updateMapChoice = defineRoute({
  method: 'PUT',
  path: '/api/v1/map_choice',
  access: 'settings.write',
  summary: "Choose where the map comes from; in force at the next page load (operator's account only)",
  tag: TAG,
  body: newMapChoiceSchema,
  response: choiceAnswerSchema,
  problems: ['not-found', 'map-file-wrong', 'map-from-environment'],
});

/** A file: a Blob for the client, a stream for the server. */
const fileSchema = z.custom<Blob>();

export const uploadMapFile = defineRoute({
  method: 'POST',
  path: '/api/v1/map_file/{name}',
  access: 'settings.write',
  summary: "Put a street map into DATA_DIR/maps: PMTiles in the schema of Protomaps (operator's account only)",
  tag: TAG,
  params: z.object({ name: mapFileNameSchema }),
  body: fileSchema,
  bodyType: 'application/vnd.pmtiles',
  status: 201,
  response: mapFileSchema,
  problems: ['map-file-wrong', 'no-room', 'payload-too-large', 'unsupported-media-type'],
});

export const deleteMapFile = defineRoute({
  method: 'DELETE',
  path: '/api/v1/map_file/{name}',
  access: 'settings.write',
  summary: "Delete a street map from DATA_DIR/maps (operator's account only)",
  tag: TAG,
  params: z.object({ name: mapFileNameSchema }),
  response: z.object({ ok: z.literal(true) }),
  problems: ['not-found', 'map-file-in-use'],
});
