import { z } from 'zod';
import { idSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Logbook';

export const INSPECTION_PARTS = [
  'service-brakes',
  'parking-brake',
  'steering',
  'lights-and-reflectors',
  'tires',
  'horn',
  'wipers',
  'mirrors',
  'coupling',
  'wheels-and-rims',
  'emergency-equipment',
  'other',
] as const;
/** The `unit` of a defect of the power unit; trailers have their own numbers (396.11). */
export const VEHICLE_UNIT = 'vehicle';
export const inspectedPartSchema = z.enum(INSPECTION_PARTS);

const signatureSchema = z.object({ name: z.string(), at: z.iso.datetime() });
export const dvirSchema = z
  .object({
    id: z.string(),
    /** Of a deleted one the name that it had: its repair can’t be certified anymore. */
    vehicle: z.object({ id: z.string(), deviceName: z.string(), isDeleted: z.boolean().optional() }),
    when: z.enum(['pre-trip', 'post-trip']),
    trailers: z.string(),
    state: z.enum(['reported', 'repaired', 'repair-not-needed', 'reviewed']),
    defects: z.array(
      z.object({
        part: inspectedPartSchema,
        unit: z.string(),
        what: z.string(),
        affectsSafety: z.boolean(),
        photos: z.array(z.string()),
      }),
    ),
    reportedBy: signatureSchema,
    certifiedBy: signatureSchema.nullable(),
    reviewedBy: signatureSchema.nullable(),
    /** Whether the vehicle may be driven (396.11(a)(3), 396.13). */
    mayBeDriven: z.boolean(),
  })
  .meta({ id: 'InspectionReport' });
export type InspectionReport = z.infer<typeof dvirSchema>;

export const listInspections = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/inspection',
  access: 'logbook.read',
  summary: 'List inspection reports of the last three months, newest first',
  tag: TAG,
  response: z.array(dvirSchema),
});

export const certifyRepair = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/inspection/{id}',
  access: 'logbook.write',
  summary: 'Certify that the defects of a report are repaired, or that no repair is needed',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  body: z.object({ repaired: z.boolean() }),
  response: dvirSchema,
  problems: ['not-found', 'log-refused', 'out-of-scope'],
});

export const INSPECTION_PHOTO_MAX_BYTES = 8 * 1024 * 1024;
/** The most photos that a driver can add in 24 hours. */
export const INSPECTION_PHOTOS_A_DAY = 200;

export const addInspectionPhoto = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/inspection_photo',
  access: 'logbook.own',
  summary: 'Add a photo of a defect, which an inspection report names. It is re-encoded, which removes camera data',
  tag: TAG,
  body: z.strictObject({
    /** Made on the phone; the same one is never kept twice. */
    photoId: uuidSchema,
    vehicleId: idSchema,
    file: z
      .file(issue('image'))
      .max(INSPECTION_PHOTO_MAX_BYTES, issue('image-file', { limitBytes: INSPECTION_PHOTO_MAX_BYTES })),
  }),
  bodyType: 'multipart/form-data',
  response: z.object({ id: z.string() }),
  problems: ['no-log', 'not-found', 'not-an-image', 'payload-too-large', 'unsupported-media-type', 'too-many-photos'],
});

export const readInspectionPhoto = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/inspection_photo/{id}',
  access: 'signed-in',
  summary: 'Read a photo of a defect: your own, or one of a vehicle that you drive or whose inspections you see',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: fileAnswerSchema,
  responseType: 'image/*',
  problems: ['not-found'],
});
