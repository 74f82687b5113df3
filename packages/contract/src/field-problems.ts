import type { z } from 'zod';
import { isCoded, problemOfIssue } from './issue.ts';
import type { FieldError } from './problem.ts';
import { englishText, type ParamsArgument, type ProblemParams } from './problem-text.ts';
import { PROBLEMS, type ProblemCode, type TitleOf } from './problems.ts';

/** Everything that can be wrong with a field, a cell of a file or a request as a whole, by its code. */
export const FIELD_PROBLEMS = {
  // Any field.
  required: 'Fill this in.',
  invalid: 'Check this value.',
  'invalid-choice': 'Choose one from the list.',
  'unknown-field': 'There is no field {name}.',
  'at-least': 'Enter {min} or more.',
  'at-most': 'Enter {max} or less.',
  'too-few': 'Choose at least {min}.',
  'too-many': 'Choose at most {max}.',
  'min-length': 'Use at least {min} characters.',
  'max-length': 'Use at most {max} characters.',
  length: 'Use {min} to {max} characters.',
  'one-line': 'Keep this on one line.',
  'control-character': 'Remove the control characters from this text.',
  id: 'This is not a valid ID.',
  ids: 'Separate IDs with commas.',
  date: 'Enter the date as YYYY-MM-DD.',
  instant: 'Enter the time in ISO 8601 format with a time zone.',
  'time-of-day': 'Enter the time as hours and minutes, such as 22:00.',
  'time-zone': 'Choose a time zone from the list.',
  'end-before-start': 'The end must be after the start.',
  'whole-days': 'Enter a whole number of days.',
  'days-between': 'Enter {min} to {max} days.',
  'minutes-between': 'Enter whole minutes from {min} to {max}.',
  'whole-minutes': 'Enter a whole number of minutes.',
  'duration-between': 'Choose between {minS} and {maxS}.',
  'map-file-name': 'Use letters, digits, dots and dashes, ending in .pmtiles.',
  'map-address': 'Enter an address that begins with https:// or http://, without a user name.',
  'tile-address': 'The address must contain x, y and z in braces.',
  'map-host': 'Enter hosts such as https://tiles.example.com.',
  latitude: 'Enter a latitude from -90 to 90.',
  longitude: 'Enter a longitude from -180 to 180.',
  'nothing-to-change': 'Choose what to change.',
  // Names and people.
  'name-length': 'Enter a name of up to {max} characters.',
  'title-length': 'Enter a title of up to {max} characters.',
  'tag-length': 'Enter a tag of up to {max} characters.',
  email: 'Enter a valid email address, such as name@example.com.',
  phone: 'Start with + and the country code, such as +1 312 555 0100.',
  'user-name': 'Use 3–32 letters, digits, dots, dashes or underscores.',
  'sign-in-name': 'Enter your user name or email.',
  password: 'Enter your password.',
  'current-password': 'Enter your current password.',
  'control-password': 'Enter the control password.',
  'passwords-differ': 'The passwords don’t match.',
  'common-password': 'This password appears in known data leaks. Choose another.',
  'name-in-password': 'Leave out “{word}”. Names are the first thing people guess.',
  code: 'Enter the 6-digit code.',
  invitation: 'This invitation link is not valid.',
  'token-scopes': 'Choose what the token can do.',
  card: 'A card number has 4–32 letters and digits.',
  'unknown-role': 'This role does not exist.',
  'role-mismatch': 'This role is based on a different one.',
  'unknown-folder': 'This folder does not exist.',
  'unknown-department': 'This department does not exist.',
  'folder-out-of-scope': 'Choose a folder you have access to.',
  'department-out-of-scope': 'Choose a department you have access to.',
  // Vehicles.
  imei: 'Check the IMEI. It has 15 digits, and the last one is a check digit.',
  'imei-in-tracker-id': 'This is an IMEI. Enter it in the IMEI field.',
  'tracker-id': 'A tracker ID has 4 to 20 digits or letters.',
  vin: 'A VIN has 17 letters and digits, without I, O and Q.',
  plate: 'A plate has up to {max} characters.',
  year: 'Enter a 4-digit year.',
  tank: 'Enter the tank size, up to {maxL}.',
  'odometer-offset': 'Enter up to {maxKm}, plus or minus.',
  'vehicle-type': 'Choose a vehicle type from the list.',
  'fuel-type': 'Choose a fuel type from the list.',
  'at-least-one': 'Choose at least one.',
  'at-least-one-vehicle': 'Choose at least one vehicle.',
  'too-many-vehicles': 'Choose at most {max} vehicles.',
  'too-many-tags': 'Use at most {max} tags.',
  'address-range': 'Enter an IP address like 203.0.113.7, or a range like 203.0.113.0/24.',
  'too-many-addresses': 'Enter at most {max} addresses.',
  'vehicle-tags-full': 'A vehicle can have at most {max} tags.',
  // Settings and looks.
  'target-distance': 'Enter at least {minKm}, or leave this empty.',
  percent: 'Enter 0 to 100, or leave this empty.',
  currency: 'Enter a 3-letter currency code, such as USD.',
  color: 'Enter the color as # and six hex digits, such as #002e5c.',
  'host-name': 'Enter only the host name, such as fleet.example.com.',
  'quiet-hours-incomplete': 'Enter both a start and an end for quiet hours.',
  'quiet-hours-empty': 'Quiet hours must start and end at different times.',
  // Files.
  file: 'Choose a file.',
  image: 'Choose an image.',
  'image-file': 'Use a PNG, JPEG or WebP image up to {limitBytes}.',
  'no-image': 'This image does not exist.',
  'document-kind': 'Choose a document type.',
  'document-file': 'Use a PDF, PNG or JPEG file up to {limitBytes}.',
  // Commands.
  command: 'This command does not exist.',
  reason: 'Enter a reason.',
  'mode-not-offered': 'This command can’t be sent this way.',
  'no-control-password-needed': 'This command needs no control password.',
  'unknown-parameter': 'The tracker has no such setting.',
  'values-not-accepted': 'The tracker does not accept these values.',
  'whole-meters': 'Enter a whole number of meters.',
  'top-speed': 'Enter a speed of up to 255 km/h.',
  'whole-up-to': 'Enter a whole number up to {max}.',
  output: 'Choose an output from {min} to {max}.',
  camera: 'Choose a camera from {min} to {max}.',
  radius: 'Choose a radius from 20 m to 200 km.',
  'driver-message': 'Enter the message for the driver.',
  'server-address': 'Enter the server’s address.',
  port: 'Choose a port from 1 to 65535.',
  apn: 'Enter the APN.',
  // Share links.
  'share-in-past': 'A link can’t start in the past.',
  'share-too-far': 'A link must start within {days} days.',
  'share-too-short': 'Share for at least {minutes} minutes.',
  'share-too-long': 'You can share for up to {days} days.',
  // Duty logs.
  'too-many-segments': 'Send at most {max} segments.',
  // The request as a whole.
  'not-json': 'The request is not valid JSON.',
  'not-utf-8': 'The file is not UTF-8. Save it as “CSV UTF-8” and try again.',
  'request-unreadable': 'The server could not read the request.',
  'form-unreadable': 'The server could not read the form. Send it again.',
  'form-parts': 'The form has too many parts or was cut off.',
  // A file of vehicles.
  'csv-unreadable': 'This file is not valid CSV from this row on.',
  'csv-empty': 'There are no vehicles in this file.',
  'csv-quote-open': 'A quote is opened and never closed.',
  'csv-row-too-long': 'This row is too long. A closing quote may be missing.',
  'csv-quote-in-cell': 'There is a quote inside a cell that does not start with one.',
  'csv-text-after-quote': 'There is text after a closing quote.',
  'csv-too-many-cells': 'This row has more cells than the header.',
  'csv-unknown-column': '“{name}” is not a column. The columns are {columns}.',
  'csv-column-twice': 'This column appears twice.',
  'csv-column-missing': 'The column {name} is missing.',
  'csv-repeated': 'Same as row {row}.',
  'csv-no-folder': 'No folder, or more than one, has this name. Enter its full path.',
  // An account's export.
  'export-line': 'This line can’t be imported: {detail}.',
  'export-not-json': 'This line is not valid JSON.',
  'export-not-one': 'This file is not an account export.',
  'export-unknown-line': 'This line is not part of an account export.',
  'export-line-too-long': 'This line is longer than any line of an account export.',
  'export-lines-missing': 'Lines of {table} are missing.',
  'export-cut-off': 'The file ends too early.',
  'export-continues': 'There is more after the end of the export.',
} as const satisfies Record<string, string>;

