import { z } from 'zod';
import { idSchema, instantSchema, numeric } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

/**
 * The NMFTA Open Telematics API 1.0, as far as Milepost knows what it asks for: docs/integrations.md says what is missing,
 * and why. Names, units (SI, but km/h) and the form of times and places are the standard's.
 */

const TAG = 'Open Telematics API';
const BASE = '/api/otapi/v1.0';

/** The longest time in one call, in days. */
export const OTAPI_MAX_DAYS = 7;
/** The most items on a page, or in one answer of a feed. */
export const OTAPI_PAGE_MAX = 5000;

const time = z.string();

export const otapiLocationSchema = z.object({
  id: z.string(),
  providerId: z.string(),
  /** When the server received it. */
  serverTime: time,
  vehicleId: z.string(),
  dateTime: time,
  /** Latitude and longitude with seven decimals, separated by a space. */
  location: z.string(),
});
export type OtapiLocation = z.infer<typeof otapiLocationSchema>;

const locationsSchema = z.object({
  data: z.array(otapiLocationSchema),
  timeResolution: z.enum(['TIMERESOLUTION_MAX', 'TIMERESOLUTION_NOT_MAX']),
});

const userSchema = z.object({
  userType: z.enum(['USERTYPE_DRIVER', 'USERTYPE_SUPPORT']),
  /** Null for the unidentified driver. */
  userId: z.string().nullable(),
});

export const OTAPI_LOG_EVENT_TYPES = [
  'EVENTTYPE_DUTY_OFF',
  'EVENTTYPE_DUTY_SB',
  'EVENTTYPE_DUTY_D',
  'EVENTTYPE_DUTY_ON',
  'EVENTTYPE_INDICATION_PC',
  'EVENTTYPE_INDICATION_YM',
  'EVENTTYPE_INDICATION_NONE',
  'EVENTTYPE_ENGINE_POWERUP',
  'EVENTTYPE_ENGINE_SHUTDOWN',
  'EVENTTYPE_INTERMEDIATE',
  'EVENTTYPE_DRIVER_LOGIN',
  'EVENTTYPE_DRIVER_LOGOFF',
  'EVENTTYPE_MALFUNCTION_POWERCOMPLIANCE',
  'EVENTTYPE_MALFUNCTION_ENGINESYNCCOMPLIANCE',
  'EVENTTYPE_MALFUNCTION_TIMINGCOMPLIANCE',
  'EVENTTYPE_MALFUNCTION_POSITIONINGCOMPLIANCE',
  'EVENTTYPE_MALFUNCTION_DATARECORDINGCOMPLIANCE',
  'EVENTTYPE_MALFUNCTION_DATATRANSFERCOMPLIANCE',
  'EVENTTYPE_MALFUNCTION_OTHERCOMPLIANCE',
  'EVENTTYPE_MALFUNCTION_NONE',
  'EVENTTYPE_DIAGNOSTIC_POWERDATA',
  'EVENTTYPE_DIAGNOSTIC_ENGINESYNCDATA',
  'EVENTTYPE_DIAGNOSTIC_MISSINGELEMENT',
  'EVENTTYPE_DIAGNOSTIC_DATATRANSFERDATA',
  'EVENTTYPE_DIAGNOSTIC_UNIDENTIFIEDDRIVINGRECORDS',
  'EVENTTYPE_DIAGNOSTIC_OTHER',
  'EVENTTYPE_DIAGNOSTIC_NONE',
  'EVENTTYPE_CERTIFICATION',
] as const;

/** A field that the standard requires is null where the record has none (49 CFR 395 Subpart B, Appendix A, 4.5.1). */
export const otapiLogEventSchema = z.object({
  id: z.string(),
  providerId: z.string(),
  annotations: z
    .array(z.object({ providerId: z.string(), userId: userSchema, comment: z.string(), dateTime: time }))
    .optional(),
  vehicleId: z.string(),
  userId: userSchema,
  /** Whole miles; 6 means six or more. */
  distanceSinceLastValidCoordinates: z.number().nullable(),
  distanceUnits: z.literal('DISTANCEUNITS_MILES'),
  serverDateTime: time,
  eventDateTime: time,
  editDateTime: time.optional(),
  /** Meters. */
  odometer: z.number().optional(),
  engineHours: z.number().optional(),
  location: z.object({
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    identifiedPlace: z.string().optional(),
    identifiedState: z.string().optional(),
    distanceFromIdentifiedPlace: z.number().optional(),
    directionFromIdentifiedPlace: z.string().optional(),
  }),
  reducedLocationAccuracy: z.boolean(),
  origin: z.enum(['ORIGIN_AUTOMATIC', 'ORIGIN_MANUAL', 'ORIGIN_OTHERUSER', 'ORIGIN_UNASSIGNED']),
  shipments: z.array(z.string()).optional(),
  trailers: z.array(z.string()).optional(),
  parentId: z.string().optional(),
  sequenceId: z.number(),
  eventRecordStatus: z.enum(['STATE_ACTIVE', 'STATE_INACTIVE', 'STATE_REJECTED', 'STATE_REQUESTED']),
  eventType: z.enum(OTAPI_LOG_EVENT_TYPES),
  certificationCount: z.number().optional(),
  multidayBasis: z.number().optional(),
  eventDataChecksum: z.string().nullable(),
});
export type OtapiLogEvent = z.infer<typeof otapiLogEventSchema>;

/** From `startTime` on, up to and without `stopTime`. */
const between = z
  .object({ startTime: instantSchema, stopTime: instantSchema })
  .refine(({ startTime, stopTime }) => Date.parse(startTime) < Date.parse(stopTime), {
    path: ['stopTime'],
    message: issue('end-before-start'),
  });
