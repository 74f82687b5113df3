import { z } from 'zod';
import {
  emptyAsNull,
  idSchema,
  imeiSchema,
  lineSchema,
  modelSchema,
  notesSchema,
  numeric,
  plateSchema,
  vehicleNameSchema,
  vinSchema,
} from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { trackerIdSchema } from '../tracker-id.ts';
import { TRACKER_PROTOCOLS } from '../trackers.ts';
import { DRIVING_SOURCES } from './drivers.ts';

const TAG = 'Vehicles';

/**
 * How a vehicle moves, determined by the server from its fixes. Together with its age this gives the status
 * (`vehicleStatus`, packages/geo).
 */
export const MOTIONS = ['moving', 'idling', 'stopped'] as const;
export type Motion = (typeof MOTIONS)[number];

/**
 * A vehicle's live state as the server stores it: everything that a status is computed from, except the current time.
 */
export const liveStateSchema = z
  .object({
    motion: z.enum(MOTIONS).nullable(),
    /** Start of the current motion, by the tracker's clock. */
    motionSince: z.iso.datetime().nullable(),
    /** Time of the newest fix, valid or not, by the tracker's clock. */
    fixAt: z.iso.datetime().nullable(),
    /** When the server last heard from the tracker. */
    heardAt: z.iso.datetime().nullable(),
    gpsValid: z.boolean(),
    /** Only in private time: the vehicle's positions are hidden, and the rest is as it was when private time began. */
    private: z.literal(true).optional(),
    /** Usual time between two reports in seconds, a running estimate. */
    intervalS: z.number().nonnegative().nullable(),
    /** The last reliable position; null before the first valid fix. */
    lat: z.number().nullable(),
    lon: z.number().nullable(),
  })
  .meta({ id: 'LiveState' });
export type LiveState = z.infer<typeof liveStateSchema>;

/** Type of vehicle, for its icon on the map and for filters. */
export const VEHICLE_TYPES = [
  'car',
  'van',
  'box-truck',
  'truck',
  'tractor',
  'trailer',
  'bus',
  'motorcycle',
  'machine',
  'other',
] as const;
export type VehicleType = (typeof VEHICLE_TYPES)[number];

export const FUEL_TYPES = ['diesel', 'petrol', 'electric', 'hybrid', 'cng', 'lng', 'lpg', 'hydrogen', 'none'] as const;
export type FuelType = (typeof FUEL_TYPES)[number];

export const vehicleSchema = z
  .object({
    id: z.string(),
    imei: z.string(),
    deviceName: z.string(),
    plate: z.string().nullable(),
    vin: z.string().nullable(),
    type: z.enum(VEHICLE_TYPES).nullable(),
    make: z.string().nullable(),
    model: z.string().nullable(),
    year: z.int().nullable(),
    fuelType: z.enum(FUEL_TYPES).nullable(),
    tankLitres: z.number().nullable(),
    /** How fast it may go, whatever the road; null: as fast as the road allows. */
    speedLimitKmh: z.number().nullable(),
    /** Kilometers added to the tracker's count to match the vehicle's odometer. */
    odometerOffsetKm: z.number(),
    tags: z.array(z.string()),
    notes: z.string().nullable(),
    /** The tracker's model and the number of its SIM card, as entered by the owner. */
    trackerModel: z.string().nullable(),
    simNumber: z.string().nullable(),
    /** The ID that the tracker sends if that is not its IMEI. */
    trackerId: z.string().nullable(),
    /** The only protocol accepted for this vehicle; null until its first report sets it. */
    protocol: z.enum(TRACKER_PROTOCOLS).nullable(),
    /** Where its tracker may report from: addresses and ranges (`203.0.113.0/24`); empty: anywhere. */
    trackerAddresses: z.array(z.string()),
    folderId: z.string().nullable(),
    /** The driver, unless a card identifies another one. */
    usualDriverId: z.string().nullable(),
    /** The current driver, by the card in its newest report or as its usual driver. */
    driver: z.object({ id: z.string(), name: z.string(), source: z.enum(DRIVING_SOURCES) }).nullable(),
    /** The earliest expiry date among its documents. */
    documentsExpireOn: z.iso.date().nullable(),
    /** Days remaining in its subscription [R4.19]. */
    daysRemaining: z.int().nullable(),
    createdAt: z.iso.datetime(),
    live: liveStateSchema,
  })
  .meta({ id: 'Vehicle' });
export type Vehicle = z.infer<typeof vehicleSchema>;

const YEAR = issue('year');
const TANK = issue('tank', { maxL: 5000 });
const SPEED = issue('speed-limit', { minKmh: 5, maxKmh: 300 });
const OFFSET = issue('odometer-offset', { maxKm: 5_000_000 });

export const tagSchema = lineSchema(30).min(1, issue('tag-length', { max: 30 }));
/** In the given order, without duplicates (ignoring case). */
export const tagsSchema = z
  .array(tagSchema)
  .max(20, issue('too-many-tags', { max: 20 }))
  .transform(tags => [...new Map(tags.map(tag => [tag.toLowerCase(), tag])).values()]);

