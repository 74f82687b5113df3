import { z } from 'zod';
import { idSchema, instantSchema, lineSchema, uuidSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { boardRowSchema, logDaySchema, logRecordSchema, SHOWN_STATUSES } from './eld-desk.ts';
import { REMINDED_OF } from './eld-queues.ts';
import { rosterDriverSchema } from './eld-roster.ts';
import { dvirSchema, inspectedPartSchema } from './inspections.ts';
import { chainHashSchema } from './phones.ts';

const TAG = 'Logbook';

/** The most inputs of one request: what a phone has collected in days without a network. */
export const DUTY_INPUTS_MAX = 500;

const RESTED_STATUSES = ['OFF', 'SB', 'ON'] as const;
const QUESTIONS = ['still-driving', 'personal-use'] as const;
const INSPECTED_WHEN = ['pre-trip', 'post-trip'] as const;
const OUTCOMES = ['taken', 'known', 'refused'] as const;
const SHORT_REASON = issue('reason-length', { min: 4, max: 60 });
/** The rule's annotation, 4 to 60 characters (Appendix A, 4.3.2.8.1). */
export const reasonSchema = z.string(SHORT_REASON).trim().min(4, SHORT_REASON).max(60, SHORT_REASON);
const remarkSchema = lineSchema(60).default('');

/** What a driver does; each kind may happen without a network and is sent later. */
const actionSchema = z.discriminatedUnion('kind', [
  /** Into a vehicle, with the status that the driver is in. */
  z.object({
    kind: z.literal('sign-in'),
    vehicleId: idSchema,
    /** To ride along with whoever drives it: from then on the two are a team. */
    asCoDriver: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('sign-out'), status: z.enum(RESTED_STATUSES).default('OFF') }),
  /** PC and YM are the indications; choosing another status ends them. */
  z.object({ kind: z.literal('status'), status: z.enum(SHOWN_STATUSES), note: remarkSchema }),
  /** Yes to the open question: still driving, or still personal use. */
  z.object({ kind: z.literal('confirm') }),
  /** Who drives from now on, of the two drivers in the vehicle; null ends the team. Either of them may say so. */
  z.object({ kind: z.literal('co-driver'), coDriverId: idSchema.nullable() }),
  /** Asks another driver to ride along; they sign in on their own phone (Appendix A, 4.1.3). Null: no more. */
  z.object({ kind: z.literal('ask-co-driver'), coDriverId: idSchema.nullable() }),
  /** No to a driver who asks this one to ride along. */
  z.object({ kind: z.literal('decline-co-driver'), driverId: idSchema }),
  /** Driving recorded here was the co-driver’s; nothing changes until they take it (Appendix A, 4.3.2.8.2(b)). */
  z.object({ kind: z.literal('hand-over'), record: uuidSchema }),
  z.object({ kind: z.literal('take-over'), driverId: idSchema, record: uuidSchema, reason: reasonSchema }),
  z.object({ kind: z.literal('load'), trailers: lineSchema(32), shippingDocument: lineSchema(40) }),
  z.object({ kind: z.literal('annotate'), record: uuidSchema, text: reasonSchema }),
  /** A new record in place of another, or with null an additional one. */
  z.object({
    kind: z.literal('edit'),
    replaces: uuidSchema.nullable(),
    status: z.enum(SHOWN_STATUSES),
    at: instantSchema,
    place: lineSchema(60).nullish(),
    reason: reasonSchema,
  }),
  z.object({ kind: z.literal('certify'), dates: z.array(z.iso.date()).min(1, issue('at-least-one')).max(200) }),
  z.object({ kind: z.literal('answer'), proposal: uuidSchema, accept: z.boolean() }),
  /** Unidentified driving: mine, or not. */
  z.object({ kind: z.literal('claim'), vehicleId: idSchema, record: uuidSchema, mine: z.boolean() }),
  /** An exception of the rules, declared by the driver (`EXCEPTIONS` of `packages/hos`). */
  z.object({ kind: z.literal('declare'), exception: lineSchema(40), reason: reasonSchema }),
  /** Back under the rules; an exemption that nobody ends lasts until the end of the shift. */
  z.object({ kind: z.literal('end-exemption'), exception: lineSchema(40) }),
  z.object({
    kind: z.literal('inspect'),
    vehicleId: idSchema,
    when: z.enum(INSPECTED_WHEN),
    trailers: lineSchema(32).default(''),
    defects: z
      .array(
        z.object({
          part: inspectedPartSchema,
          unit: lineSchema(10),
          what: lineSchema(300),
          affectsSafety: z.boolean(),
          /** Names of photos uploaded before. */
          photos: z.array(lineSchema(120)).max(6).default([]),
        }),
      )
      .max(100),
  }),
  /** Signs that the last report and its repairs have been reviewed (396.13). */
  z.object({ kind: z.literal('review-inspection'), report: uuidSchema }),
]);

/** What an enrolled phone says about an entry, so that nobody can change, remove or move it unnoticed. */
const entryProofSchema = z.object({
  phoneId: uuidSchema,
  /** Its place in the phone's chain, and the hash of the link before it (`packages/eld/src/chain/phone-link.ts`). */
  position: z.int().min(0),
  previous: chainHashSchema,
  /** The moment as the phone wrote it. */
  at: instantSchema,
  /** ECDSA P-256 with SHA-256 over the link's hash as text: 64 bytes in base64url. */
  signature: z.string().max(120),
});
export type EntryProof = z.infer<typeof entryProofSchema>;

/** One action of a driver, as their phone keeps it until it is sent. */
export const dutyInputSchema = z.object({
  /** Made on the phone; the same one is never taken twice. */
  id: uuidSchema,
  /** The moment by the server's clock, as well as the phone knows it. */
  at: instantSchema,
  action: actionSchema,
  /** Of an enrolled phone. A wrong one is noted, and the entry taken. */
  proof: entryProofSchema.optional(),
});
export type DutyInput = z.input<typeof dutyInputSchema>;
export type DutyAction = z.output<typeof actionSchema>;

/** Why an input was not taken; the phone shows it with what the driver had entered. */
export const dutyOutcomeSchema = z.object({
  id: z.string(),
  result: z.enum(OUTCOMES),
  /** A code of `RECORDER_REFUSALS` or `REFUSALS` of `packages/eld`, or of a problem. */
  refusal: z.string().nullable(),
  /** The refusal as a sentence, in English. */
  reason: z.string().nullable(),
});

/** What counts of an entry now: taken, if there is no refusal. */
const dutyAnswerSchema = dutyOutcomeSchema.omit({ result: true });

/** Everything that the driver's phone shows, and needs without a network. */
export const myDutySchema = z
  .object({
    driver: rosterDriverSchema,
    carrier: z.object({
      name: z.string(),
      usdotNumber: z.string().nullable(),
      /** Of the organization; an older server doesn't say them. */
      authorityNumber: z.string().nullable().optional(),
      mainOffice: z.string().nullable().optional(),
    }),
    /** By the server's clock. */
    now: z.iso.datetime(),
    /** The last change of the change feed that is in it. */
    changes: z.int().optional(),
    /** The vehicle that the driver is signed in to. */
    vehicle: z
      .object({
        id: z.string(),
        deviceName: z.string(),
        plate: z.string().nullable(),
        vin: z.string().nullable(),
        /** In motion now, by the rule's definition: the phone shows clocks only. */
        isMoving: z.boolean(),
        reportAt: z.iso.datetime().nullable(),
        /** The other driver of the team. */
        coDriver: z.object({ driverId: z.string(), name: z.string() }).nullable(),
        /** False for a co-driver who rides along. */
        isDriving: z.boolean(),
      })
      .nullable(),
    /** Who can be asked to ride along: drivers with a log at the same home terminal. */
    coDrivers: z.array(z.object({ driverId: z.string(), name: z.string() })),
    /** The driver who was asked, and has not answered. */
    askedCoDriver: z.string().nullable(),
    /** Drivers who ask this one to ride along. */
    teamRequests: z.array(
      z.object({ driverId: z.string(), name: z.string(), vehicleId: z.string(), deviceName: z.string() }),
    ),
    /** Driving that a co-driver says was this driver’s. */
    handedOver: z.array(
      z.object({
        driverId: z.string(),
        name: z.string(),
        record: z.string(),
        from: z.iso.datetime(),
        to: z.iso.datetime(),
        place: z.string().nullable(),
      }),
    ),
    /** Vehicles that the driver can sign in to. */
    vehicles: z.array(
      z.object({ id: z.string(), deviceName: z.string(), plate: z.string().nullable(), isUsual: z.boolean() }),
    ),
    question: z.object({ kind: z.enum(QUESTIONS), askedAt: z.iso.datetime() }).nullable(),
    row: boardRowSchema,
    trailers: z.string(),
    shippingDocument: z.string(),
    /**
     * Newest first: today and the days before that an officer may see or that the desk wants certified, then older ones
     * with a proposed change that waits, or was accepted and makes the day be certified again.
     */
    days: z.array(logDaySchema),
    /** So many of them an officer may see: 8 in the United States, 15 in Canada. Missing: all. */
    officerDays: z.int().optional(),
    /** What an officer's display has beside the days (Appendix A, 4.8.1.3): the ELD user name, and who rode along when. */
    display: z
      .object({
        driverId: z.string(),
        coDrivers: z.array(
          z.object({
            name: z.string(),
            driverId: z.string(),
            from: z.iso.datetime(),
            to: z.iso.datetime().nullable(),
          }),
        ),
      })
      .optional(),
    /** Days before today that are to be certified: all of the last two weeks, which the desk counts, and older ones. */
    toCertify: z.array(z.iso.date()),
    /** What the desk asks for, as long as it waits. */
    reminders: z.array(z.object({ about: z.enum(REMINDED_OF), at: z.iso.datetime(), by: z.string() })).optional(),
    /**
     * Entries that are answered otherwise now than at first, because of what trackers reported later: taken after all
     * (no refusal), or not.
     */
    answers: z.array(dutyAnswerSchema).optional(),
    /** Unidentified driving of the driver's vehicle that waits for an answer. */
    unclaimed: z.array(
      z.object({
        vehicleId: z.string(),
        deviceName: z.string(),
        record: z.string(),
        from: z.iso.datetime(),
        to: z.iso.datetime().nullable(),
        miles: z.number().nullable(),
        place: z.string().nullable(),
        /** The desk asks this driver to take it. */
        isAssigned: z.boolean(),
      }),
    ),
    /**
     * Records of unidentified driving of the vehicles that the driver was in, in these days: the report beside the
     * driver's (Appendix A, 4.8.1.3). Those that the driver declined stay; claimed ones are in the driver's log.
     */
    unidentified: z.array(logRecordSchema).optional(),
    /** The last inspection of the vehicle, if it is still to be repaired or reviewed. */
    inspection: dvirSchema.nullable(),
    /** The driver's log as the rules see it, so that clocks run without a network: the body of `eld/evaluate`. */
    dutyLog: z.object({
      ruleset: z.string(),
      timezone: z.string(),
      homeTerminalStartOfDay: z.string(),
      segments: z.array(z.object({ status: z.string(), start: z.iso.datetime(), end: z.iso.datetime().nullable() })),
      declarations: z.array(
        z.object({ exception: z.string(), start: z.iso.datetime(), end: z.iso.datetime().nullable() }),
      ),
    }),
  })
  .meta({ id: 'MyDuty' });
export type MyDuty = z.infer<typeof myDutySchema>;

export const readMyDuty = defineRoute({
  method: 'GET',
  path: '/api/v1/eld/my_duty',
  access: 'profile.read',
  summary: 'Read your own log, clocks, vehicle and what waits for you',
  tag: TAG,
  response: myDutySchema,
  conditional: true,
  problems: ['no-log'],
});

export const recordDuty = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/duty',
  access: 'logbook.own',
  summary: 'Record what you did: change of status, sign-in, certification … in order; each is taken once',
  tag: TAG,
  body: z.object({ inputs: z.array(dutyInputSchema).min(1, issue('at-least-one')).max(DUTY_INPUTS_MAX) }),
  response: z.object({ outcomes: z.array(dutyOutcomeSchema), duty: myDutySchema }),
  problems: ['no-log'],
});

export const certifyDays = defineRoute({
  method: 'POST',
  path: '/api/v1/eld/certify',
  access: 'logbook.own',
  summary: 'Certify finished days of your own log',
  tag: TAG,
  body: z.object({ dates: z.array(z.iso.date()).min(1, issue('at-least-one')).max(200) }),
  response: z.object({ certified: z.array(z.iso.date()), toCertify: z.array(z.iso.date()) }),
  problems: ['no-log', 'log-refused'],
});
