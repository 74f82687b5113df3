import { z } from 'zod';
import {
  cardSchema,
  dateSchema,
  emailSchema,
  emptyAsNull,
  idSchema,
  lineSchema,
  notesSchema,
  personNameSchema,
  phoneSchema,
  uuidSchema,
} from '../fields.ts';
import { licenceRegionSchema } from '../licence-region.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Drivers';

/**
 * How the driver is identified: signed in to the vehicle on the phone, otherwise by the card in its newest report,
 * otherwise as its usual driver. The former is always stronger evidence than the latter.
 */
export const DRIVING_SOURCES = ['signed-in', 'card', 'usual'] as const;
export type DrivingSource = (typeof DRIVING_SOURCES)[number];

export const driverSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    /** Number and place of issue, as on the license. */
    licenceNumber: z.string().nullable(),
    licenceRegion: z.string().nullable(),
    licenceClass: z.string().nullable(),
    licenceExpiresOn: z.iso.date().nullable(),
    /** Card, iButton or RFID tag as trackers report it in `rfid`; unique in the account. */
    card: z.string().nullable(),
    departmentId: z.string().nullable(),
    /** The user account of this driver, if there is one. */
    userId: z.string().nullable(),
    notes: z.string().nullable(),
    /** No longer drives; kept for past records. Has no card and no vehicle. */
    archived: z.boolean(),
    createdAt: z.iso.datetime(),
    /** The vehicle that the driver drives now. */
    vehicle: z
      .object({ id: z.string(), imei: z.string(), deviceName: z.string(), source: z.enum(DRIVING_SOURCES) })
      .nullable(),
    /** The earliest expiry date among their documents. */
    documentsExpireOn: z.iso.date().nullable(),
  })
  .meta({ id: 'Driver' });
export type Driver = z.infer<typeof driverSchema>;

export const newDriverSchema = z.object({
  name: personNameSchema,
  phone: emptyAsNull(phoneSchema).optional(),
  email: emptyAsNull(emailSchema).optional(),
  licenceNumber: emptyAsNull(lineSchema(40)).optional(),
  licenceRegion: emptyAsNull(licenceRegionSchema).optional(),
  licenceClass: emptyAsNull(lineSchema(20)).optional(),
  licenceExpiresOn: emptyAsNull(dateSchema).optional(),
  card: emptyAsNull(cardSchema).optional(),
  departmentId: emptyAsNull(idSchema).optional(),
  userId: emptyAsNull(uuidSchema).optional(),
  notes: emptyAsNull(notesSchema).optional(),
});

const params = z.object({ id: idSchema });

export const listDrivers = defineRoute({
  method: 'GET',
  path: '/api/v1/driver',
  access: 'drivers.read',
  summary: 'List the drivers you can see, with the vehicle each is driving now',
  tag: TAG,
  response: z.array(driverSchema),
});

export const createDriver = defineRoute({
  method: 'POST',
  path: '/api/v1/driver',
  access: 'drivers.write',
  summary: 'Add a driver',
  tag: TAG,
  body: newDriverSchema,
  status: 201,
  response: driverSchema,
  problems: ['not-found', 'card-taken', 'licence-taken', 'user-taken'],
});

export const readDriver = defineRoute({
  method: 'GET',
  path: '/api/v1/driver/{id}',
  access: 'drivers.read',
  summary: 'Read one driver',
  tag: TAG,
  params,
  response: driverSchema,
  problems: ['not-found'],
});

export const updateDriver = defineRoute({
  method: 'PATCH',
  path: '/api/v1/driver/{id}',
  access: 'drivers.write',
  summary: 'Change a driver; archiving frees their card and vehicle',
  tag: TAG,
  params,
  body: newDriverSchema.partial().extend({ archived: z.boolean().optional() }),
  response: driverSchema,
  problems: ['not-found', 'card-taken', 'licence-taken', 'user-taken'],
});

export const deleteDriver = defineRoute({
  method: 'DELETE',
  path: '/api/v1/driver/{id}',
  access: 'drivers.write',
  summary: 'Delete a driver and their documents',
  tag: TAG,
  params,
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

export const assignVehicle = defineRoute({
  method: 'PATCH',
  path: '/api/v1/driver/{id}/vehicle',
  access: 'organisation.assign',
  summary: 'Make a driver the usual driver of a vehicle, or with null of no vehicle',
  tag: TAG,
  params,
  body: z.object({ deviceId: idSchema.nullable() }),
  response: driverSchema,
  problems: ['not-found'],
});

export const readMyDriver = defineRoute({
  method: 'GET',
  path: '/api/v1/my_driver',
  access: 'profile.read',
  summary: 'Read the driver linked to the signed-in user, if there is one',
  tag: TAG,
  response: z.object({ driver: driverSchema.nullable() }),
});
