import { LATITUDE, LONGITUDE, VIN } from '../event/fields.ts';

/** Formats of the output file's fields (Appendix A section 7), each with text that completes “The field …”. */
export interface Format {
  readonly pattern: RegExp;
  readonly says: string;
}

const format = (pattern: RegExp, says: string): Format => ({ pattern, says });
const text = (min: number, max: number): Format =>
  format(new RegExp(`^[^,]{${min},${max}}$`), `has ${min} to ${max} characters`);
/** The format, or blank. */
const orBlank = ({ pattern, says }: Format): Format =>
  format(new RegExp(`^$|${pattern.source}`), `${says}, or is blank`);

export const ORDER = format(/^[1-9]\d?$/, 'is a number from 1 to 99');
export const DATE = format(/^(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d\d$/, 'is a date, MMDDYY');
export const TIME = format(/^(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/, 'is a time, HHMMSS');
export const ZONE_OFFSET = format(
  /^(?:0[4-9]|1[01])$/,
  'is the hours behind UTC, 04 to 11: a home terminal elsewhere has no output file',
);
export const LAT = format(LATITUDE, 'is a latitude, or X, M or E');
export const LON = format(LONGITUDE, 'is a longitude, or X, M or E');
export const SINCE_FIX = format(/^[0-6]$/, 'is 0 to 6');
export const TOTAL_MILES = orBlank(format(/^\d{1,7}$/, 'is whole miles'));
export const TOTAL_HOURS = orBlank(format(/^\d{1,5}\.\d$/, 'is hours with one decimal'));
export const MILES = orBlank(format(/^\d{1,4}$/, 'is whole miles, up to 9999'));
export const SEQUENCE = format(/^[0-9A-F]{1,4}$/, 'is 1 to 4 hexadecimal digits');
export const CHECK = format(/^[0-9A-F]{2}$/, 'is a check value, 2 hexadecimal digits');
export const FLAG = format(/^[01]$/, 'is 0 or 1');
export const STATUS = format(/^[1-4]$/, 'is a record status, 1 to 4');
export const ORIGIN = format(/^[1-4]$/, 'is a record origin, 1 to 4');
export const DUTY_TYPE = format(/^[1-3]$/, 'is an event type, 1 to 3');
export const CODE = format(/^[0-4]$/, 'is an event code, 0 to 4');
export const CERTIFICATION_CODE = format(/^[1-9]$/, 'is the number of the certification, 1 to 9');
export const SESSION_CODE = format(/^[12]$/, 'is 1 (login) or 2 (logout)');
export const ENGINE_CODE = format(/^[1-4]$/, 'is an event code, 1 to 4');
export const FAULT_CODE = format(/^[PETLRSO1-6]$/, 'is a malfunction (a letter) or a data diagnostic (a digit)');
export const ACCOUNT_TYPE = format(/^[DS]$/, 'is D or S');
export const EXEMPT = format(/^[E0]$/, 'is E or 0');
export const NAME = text(2, 30);
export const NAME_OR_BLANK = orBlank(NAME);
export const USER_NAME = text(4, 60);
export const USER_NAME_OR_BLANK = orBlank(USER_NAME);
export const STATE = format(/^[A-Z]{2}$/, 'is a state, 2 letters');
export const LICENCE = format(/^[0-9A-Z]{1,20}$/, 'is up to 20 digits and capital letters');
export const POWER_UNIT = text(1, 10);
export const VIN_OR_BLANK = orBlank(format(VIN, 'is a VIN of 17 characters'));
export const TRAILERS = text(0, 32);
export const SHIPPING_DOCUMENT = text(0, 40);
export const USDOT = format(/^\d{1,9}$/, 'is up to 9 digits');
export const CARRIER_NAME = text(4, 120);
export const MULTIDAY_BASIS = format(/^[78]$/, 'is 7 or 8');
export const REGISTRATION_ID = format(/^[A-Z0-9]{4}$/, 'is 4 letters and digits');
export const ELD_IDENTIFIER = format(/^[A-Z0-9]{6}$/, 'is 6 letters and digits');
export const AUTHENTICATION = format(/^[0-9A-Za-z+/=_-]{17,128}$/, 'has more than 16 characters');
export const REMARK = text(0, 60);
export const FILE_CHECK = format(/^[0-9A-F]{4}$/, 'is a check value, 4 hexadecimal digits');