export type FieldProblemCode = keyof typeof FIELD_PROBLEMS;

/** One thing that is wrong with a field, as a problem carries it. */
export function fieldError<C extends FieldProblemCode>(
  field: string,
  code: C,
  ...args: ParamsArgument<(typeof FIELD_PROBLEMS)[C]>
): FieldError;
export function fieldError<C extends ProblemCode>(
  field: string,
  code: C,
  ...args: ParamsArgument<TitleOf<C>>
): FieldError;
export function fieldError(
  field: string,
  code: FieldProblemCode | ProblemCode,
  params: ProblemParams = {},
): FieldError {
  const text = code in FIELD_PROBLEMS ? FIELD_PROBLEMS[code as FieldProblemCode] : PROBLEMS[code as ProblemCode].title;
  return withParams(field, code, params, englishText(text, params));
}

/** A schema's issue as a field error. Issues with their own message keep it, for readers of the API. */
export function fieldErrorOf(issue: z.core.$ZodIssue): FieldError {
  const { code, params } = problemOfIssue(issue);
  const texts: Readonly<Record<string, string>> = FIELD_PROBLEMS;
  const message = isCoded(issue) ? englishText(texts[code] ?? code, params) : issue.message;
  return withParams(issue.path.join('.'), code, params, message);
}

const withParams = (field: string, code: string, params: ProblemParams, message: string): FieldError => ({
  field,
  code,
  ...(Object.keys(params).length > 0 && { params }),
  message,
});
