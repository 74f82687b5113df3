import { z } from 'zod';
import { idSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Logbook';

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