const ADDRESS = issue('address-range');
const addressRangeSchema = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], ADDRESS);
export const trackerAddressesSchema = z
  .array(addressRangeSchema)
  .max(20, issue('too-many-addresses', { max: 20 }))
  .transform(addresses => [...new Set(addresses)]);

/** Fields that can be changed for many vehicles at once. */
const sharedFields = {
  type: emptyAsNull(z.enum(VEHICLE_TYPES, issue('vehicle-type'))).optional(),
  make: emptyAsNull(lineSchema(40)).optional(),
  model: emptyAsNull(modelSchema).optional(),
  year: emptyAsNull(numeric(z.int(YEAR).min(1900, YEAR).max(2100, YEAR))).optional(),
  fuelType: emptyAsNull(z.enum(FUEL_TYPES, issue('fuel-type'))).optional(),
  tankLitres: emptyAsNull(numeric(z.number(TANK).positive(TANK).max(5000, TANK))).optional(),
  speedLimitKmh: emptyAsNull(numeric(z.number(SPEED).min(5, SPEED).max(300, SPEED))).optional(),
  trackerModel: emptyAsNull(lineSchema(60)).optional(),
  folderId: emptyAsNull(idSchema).optional(),
};

export const newVehicleSchema = z.object({
  imei: imeiSchema,
  deviceName: vehicleNameSchema,
  plate: emptyAsNull(plateSchema).optional(),
  vin: emptyAsNull(vinSchema).optional(),
  ...sharedFields,
  odometerOffsetKm: numeric(z.number(OFFSET).min(-5_000_000, OFFSET).max(5_000_000, OFFSET)).optional(),
  tags: tagsSchema.optional(),
  notes: emptyAsNull(notesSchema).optional(),
  simNumber: emptyAsNull(lineSchema(30)).optional(),
  trackerId: emptyAsNull(trackerIdSchema).optional(),
  /** The only protocol accepted for this vehicle; if empty, its next report sets it. */
  protocol: emptyAsNull(z.enum(TRACKER_PROTOCOLS, issue('invalid-choice'))).optional(),
  trackerAddresses: trackerAddressesSchema.optional(),
  usualDriverId: emptyAsNull(idSchema).optional(),
});
export type NewVehicle = z.input<typeof newVehicleSchema>;

const params = z.object({ id: idSchema });

export const listVehicles = defineRoute({
  method: 'GET',
  path: '/api/v1/device',
  access: 'vehicles.read',
  summary: 'List the vehicles you can see, with their live state',
  tag: TAG,
  response: z.array(vehicleSchema),
});

export const createVehicle = defineRoute({
  method: 'POST',
  path: '/api/v1/device',
  access: 'vehicles.write',
  summary: 'Add a vehicle and its tracker',
  tag: TAG,
  body: newVehicleSchema,
  status: 201,
  response: vehicleSchema.extend({
    deviceKey: z.string().describe('Password of the tracker on MQTT; shown this once'),
  }),
  problems: ['not-found', 'imei-taken', 'tracker-id-taken', 'name-taken'],
});

export const readVehicle = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}',
  access: 'vehicles.read',
  summary: 'Read one vehicle',
  tag: TAG,
  params,
  response: vehicleSchema,
  problems: ['not-found'],
});

export const updateVehicle = defineRoute({
  method: 'PATCH',
  path: '/api/v1/device/{id}',
  access: 'vehicles.write',
  summary: 'Change a vehicle',
  tag: TAG,
  params,
  body: newVehicleSchema.partial(),
  response: vehicleSchema,
  problems: ['not-found', 'imei-taken', 'tracker-id-taken', 'name-taken'],
});

export const bulkChangeSchema = z
  .object({
    ids: z
      .array(idSchema)
      .min(1, issue('at-least-one-vehicle'))
      .max(5000, issue('too-many-vehicles', { max: 5000 })),
    change: z.object({ ...sharedFields, addTags: tagsSchema.optional(), removeTags: tagsSchema.optional() }),
  })
  .refine(({ change }) => Object.values(change).some(value => value !== undefined), {
    path: ['change'],
    message: issue('nothing-to-change'),
  });

export const updateVehicles = defineRoute({
  method: 'PATCH',
  path: '/api/v1/device',
  access: 'vehicles.write',
  summary: 'Change many vehicles at once, all or none',
  tag: TAG,
  body: bulkChangeSchema,
  response: z.object({ changed: z.int() }),
  problems: ['not-found'],
});

export const deleteVehicle = defineRoute({
  method: 'DELETE',
  path: '/api/v1/device/{id}',
  access: 'vehicles.write',
  summary: 'Delete a vehicle and its positions',
  tag: TAG,
  params,
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

export const renewDeviceKey = defineRoute({
  method: 'POST',
  path: '/api/v1/device/{id}/key',
  access: 'vehicles.write',
  summary: "Make a new device key; the tracker's present MQTT connection ends",
  tag: TAG,
  params,
  response: z.object({ deviceKey: z.string() }),
  problems: ['not-found'],
});
