import { z } from 'zod';
import { lineSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Integrations';

/** What programs can follow, and what of it a token needs to. */
export const STREAM_TYPES = ['positions', 'alerts', 'changes'] as const;
export type StreamType = (typeof STREAM_TYPES)[number];
export const ACCESS_OF_STREAM = {
  positions: 'vehicles.read',
  alerts: 'alerts.read',
  changes: null,
} as const;

const listOf = <const T extends readonly [string, ...string[]]>(names: T) =>
  z
    .string()
    .max(100)
    .transform(text => text.split(',').filter(Boolean))
    .pipe(z.array(z.enum(names)).min(1));

export const followEvents = defineRoute({
  method: 'GET',
  path: '/api/v1/events',
  access: 'vehicles.read',
  basic: true,
  summary:
    'Follow positions, alerts and changes as server-sent events; with `Last-Event-ID`, go on where a stream ended, without loss or doubles',
  tag: TAG,
  query: z.object({
    /** Separated by commas; all that the caller may have, if absent. */
    types: listOf(STREAM_TYPES).optional(),
    /** `false` ends the stream when all that there is was sent. */
    follow: z.enum(['true', 'false']).default('true'),
    /** In place of the header, for clients that can't send it. */
    lastEventId: z.string().max(5000).optional(),
  }),
  response: fileAnswerSchema,
  responseType: 'text/event-stream',
  problems: ['not-allowed', 'too-many-requests'],
});

export const GEOJSON_PARTS = ['vehicles', 'geofences'] as const;

export const readGeoJson = defineRoute({
  method: 'GET',
  path: '/api/v1/geojson',
  access: 'vehicles.read',
  basic: true,
  summary: 'Read where vehicles are now, and geofences, as one GeoJSON FeatureCollection (RFC 7946), with an ETag',
  tag: TAG,
  query: z.object({
    /** Separated by commas; all that the caller may have, if absent. */
    include: listOf(GEOJSON_PARTS).optional(),
  }),
  response: fileAnswerSchema,
  responseType: 'application/geo+json',
  problems: ['not-allowed'],
});

/** What a calendar can show of what its user sees. */
export const CALENDAR_PARTS = ['documents', 'subscriptions', 'tasks'] as const;
export type CalendarPart = (typeof CALENDAR_PARTS)[number];
export const CALENDARS_MAX = 10;

export const calendarSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    include: z.array(z.enum(CALENDAR_PARTS)),
    createdAt: z.iso.datetime(),
    lastReadAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Calendar' });
export type Calendar = z.infer<typeof calendarSchema>;

export const newCalendarSchema = z.object({
  name: lineSchema(60).min(1, issue('name-length', { max: 60 })),
  include: z.array(z.enum(CALENDAR_PARTS)).min(1, issue('at-least-one')).max(CALENDAR_PARTS.length),
});

export const listCalendars = defineRoute({
  method: 'GET',
  path: '/api/v1/calendar',
  access: 'profile.read',
  summary: 'List your calendars',
  tag: TAG,
  response: z.array(calendarSchema),
});

export const createCalendar = defineRoute({
  method: 'POST',
  path: '/api/v1/calendar',
  access: 'profile.write',
  summary: 'Create a calendar that calendar programs subscribe to; whoever has its address can read it',
  tag: TAG,
  body: newCalendarSchema,
  status: 201,
  response: calendarSchema.extend({ path: z.string().describe('Of its address on this server. Shown this once.') }),
  problems: ['too-many-calendars'],
});

export const deleteCalendar = defineRoute({
  method: 'DELETE',
  path: '/api/v1/calendar/{id}',
  access: 'profile.write',
  summary: 'Delete one of your calendars; its address stops working at once',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

export const readCalendar = defineRoute({
  method: 'GET',
  path: '/api/v1/calendar_file/{file}',
  access: 'public',
  summary: 'Read a calendar by its secret address, as iCalendar (RFC 5545)',
  tag: TAG,
  params: z.object({ file: z.string().max(80) }),
  response: fileAnswerSchema,
  responseType: 'text/calendar',
  problems: ['not-found'],
});
