/**
 * What the published specification of the NMFTA Open Telematics API 1.0 (API Blueprint, release v1.0) says of the objects
 * that Milepost answers with: each field’s type, and whether it is required. Written down from the specification; no file
 * of it is part of this repository.
 */

type FieldType = 'string' | 'number' | 'boolean' | 'time' | 'place' | 'strings' | readonly string[] | OtapiObject;
type Field = readonly [FieldType, 'required' | 'optional'] | readonly [{ readonly of: OtapiObject }, Need];
type Need = 'required' | 'optional';
export interface OtapiObject {
  readonly [field: string]: Field;
}

const user: OtapiObject = {
  userType: [['USERTYPE_DRIVER', 'USERTYPE_SUPPORT'], 'required'],
  userId: ['string', 'required'],
  firstName: ['string', 'optional'],
  lastName: ['string', 'optional'],
};
const annotation: OtapiObject = {
  providerId: ['string', 'required'],
  userId: [user, 'required'],
  comment: ['string', 'required'],
  dateTime: ['time', 'required'],
};
const complianceLocation: OtapiObject = {
  latitude: ['number', 'required'],
  longitude: ['number', 'required'],
  identifiedPlace: ['string', 'optional'],
  identifiedState: ['string', 'optional'],
  distanceFromIdentifiedPlace: ['number', 'optional'],
  directionFromIdentifiedPlace: ['string', 'optional'],
};
const MALFUNCTIONS = 'POWER ENGINESYNC TIMING POSITIONING DATARECORDING DATATRANSFER OTHER';
const EVENT_TYPES = [
  ...'OFF OFF_WT SB D ON'.split(' ').map(name => `EVENTTYPE_DUTY_${name}`),
  ...'PC YM NONE'.split(' ').map(name => `EVENTTYPE_INDICATION_${name}`),
  ...'ENGINE_POWERUP ENGINE_SHUTDOWN INTERMEDIATE DRIVER_LOGIN DRIVER_LOGOFF'
    .split(' ')
    .map(name => `EVENTTYPE_${name}`),
  ...MALFUNCTIONS.split(' ').map(name => `EVENTTYPE_MALFUNCTION_${name}COMPLIANCE`),
  'EVENTTYPE_MALFUNCTION_NONE',
  ...'POWERDATA ENGINESYNCDATA MISSINGELEMENT DATATRANSFERDATA UNIDENTIFIEDDRIVINGRECORDS OTHER NONE'
    .split(' ')
    .map(name => `EVENTTYPE_DIAGNOSTIC_${name}`),
  ...'CERTIFICATION DEVICE_CONNECTED DEVICE_DISCONNECTED'.split(' ').map(name => `EVENTTYPE_${name}`),
  ...'OFFDUTYDEFERRAL ADVERSEWEATHER 16H'.split(' ').map(name => `EVENTTYPE_EXEMPTION_${name}`),
];

