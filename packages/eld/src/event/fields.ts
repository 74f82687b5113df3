import { z } from 'zod';
import { secondOf } from './second-of.ts';

/**
 * The fields of a record as Appendix A section 7 defines them, with error messages for the people who fill them in. The
 * output file is ASCII, but a driver's name keeps its accents here; the file's writer folds them.
 */

const CONTROL = /\p{Cc}/u;
/** The year 9999: any earlier moment can be written as a date in any time zone. */
export const MAX_EPOCH_MS = 253_370_764_800_000;

export const line = (min: number, max: number, what: string) =>
  z
    .string()
    .min(min, `${what} has ${min} to ${max} characters.`)
    .max(max, `${what} has ${min} to ${max} characters.`)
    .refine(text => !CONTROL.test(text), `${what} is one line.`);

/** Milliseconds since 1970, on a whole second: the file has no finer resolution (7.40). */
export const momentSchema = z
  .int()
  .min(0)
  .max(MAX_EPOCH_MS)
  .refine(at => at === secondOf(at), 'Event times must be in whole seconds.');
/** When an entry was written, to the millisecond. */
export const instantSchema = z.int().min(0).max(MAX_EPOCH_MS);

export const sequenceSchema = z.int().min(0).max(0xffff);
/**
 * 7.43 and 7.19 for events since power-up: whole miles and tenths of hours; null where the record leaves them blank.
 */
export const accumulatedMilesSchema = z.int().min(0).max(9999);
export const totalMilesSchema = z.int().min(0).max(9_999_999);
export const engineHoursSchema = z
  .number()
  .min(0)
  .max(99_999.9)
  .refine(hours => Math.abs(hours * 10 - Math.round(hours * 10)) < 1e-6, 'Engine hours are in tenths.');

/** 7.31, 7.33: degrees, or one letter that says why there are none. */
export const LATITUDE = /^(?:-?(?:\d|[1-8]\d)\.\d{1,2}|-?90\.00?|[XME])$/;
export const LONGITUDE = /^(?:-?(?:\d|[1-9]\d|1[0-7]\d)\.\d{1,2}|-?180\.00?|[XME])$/;
export const latitudeSchema = z.string().regex(LATITUDE, 'A latitude has one or two decimals, or is X, M or E.');
export const longitudeSchema = z.string().regex(LONGITUDE, 'A longitude has one or two decimals, or is X, M or E.');
export const milesSinceFixSchema = z.int().min(0).max(6);

/** 7.4, 7.42, 7.39 */
export const powerUnitSchema = line(1, 10, 'A power unit number');
export const trailersSchema = line(0, 32, 'The list of trailers');
export const shippingDocumentSchema = line(0, 40, 'A shipping document number');
/** 7.5: blank, 17 characters, or a dash before them if entered by hand. */
export const VIN = /^-?[A-HJ-NPR-Z0-9]{17}$/;
export const recordedVinSchema = z.union([z.literal(''), z.string().regex(VIN, 'A VIN has 17 letters and digits.')]);

/** 7.6; an edit must state its reason (4.3.2.8.1, 4.3.2.6). */
export const annotationSchema = line(0, 60, 'An annotation');
export const reasonSchema = line(4, 60, 'The reason');
/** 7.12: the location that the driver types when the device does not know it. */
export const placeByDriverSchema = line(5, 60, 'The place');
/** 7.50 */
export const userNameSchema = line(4, 60, 'A user name');
export const dateSchema = z.iso.date();

export const checkSchema = z.string().regex(/^[0-9A-F]{2}$/);
export const entryIdSchema = z.uuid();
/** `driver:12`, `unidentified:7`, `vehicle:7`: a log or a device. */
export const chainNameSchema = z
  .string()
  .regex(/^[a-z]{1,20}(:[A-Za-z0-9-]{1,40})?$/, 'This is not a valid chain name.');
