import { z } from 'zod';
import { idSchema, instantSchema, lineSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { logDaySchema, SHOWN_STATUSES } from './eld-desk.ts';

const TAG = 'Logbook';
const WHY_LENGTH = issue('reason-length', { min: 4, max: 60 });
const whySchema = z.string().trim().min(4, WHY_LENGTH).max(60, WHY_LENGTH);

/** A change of a log that its driver will be asked to accept. */
export const proposedSchema = z.object({
  driverId: idSchema,
  /** Null: an additional record. */
  replaces: uuidSchema.nullable(),
  status: z.enum(SHOWN_STATUSES),
  at: instantSchema,
  place: lineSchema(60).nullish(),
  reason: whySchema,
});

/** What a change would do to the day and the hours. */
export const changeEffectSchema = z.object({
  before: logDaySchema.omit({ records: true }),
  after: logDaySchema.omit({ records: true }),
});

export const proposeEdit = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/edit',
  access: 'logbook.write',
  summary: 'Propose a change of a driver’s certified log; the driver accepts or rejects it',
  tag: TAG,
  body: proposedSchema.extend({
    /** True: nothing is written, only the effect is answered. */
    preview: z.boolean().default(false),
  }),
  response: z.object({ proposal: z.string().nullable(), effect: changeEffectSchema }),
  problems: ['not-found', 'no-log', 'log-refused', 'out-of-scope'],
});

export const proposalSchema = z
  .object({
    id: z.string(),
    driverId: z.string(),
    driverName: z.string(),
    date: z.iso.date(),
    by: z.string(),
    proposedAt: z.iso.datetime(),
    status: z.enum(SHOWN_STATUSES),
    at: z.iso.datetime(),
    replaces: z.object({ status: z.enum(SHOWN_STATUSES).nullable(), at: z.iso.datetime() }).nullable(),
    reason: z.string(),
    state: z.enum(['waiting', 'accepted', 'rejected', 'withdrawn']),
    /** When the driver answered, or the carrier withdrew it. */
    answeredAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Proposal' });
export type Proposal = z.infer<typeof proposalSchema>;

export const listProposals = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/proposal',
  access: 'logbook.read',
  summary: 'List proposed changes of the last six months, newest first',
  tag: TAG,
  query: z.object({ driverId: idSchema.optional() }),
  response: z.array(proposalSchema),
});

export const withdrawProposal = defineRoute({
  method: 'DELETE',
  path: '/api/v1/eld/proposal/{id}',
  access: 'logbook.write',
  summary: 'Withdraw a proposed change that the driver has not answered yet',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: z.object({ done: z.literal(true) }),
  problems: ['not-found', 'log-refused', 'out-of-scope'],
});

export const REMINDED_OF = ['certification', 'proposals'] as const;

export const remindDriver = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/driver/{driverId}/reminder',
  access: 'logbook.write',
  summary: 'Ask a driver to certify finished days, or to answer proposed changes; their phone shows it at once',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  body: z.object({ about: z.enum(REMINDED_OF) }),
  response: z.object({ about: z.enum(REMINDED_OF), at: z.iso.datetime(), waiting: z.int() }),
  problems: ['not-found', 'log-refused', 'out-of-scope', 'asked-today'],
});

export const NOT_ASKED = ['nothing-to-certify', 'asked-today', 'out-of-scope'] as const;

export const requestCertification = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/certification_request',
  access: 'logbook.write',
  summary: 'Ask these drivers to certify their finished days, each at most once a day; their phones show it at once',
  tag: TAG,
  body: z.object({ driverIds: z.array(idSchema).min(1, issue('at-least-one')).max(2000) }),
  response: z.object({
    at: z.iso.datetime(),
    asked: z.array(z.object({ driverId: z.string(), waiting: z.int() })),
    skipped: z.array(z.object({ driverId: z.string(), why: z.enum(NOT_ASKED) })),
  }),
  problems: ['not-found', 'out-of-scope'],
});

export const dismissSignIn = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/driver/{driverId}/sign_in_dismissal',
  access: 'logbook.write',
  summary:
    'Take a sign-in that waits to be recorded off the board, with a reason; it comes back if the phone sends it again',
  tag: TAG,
  params: z.object({ driverId: idSchema }),
  body: z.object({ reason: whySchema }),
  response: z.object({ done: z.literal(true) }),
  problems: ['not-found', 'out-of-scope'],
});

export const annotateRecord = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/annotate',
  access: 'logbook.write',
  summary: 'Add a remark to a record of a log, or of unidentified driving',
  tag: TAG,
  body: z.object({
    /** `driver:12` or `unidentified:7`. */
    log: z.string().regex(/^(driver|unidentified):\d+$/, issue('id')),
    record: uuidSchema,
    text: whySchema,
  }),
  response: z.object({ done: z.literal(true) }),
  problems: ['not-found', 'log-refused', 'out-of-scope'],
});

export const unidentifiedSchema = z
  .object({
    /** The record that begins the driving. */
    record: z.string(),
    vehicle: z.object({ id: z.string(), imei: z.string(), deviceName: z.string() }),
    from: z.iso.datetime(),
    /** Null while it lasts. */
    to: z.iso.datetime().nullable(),
    miles: z.number().nullable(),
    fromPlace: z.string().nullable(),
    toPlace: z.string().nullable(),
    note: z.string(),
    state: z.enum(['open', 'assigned', 'annotated', 'claimed']),
    /** Who is asked to take it, or has taken it. */
    driver: z.object({ driverId: z.string(), name: z.string() }).nullable(),
    declinedBy: z.array(z.string()),
    /** Drivers who were near it by card, usual vehicle or log, the likeliest first. */
    candidates: z.array(z.object({ driverId: z.string(), name: z.string() })),
  })
  .meta({ id: 'UnidentifiedDriving' });
export type UnidentifiedDriving = z.infer<typeof unidentifiedSchema>;

export const listUnidentified = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/unidentified',
  access: 'logbook.read',
  summary: 'List unidentified driving of the last six months, newest first',
  tag: TAG,
  response: z.array(unidentifiedSchema),
});

export const assignUnidentified = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/unidentified/{vehicleId}/{record}',
  access: 'logbook.write',
  summary: 'Ask a driver to take unidentified driving, or with null nobody any more',
  tag: TAG,
  params: z.object({ vehicleId: idSchema, record: uuidSchema }),
  body: z.object({ driverId: idSchema.nullable() }),
  response: unidentifiedSchema,
  problems: ['not-found', 'log-refused', 'out-of-scope'],
});

export const malfunctionSchema = z
  .object({
    vehicle: z.object({ id: z.string(), imei: z.string(), deviceName: z.string() }),
    /** `P`, `E`, `T`, `L`, `R`, `S`, or a data diagnostic `1` to `6`. */
    code: z.string(),
    since: z.iso.datetime(),
    clearedAt: z.iso.datetime().nullable(),
    driverName: z.string().nullable(),
    /** A malfunction must be repaired within eight days (49 CFR 395.34(d)); null for data diagnostics. */
    repairBy: z.iso.datetime().nullable(),
  })
  .meta({ id: 'EldMalfunction' });
export type EldMalfunction = z.infer<typeof malfunctionSchema>;

export const listMalfunctions = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/malfunction',
  access: 'logbook.read',
  summary: 'List malfunctions and data diagnostics: open ones, and those of the last 30 days',
  tag: TAG,
  response: z.array(malfunctionSchema),
});
