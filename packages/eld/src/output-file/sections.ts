import * as f from './formats.ts';

/**
 * The output file in one table: every section, line and column in order (Appendix A, 4.8.2.1.1–4.8.2.1.11), shared by
 * the writer and the reader. Each data line ends with its check value, which is not a column.
 */

export const HEADER_TITLE = 'ELD File Header Segment:';
/** The seven lines of the header. */
export const HEADER_LINES = {
  driver: {
    lastName: f.NAME,
    firstName: f.NAME,
    userName: f.USER_NAME,
    licenceState: f.STATE,
    licenceNumber: f.LICENCE,
  },
  coDriver: { lastName: f.NAME_OR_BLANK, firstName: f.NAME_OR_BLANK, userName: f.USER_NAME_OR_BLANK },
  vehicle: { powerUnit: f.POWER_UNIT, vin: f.VIN_OR_BLANK, trailers: f.TRAILERS },
  carrier: {
    usdot: f.USDOT,
    name: f.CARRIER_NAME,
    multidayBasis: f.MULTIDAY_BASIS,
    dayStart: f.TIME,
    zoneOffset: f.ZONE_OFFSET,
  },
  shipment: { shippingDocument: f.SHIPPING_DOCUMENT, exempt: f.EXEMPT },
  moment: {
    date: f.DATE,
    time: f.TIME,
    lat: f.LAT,
    lon: f.LON,
    totalMiles: f.TOTAL_MILES,
    totalHours: f.TOTAL_HOURS,
  },
  device: {
    registrationId: f.REGISTRATION_ID,
    eldIdentifier: f.ELD_IDENTIFIER,
    authentication: f.AUTHENTICATION,
    comment: f.REMARK,
  },
} as const;

const when = { date: f.DATE, time: f.TIME };
const dutyStart = {
  sequence: f.SEQUENCE,
  status: f.STATUS,
  origin: f.ORIGIN,
  type: f.DUTY_TYPE,
  code: f.CODE,
  ...when,
  miles: f.MILES,
  hours: f.TOTAL_HOURS,
  lat: f.LAT,
  lon: f.LON,
  milesSinceFix: f.SINCE_FIX,
  vehicle: f.ORDER,
};
const totals = { totalMiles: f.TOTAL_MILES, totalHours: f.TOTAL_HOURS };

/**
 * The lists, each with its newest record first. `vehicle` and `originator` are order numbers in the first two lists.
 */
export const LISTS = {
  users: {
    title: 'User List:',
    columns: { order: f.ORDER, accountType: f.ACCOUNT_TYPE, lastName: f.NAME, firstName: f.NAME },
  },
  vehicles: { title: 'CMV List:', columns: { order: f.ORDER, powerUnit: f.POWER_UNIT, vin: f.VIN_OR_BLANK } },
  events: {
    title: 'ELD Event List:',
    columns: {
      ...dutyStart,
      originator: f.ORDER,
      malfunction: f.FLAG,
      diagnostic: f.FLAG,
      eventCheck: f.CHECK,
    },
  },
  annotations: {
    title: 'ELD Event Annotations or Comments:',
    columns: { sequence: f.SEQUENCE, userName: f.USER_NAME, comment: f.REMARK, ...when, place: f.REMARK },
  },
  certifications: {
    title: "Driver's Certification/Recertification Actions:",
    columns: {
      sequence: f.SEQUENCE,
      code: f.CERTIFICATION_CODE,
      ...when,
      certifiedDate: f.DATE,
      vehicle: f.ORDER,
    },
  },
  faults: {
    title: 'Malfunctions and Data Diagnostic Events:',
    columns: {
      sequence: f.SEQUENCE,
      code: f.ENGINE_CODE,
      faultCode: f.FAULT_CODE,
      ...when,
      ...totals,
      vehicle: f.ORDER,
    },
  },
  sessions: {
    title: 'ELD Login/Logout Report:',
    columns: { sequence: f.SEQUENCE, code: f.SESSION_CODE, userName: f.USER_NAME, ...when, ...totals },
  },
  engine: {
    title: 'CMV Engine Power-Up and Shut Down Activity:',
    columns: {
      sequence: f.SEQUENCE,
      code: f.ENGINE_CODE,
      ...when,
      ...totals,
      lat: f.LAT,
      lon: f.LON,
      powerUnit: f.POWER_UNIT,
      vin: f.VIN_OR_BLANK,
      trailers: f.TRAILERS,
      shippingDocument: f.SHIPPING_DOCUMENT,
    },
  },
  unidentified: {
    title: 'Unidentified Driver Profile Records:',
    columns: { ...dutyStart, malfunction: f.FLAG, eventCheck: f.CHECK },
  },
} as const;
export const END_TITLE = 'End of File:';

export type Columns = Readonly<Record<string, f.Format>>;
export type HeaderLine = keyof typeof HEADER_LINES;
export type ListName = keyof typeof LISTS;
export const HEADER_NAMES = Object.keys(HEADER_LINES) as HeaderLine[];
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

export type Row<C extends Columns> = { readonly [Name in keyof C]: string };
export type ListRow<L extends ListName> = Row<(typeof LISTS)[L]['columns']>;

/** The file as texts, field by field; reading and writing it back gives the same bytes. */
export type OutputFile = {
  readonly header: { readonly [L in HeaderLine]: Row<(typeof HEADER_LINES)[L]> };
} & { readonly [L in ListName]: readonly ListRow<L>[] };

/** Lines end with a carriage return alone. */
export const LINE_END = '\r';
