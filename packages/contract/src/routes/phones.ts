import { z } from 'zod';
import { idSchema, lineSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Logbook';

/** The most phones that a driver can enroll at a time. */
export const PHONES_MAX = 5;

const coordinateSchema = z.string().regex(/^[\w-]{43}$/, issue('id'));
export const chainHashSchema = z.string().regex(/^[\da-f]{64}$/, issue('id'));

/** What is wrong with signed entries of a phone. They are kept and counted as any other. */
export const SIGNATURE_FINDINGS = ['bad-signature', 'broken-chain', 'unknown-phone', 'ended-phone'] as const;

export const enrolledPhoneSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    enrolledAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    /** When it last sent a signed entry. */
    lastAt: z.iso.datetime().nullable(),
    /** Signed entries that the server has. */
    entries: z.int(),
    findings: z.array(z.object({ entry: z.string(), at: z.iso.datetime(), finding: z.enum(SIGNATURE_FINDINGS) })),
  })
  .meta({ id: 'EnrolledPhone' });
export type EnrolledPhone = z.infer<typeof enrolledPhoneSchema>;

export const enrollPhone = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/phone',
  access: 'logbook.own',
  summary: 'Enroll your phone: its public key, with which the server verifies the entries it signs',
  tag: TAG,
  body: z.strictObject({
    /** Made on the phone; the same phone is enrolled once. */
    id: uuidSchema,
    name: lineSchema(60),
    /** ECDSA P-256 (FIPS 186-5) as JSON Web Key (RFC 7518 section 6.2.1). The private key can't leave the phone. */
    publicKey: z.strictObject({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      x: coordinateSchema,
      y: coordinateSchema,
    }),
    /** Where the phone's chain of signed entries begins: the link before the first one. */
    after: z.strictObject({ position: z.int().min(-1), hash: chainHashSchema }),
  }),
  response: enrolledPhoneSchema,
  problems: ['no-log', 'not-found', 'too-many-phones'],
});

export const listMyPhones = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/phone',
  access: 'profile.read',
  summary: 'List your phones, newest first',
  tag: TAG,
  response: z.array(enrolledPhoneSchema),
  problems: ['no-log'],
});

export const endMyPhone = defineRoute({
  method: 'DELETE',
  path: '/api/v1/eld/phone/{id}',
  access: 'logbook.own',
  summary: 'End the enrollment of one of your phones; what it signs later is marked',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: enrolledPhoneSchema,
  problems: ['no-log', 'not-found'],
});

export const listDriverPhones = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/driver/{driverId}/phone',
  access: 'logbook.read',
  summary: 'List the phones of a driver, newest first, with what is wrong with entries they signed',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  response: z.array(enrolledPhoneSchema),
  problems: ['not-found'],
});

export const endDriverPhone = defineRoute({
  method: 'DELETE',
  path: '/api/v1/eld/driver/{driverId}/phone/{id}',
  access: 'logbook.write',
  summary: 'End the enrollment of a driver’s phone, such as a lost one',
  tag: TAG,
  params: z.object({ driverId: idSchema, id: uuidSchema }),
  response: enrolledPhoneSchema,
  problems: ['not-found', 'out-of-scope'],
});