const page = {
  page: numeric(z.int().min(1).max(1_000_000)).default(1),
  count: numeric(z.int().min(1).max(OTAPI_PAGE_MAX)).default(50),
};
/** What the last answer of a feed gave; without it, or `null`, a feed begins now. */
const feed = z.object({ token: z.string().max(4000).optional() });
const ids = z.object({ id: z.string().max(80) });

export const otapiFleetLatest = defineRoute({
  method: 'GET',
  path: `${BASE}/fleet/locations/latest`,
  access: 'vehicles.read',
  basic: true,
  summary: 'Read the newest location of every vehicle; `X-Total-Count` has their number',
  tag: TAG,
  query: z.object(page),
  response: locationsSchema,
});

export const otapiFleetLocations = defineRoute({
  method: 'GET',
  path: `${BASE}/fleet/locations/`,
  access: 'vehicles.read',
  basic: true,
  summary: 'Read all locations of a time, vehicle by vehicle; `X-Total-Count` has their number',
  tag: TAG,
  query: between.safeExtend(page),
  response: locationsSchema,
  problems: ['answer-too-large'],
});

export const otapiLocation = defineRoute({
  method: 'GET',
  path: `${BASE}/fleet/locations/{id}`,
  access: 'vehicles.read',
  basic: true,
  summary: 'Read one location by its ID',
  tag: TAG,
  params: ids,
  response: otapiLocationSchema,
  problems: ['not-found'],
});

export const otapiVehicle = defineRoute({
  method: 'GET',
  path: `${BASE}/vehicles/{id}`,
  access: 'vehicles.read',
  basic: true,
  summary: 'Read a vehicle by its ID',
  tag: TAG,
  params: z.object({ id: idSchema }),
  response: z.object({
    id: z.string(),
    providerId: z.string(),
    /** When the vehicle was created. */
    serverTime: time,
    name: z.string(),
    cmvVIN: z.string().nullable(),
    licensePlate: z.string().nullable(),
  }),
  problems: ['not-found'],
});

export const otapiVehicleLocations = defineRoute({
  method: 'GET',
  path: `${BASE}/vehicles/{vehicleId}/locations/`,
  access: 'vehicles.read',
  basic: true,
  summary: 'Read all locations of a vehicle in a time, oldest first',
  tag: TAG,
  params: z.object({ vehicleId: idSchema }),
  query: between,
  response: locationsSchema,
  problems: ['not-found', 'answer-too-large'],
});

/** Milepost has no fault codes, flags and sums of vehicles in the standard's form, so these lists are empty: docs/integrations.md. */
const infosSchema = z.object({
  coarseVehicleLocationTimeHistories: locationsSchema,
  flaggedVehicleFaultEvents: z.array(z.never()),
  vehiclePerformanceEvents: z.array(z.never()),
  vehicleFaultCodeEvents: z.array(z.never()),
});

export const otapiInfosFeed = defineRoute({
  method: 'GET',
  path: `${BASE}/fleet/infos/feed`,
  access: 'vehicles.read',
  basic: true,
  summary: 'Follow the locations of all vehicles in the order in which they came in; none is missed or given twice',
  tag: TAG,
  query: feed,
  response: z.object({ token: z.string(), feed: infosSchema }),
});

export const otapiLogEventsFeed = defineRoute({
  method: 'GET',
  path: `${BASE}/event_logs/feed`,
  access: 'logbook.read',
  basic: true,
  summary: 'Follow new and changed records of drivers’ logs; a changed record is given again',
  tag: TAG,
  query: feed,
  response: z.object({ token: z.string(), feed: z.array(otapiLogEventSchema) }),
});

export const otapiLogEvent = defineRoute({
  method: 'GET',
  path: `${BASE}/event_logs/{id}`,
  access: 'logbook.read',
  basic: true,
  summary: 'Read a record of a driver’s log by its ID',
  tag: TAG,
  params: ids,
  response: otapiLogEventSchema,
  problems: ['not-found'],
});

export const otapiDriver = defineRoute({
  method: 'GET',
  path: `${BASE}/drivers/{id}`,
  access: 'drivers.read',
  basic: true,
  summary: 'Read a driver by their ID',
  tag: TAG,
  params: z.object({ id: idSchema }),
  response: z.object({
    id: z.string(),
    providerId: z.string(),
    /** When the driver was created. */
    serverTime: time,
    username: z.string().nullable(),
    driverLicenseNumber: z.string().nullable(),
    country: z.string().nullable(),
    region: z.string().nullable(),
    driverHomeTerminal: z.string().optional(),
  }),
  problems: ['not-found'],
});

export const otapiAvailability = defineRoute({
  method: 'GET',
  path: `${BASE}/drivers/{driverId}/availability_factors/`,
  access: 'logbook.read',
  basic: true,
  summary: 'Read what a driver’s availability follows from: the records of a time, and where the driver was',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  query: between,
  response: z.object({
    logEvents: z.array(otapiLogEventSchema),
    vehicleFlaggedEvents: z.array(z.never()),
    coarseVehicleLocationTimeHistory: locationsSchema,
  }),
  problems: ['not-found', 'answer-too-large'],
});

export const otapiHealth = defineRoute({
  method: 'GET',
  path: `${BASE}/health/current`,
  access: 'signed-in',
  basic: true,
  summary: 'Read how the server is',
  tag: TAG,
  response: z.object({
    id: z.string(),
    providerId: z.string(),
    dateTime: time,
    serviceStatus: z.enum([
      'SERVICESTATUS_OPERATIONAL',
      'SERVICESTATUS_DEGRADED_PERFORMANCE',
      'SERVICESTATUS_PARTIAL_OUTAGE',
      'SERVICESTATUS_MAJOR_OUTAGE',
    ]),
    factors: z.array(z.string()),
  }),
});
