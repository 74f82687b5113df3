import { z } from 'zod';
import { dateSchema, emptyAsNull, idSchema, lineSchema, notesSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Documents';

/** Kinds of vehicle and driver documents. */
export const DOCUMENT_KINDS = [
  'registration',
  'insurance',
  'inspection',
  'permit',
  'licence',
  'medical',
  'training',
  'contract',
  'other',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Accepted file types, detected by content. */
export const DOCUMENT_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
export const DOCUMENT_MAX_BYTES = 10 * 1024 * 1024;

export const documentSchema = z
  .object({
    id: z.string(),
    kind: z.enum(DOCUMENT_KINDS),
    title: z.string(),
    expiresOn: z.iso.date().nullable(),
    notes: z.string().nullable(),
    fileName: z.string(),
    type: z.enum(DOCUMENT_TYPES),
    bytes: z.int(),
    createdAt: z.iso.datetime(),
    /** The user who uploaded it; null if that user was deleted. */
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Document' });
export type DocumentRecord = z.infer<typeof documentSchema>;

const title = lineSchema(120).min(1, issue('title-length', { max: 120 }));
export const documentFieldsSchema = z.object({
  kind: z.enum(DOCUMENT_KINDS, issue('document-kind')),
  title,
  expiresOn: emptyAsNull(dateSchema).optional(),
  notes: emptyAsNull(notesSchema).optional(),
});
export const newDocumentSchema = documentFieldsSchema.extend({
  file: z.file(issue('file')).max(DOCUMENT_MAX_BYTES, issue('document-file', { limitBytes: DOCUMENT_MAX_BYTES })),
});
export type NewDocument = z.input<typeof newDocumentSchema>;

const ofOwner = z.object({ id: idSchema });
const ofDocument = z.object({ id: idSchema, documentId: idSchema });
const deleted = z.object({ deleted: z.literal(true), id: z.string() });

export const listVehicleDocuments = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/document',
  access: 'vehicles.read',
  summary: 'List the documents of a vehicle, those expiring first at the top',
  tag: TAG,
  params: ofOwner,
  response: z.array(documentSchema),
  problems: ['not-found'],
});

export const createVehicleDocument = defineRoute({
  method: 'POST',
  path: '/api/v1/device/{id}/document',
  access: 'vehicles.write',
  summary: 'Add a document (PDF, PNG or JPEG) to a vehicle',
  tag: TAG,
  params: ofOwner,
  body: newDocumentSchema,
  bodyType: 'multipart/form-data',
  status: 201,
  response: documentSchema,
  problems: ['not-found', 'file-not-accepted', 'payload-too-large', 'no-space'],
});

export const updateVehicleDocument = defineRoute({
  method: 'PATCH',
  path: '/api/v1/device/{id}/document/{documentId}',
  access: 'vehicles.write',
  summary: 'Edit the details of a vehicle’s document',
  tag: TAG,
  params: ofDocument,
  body: documentFieldsSchema.partial(),
  response: documentSchema,
  problems: ['not-found'],
});

export const deleteVehicleDocument = defineRoute({
  method: 'DELETE',
  path: '/api/v1/device/{id}/document/{documentId}',
  access: 'vehicles.write',
  summary: 'Delete a document of a vehicle',
  tag: TAG,
  params: ofDocument,
  response: deleted,
  problems: ['not-found'],
});

export const readVehicleDocumentFile = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/document/{documentId}/file',
  access: 'vehicles.read',
  summary: 'Download a document of a vehicle',
  tag: TAG,
  params: ofDocument,
  response: fileAnswerSchema,
  responseType: 'application/octet-stream',
  problems: ['not-found'],
});

export const listDriverDocuments = defineRoute({
  method: 'GET',
  path: '/api/v1/driver/{id}/document',
  access: 'drivers.read',
  summary: 'List the documents of a driver, those expiring first at the top',
  tag: TAG,
  params: ofOwner,
  response: z.array(documentSchema),
  problems: ['not-found'],
});

export const createDriverDocument = defineRoute({
  method: 'POST',
  path: '/api/v1/driver/{id}/document',
  access: 'drivers.write',
  summary: 'Add a document (PDF, PNG or JPEG) to a driver',
  tag: TAG,
  params: ofOwner,
  body: newDocumentSchema,
  bodyType: 'multipart/form-data',
  status: 201,
  response: documentSchema,
  problems: ['not-found', 'file-not-accepted', 'payload-too-large', 'no-space'],
});

export const updateDriverDocument = defineRoute({
  method: 'PATCH',
  path: '/api/v1/driver/{id}/document/{documentId}',
  access: 'drivers.write',
  summary: 'Edit the details of a driver’s document',
  tag: TAG,
  params: ofDocument,
  body: documentFieldsSchema.partial(),
  response: documentSchema,
  problems: ['not-found'],
});

export const deleteDriverDocument = defineRoute({
  method: 'DELETE',
  path: '/api/v1/driver/{id}/document/{documentId}',
  access: 'drivers.write',
  summary: 'Delete a document of a driver',
  tag: TAG,
  params: ofDocument,
  response: deleted,
  problems: ['not-found'],
});

export const readDriverDocumentFile = defineRoute({
  method: 'GET',
  path: '/api/v1/driver/{id}/document/{documentId}/file',
  access: 'drivers.read',
  summary: 'Download a document of a driver',
  tag: TAG,
  params: ofDocument,
  response: fileAnswerSchema,
  responseType: 'application/octet-stream',
  problems: ['not-found'],
});

export const listMyDocuments = defineRoute({
  method: 'GET',
  path: '/api/v1/my_driver/document',
  access: 'profile.read',
  summary: 'List the documents of the driver linked to the signed-in user, those expiring first at the top',
  tag: TAG,
  response: z.array(documentSchema),
});

export const readMyDocumentFile = defineRoute({
  method: 'GET',
  path: '/api/v1/my_driver/document/{documentId}/file',
  access: 'profile.read',
  summary: 'Download a document of the driver linked to the signed-in user',
  tag: TAG,
  params: z.object({ documentId: idSchema }),
  response: fileAnswerSchema,
  responseType: 'application/octet-stream',
  problems: ['not-found'],
});