export const LOCATION: OtapiObject = {
  id: ['string', 'required'],
  providerId: ['string', 'required'],
  serverTime: ['time', 'required'],
  vehicleId: ['string', 'required'],
  dateTime: ['time', 'required'],
  location: ['place', 'required'],
};
export const LOCATIONS: OtapiObject = {
  data: [{ of: LOCATION }, 'required'],
  timeResolution: [['TIMERESOLUTION_MAX', 'TIMERESOLUTION_NOT_MAX'], 'required'],
};
export const LOG_EVENT: OtapiObject = {
  id: ['string', 'required'],
  providerId: ['string', 'required'],
  annotations: [{ of: annotation }, 'optional'],
  coDrivers: ['strings', 'optional'],
  vehicleId: ['string', 'required'],
  userId: [user, 'required'],
  distanceSinceLastValidCoordinates: ['number', 'required'],
  distanceUnits: [['DISTANCEUNITS_MILES', 'DISTANCEUNITS_KILOMETRES'], 'required'],
  deviceDateTime: ['time', 'optional'],
  serverDateTime: ['time', 'required'],
  eventDateTime: ['time', 'required'],
  editDateTime: ['time', 'optional'],
  odometer: ['number', 'optional'],
  engineHours: ['number', 'optional'],
  location: [complianceLocation, 'required'],
  reducedLocationAccuracy: ['boolean', 'required'],
  origin: [['ORIGIN_AUTOMATIC', 'ORIGIN_MANUAL', 'ORIGIN_OTHERUSER', 'ORIGIN_UNASSIGNED'], 'required'],
  shipments: ['strings', 'optional'],
  trailers: ['strings', 'optional'],
  parentId: ['string', 'optional'],
  sequenceId: ['number', 'required'],
  eventRecordStatus: [['STATE_ACTIVE', 'STATE_INACTIVE', 'STATE_REJECTED', 'STATE_REQUESTED'], 'required'],
  eventType: [EVENT_TYPES, 'required'],
  requestedEditUser: [user, 'optional'],
  certificationCount: ['number', 'optional'],
  verifyDateTime: ['time', 'optional'],
  multidayBasis: ['number', 'optional'],
  comment: ['string', 'optional'],
  eventDataChecksum: ['string', 'required'],
};
const infos: OtapiObject = {
  coarseVehicleLocationTimeHistories: [LOCATIONS, 'required'],
  flaggedVehicleFaultEvents: [{ of: {} }, 'required'],
  vehiclePerformanceEvents: [{ of: {} }, 'required'],
  vehicleFaultCodeEvents: [{ of: {} }, 'required'],
};
export const INFOS_FEED: OtapiObject = { token: ['string', 'required'], feed: [infos, 'required'] };
export const LOG_EVENTS_FEED: OtapiObject = { token: ['string', 'required'], feed: [{ of: LOG_EVENT }, 'required'] };
export const AVAILABILITY: OtapiObject = {
  logEvents: [{ of: LOG_EVENT }, 'required'],
  vehicleFlaggedEvents: [{ of: {} }, 'required'],
  coarseVehicleLocationTimeHistory: [LOCATIONS, 'required'],
};
export const VEHICLE: OtapiObject = {
  id: ['string', 'required'],
  providerId: ['string', 'required'],
  serverTime: ['time', 'required'],
  name: ['string', 'optional'],
  cmvVIN: ['string', 'required'],
  licensePlate: ['string', 'required'],
};
export const DRIVER: OtapiObject = {
  id: ['string', 'required'],
  providerId: ['string', 'required'],
  serverTime: ['time', 'required'],
  username: ['string', 'required'],
  driverLicenseNumber: ['string', 'required'],
  country: ['string', 'required'],
  region: ['string', 'required'],
  driverHomeTerminal: ['string', 'optional'],
};
export const HEALTH: OtapiObject = {
  id: ['string', 'required'],
  providerId: ['string', 'required'],
  dateTime: ['time', 'required'],
  serviceStatus: [
    ['OPERATIONAL', 'DEGRADED_PERFORMANCE', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE'].map(name => `SERVICESTATUS_${name}`),
    'required',
  ],
  factors: ['strings', 'optional'],
};

/** Required fields that a record can lack: docs/integrations.md says when they are null. */
const MAY_BE_NULL: ReadonlySet<string> = new Set([
  'cmvVIN',
  'country',
  'distanceSinceLastValidCoordinates',
  'driverLicenseNumber',
  'eventDataChecksum',
  'latitude',
  'licensePlate',
  'longitude',
  'region',
  'userId',
  'username',
]);

/** yyyy-MM-ddTHH:mm:ss.fffZ */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** As the specification’s own schemas have it, 26 characters at most. */
const PLACE = /^([-+]?\d{1,2}[.]\d+)\s+([-+]?\d{1,3}[.]\d+)$/;

/** What of an answer is not as the specification says; empty if all is. */
export function faultsOf(value: unknown, object: OtapiObject, at = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`];
  const extra = Object.keys(value).filter(name => !Object.hasOwn(object, name) && !name.startsWith('x_'));
  const faults = extra.map(name => `${at}.${name} is not in the specification`);
  for (const [name, [type, need]] of Object.entries(object)) {
    const field = (value as Record<string, unknown>)[name];
    const path = `${at}.${name}`;
    if (field === undefined) {
      if (need === 'required') faults.push(`${path} is missing`);
    } else if (field === null) {
      if (!MAY_BE_NULL.has(name)) faults.push(`${path} is null`);
    } else faults.push(...faultsOfField(field, type, path));
  }
  return faults;
}

function faultsOfField(field: unknown, type: FieldType | { readonly of: OtapiObject }, path: string): string[] {
  const fault = (isRight: boolean): string[] => (isRight ? [] : [`${path} is ${JSON.stringify(field)}`]);
  if (type === 'time') return fault(typeof field === 'string' && TIME.test(field));
  if (type === 'place') return fault(typeof field === 'string' && PLACE.test(field) && field.length <= 26);
  if (type === 'strings') return fault(Array.isArray(field) && field.every(each => typeof each === 'string'));
  if (typeof type === 'string') return fault(typeof field === type && field !== Number.POSITIVE_INFINITY);
  if (Array.isArray(type)) return fault(type.includes(field));
  if ('of' in type && !Array.isArray(type.of)) {
    const { of } = type as { readonly of: OtapiObject };
    if (!Array.isArray(field)) return fault(false);
    return field.flatMap((each, i) => faultsOf(each, of, `${path}[${i}]`));
  }
  return faultsOf(field, type as OtapiObject, path);
}
