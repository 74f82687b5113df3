import { z } from 'zod';
import {
  CODES_OF_TYPE,
  DIAGNOSTICS,
  FAULT_EVENT_CODES,
  type FaultCode,
  isMalfunction,
  MALFUNCTIONS,
  RECORD_ORIGINS,
} from './codes.ts';
import {
  accumulatedMilesSchema,
  annotationSchema,
  checkSchema,
  dateSchema,
  engineHoursSchema,
  latitudeSchema,
  longitudeSchema,
  milesSinceFixSchema,
  momentSchema,
  placeByDriverSchema,
  powerUnitSchema,
  recordedVinSchema,
  sequenceSchema,
  shippingDocumentSchema,
  totalMilesSchema,
  trailersSchema,
} from './fields.ts';

/**
 * The records of an electronic logging device with their required elements (Appendix A, 4.5.1), as stored: in the
 * regulation's units (miles, hours), times in epoch milliseconds. `null` is a field that the rule leaves blank.
 */

const head = {
  sequence: sequenceSchema,
  at: momentSchema,
  /** Every event carries these (4.4.3): the vehicle and its load at that time. */
  vehicle: z.strictObject({ powerUnit: powerUnitSchema, vin: recordedVinSchema }),
  trailers: trailersSchema,
  shippingDocument: shippingDocumentSchema,
};
const origin = z.enum(Object.keys(RECORD_ORIGINS) as (keyof typeof RECORD_ORIGINS)[]);
const where = { lat: latitudeSchema, lon: longitudeSchema, milesSinceFix: milesSinceFixSchema };
const totals = { totalMiles: totalMilesSchema.nullable(), totalHours: engineHoursSchema.nullable() };

const codeOf = (type: number) =>
  z.int().refine(code => CODES_OF_TYPE[type]?.includes(code) === true, `Events of type ${type} do not have this code.`);

/** 4.5.1.1–4.5.1.3: duty status, intermediate log, personal use and yard move. */
export const dutyEventSchema = z
  .strictObject({
    ...head,
    type: z.literal([1, 2, 3]),
    code: z.int(),
    origin,
    /** Since the engine started; blank in personal use (4.7.3) and where unknown in a manual entry. */
    miles: accumulatedMilesSchema.nullable(),
    hours: engineHoursSchema.nullable(),
    ...where,
    malfunction: z.boolean(),
    diagnostic: z.boolean(),
    annotation: annotationSchema,
    placeByDriver: placeByDriverSchema.nullable(),
    /** Location description, for people to read (7.29): `6mi SSW IL Chicago`. */
    place: z.string().max(60).nullable(),
    /** Event data check value, computed once when the record is created (4.4.5.1). */
    check: checkSchema,
  })
  .refine(
    ({ type, code }) => CODES_OF_TYPE[type]?.includes(code) === true,
    'Events of this type do not have this code.',
  );
export type DutyEvent = z.infer<typeof dutyEventSchema>;

/** 4.5.1.4: the driver certifies the record of one day, for the nth time. */
export const certificationEventSchema = z.strictObject({
  ...head,
  type: z.literal(4),
  code: codeOf(4),
  /** Offset from UTC, in the form that `fileOffset` writes. */
  zoneOffset: z.string().regex(/^-?\d\d(?::\d\d)?$/),
  /** The certified day. */
  date: dateSchema,
});
export type CertificationEvent = z.infer<typeof certificationEventSchema>;

/** 4.5.1.5 */
export const sessionEventSchema = z.strictObject({ ...head, type: z.literal(5), code: codeOf(5), ...totals });
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/** 4.5.1.6 */
export const engineEventSchema = z.strictObject({ ...head, type: z.literal(6), code: codeOf(6), ...totals, ...where });
export type EngineEvent = z.infer<typeof engineEventSchema>;

const FAULT_CODES = [...Object.keys(MALFUNCTIONS), ...Object.keys(DIAGNOSTICS)] as FaultCode[];
const ABOUT_MALFUNCTIONS: readonly number[] = [
  FAULT_EVENT_CODES['malfunction-logged'],
  FAULT_EVENT_CODES['malfunction-cleared'],
];

/** 4.5.1.7 */
const faultEventSchema = z
  .strictObject({ ...head, type: z.literal(7), code: codeOf(7), faultCode: z.enum(FAULT_CODES), ...totals })
  .refine(
    ({ code, faultCode }) => ABOUT_MALFUNCTIONS.includes(code) === isMalfunction(faultCode),
    'A letter is a malfunction, a digit a data diagnostic.',
  );
export type FaultEvent = z.infer<typeof faultEventSchema>;

/** Events that a device records automatically or a driver enters; certifications have their own action. */
export const recordedEventSchema = z.discriminatedUnion('type', [
  dutyEventSchema,
  sessionEventSchema,
  engineEventSchema,
  faultEventSchema,
]);
export type RecordedEvent = z.infer<typeof recordedEventSchema>;
export type EldEvent = RecordedEvent | CertificationEvent;

export const isDutyEvent = (event: EldEvent): event is DutyEvent => event.type <= 3;
export const isDutyStatus = (event: EldEvent): event is DutyEvent => event.type === 1;
