import type { OTAPI_LOG_EVENT_TYPES, OtapiLogEvent } from '@milepost/contract';
import type { Diagnostic, EldEvent, LogRecord, Malfunction } from '@milepost/eld';

type EventType = (typeof OTAPI_LOG_EVENT_TYPES)[number];

/** What a record doesn't say of itself. */
export interface LogOwner {
  readonly providerId: string;
  /** Null for the log of unidentified driving. */
  readonly driverId: number | null;
  /** The driver’s user. */
  readonly userId: string | null;
  /** 7 or 8; null where the rules know another cycle. */
  readonly cycleDays: number | null;
}

const METERS_A_MILE = 1609.344;

const STATES = {
  active: 'STATE_ACTIVE',
  'inactive-changed': 'STATE_INACTIVE',
  'change-requested': 'STATE_REQUESTED',
  'change-rejected': 'STATE_REJECTED',
} as const satisfies Record<LogRecord['status'], OtapiLogEvent['eventRecordStatus']>;

const ORIGINS = {
  automatic: 'ORIGIN_AUTOMATIC',
  driver: 'ORIGIN_MANUAL',
  'other-user': 'ORIGIN_OTHERUSER',
  unidentified: 'ORIGIN_UNASSIGNED',
} as const;

const DUTY: Readonly<Record<number, EventType>> = {
  1: 'EVENTTYPE_DUTY_OFF',
  2: 'EVENTTYPE_DUTY_SB',
  3: 'EVENTTYPE_DUTY_D',
  4: 'EVENTTYPE_DUTY_ON',
};
const INDICATIONS: Readonly<Record<number, EventType>> = {
  0: 'EVENTTYPE_INDICATION_NONE',
  1: 'EVENTTYPE_INDICATION_PC',
  2: 'EVENTTYPE_INDICATION_YM',
};
const FAULTS: Readonly<Record<Malfunction | Diagnostic, EventType>> = {
  P: 'EVENTTYPE_MALFUNCTION_POWERCOMPLIANCE',
  E: 'EVENTTYPE_MALFUNCTION_ENGINESYNCCOMPLIANCE',
  T: 'EVENTTYPE_MALFUNCTION_TIMINGCOMPLIANCE',
  L: 'EVENTTYPE_MALFUNCTION_POSITIONINGCOMPLIANCE',
  R: 'EVENTTYPE_MALFUNCTION_DATARECORDINGCOMPLIANCE',
  S: 'EVENTTYPE_MALFUNCTION_DATATRANSFERCOMPLIANCE',
  O: 'EVENTTYPE_MALFUNCTION_OTHERCOMPLIANCE',
  1: 'EVENTTYPE_DIAGNOSTIC_POWERDATA',
  2: 'EVENTTYPE_DIAGNOSTIC_ENGINESYNCDATA',
  3: 'EVENTTYPE_DIAGNOSTIC_MISSINGELEMENT',
  4: 'EVENTTYPE_DIAGNOSTIC_DATATRANSFERDATA',
  5: 'EVENTTYPE_DIAGNOSTIC_UNIDENTIFIEDDRIVINGRECORDS',
  6: 'EVENTTYPE_DIAGNOSTIC_OTHER',
};

function typeOf(event: EldEvent): EventType {
  switch (event.type) {
    case 1:
      return DUTY[event.code] ?? 'EVENTTYPE_DUTY_ON';
    case 2:
      return 'EVENTTYPE_INTERMEDIATE';
    case 3:
      return INDICATIONS[event.code] ?? 'EVENTTYPE_INDICATION_NONE';
    case 4:
      return 'EVENTTYPE_CERTIFICATION';
    case 5:
      return event.code === 1 ? 'EVENTTYPE_DRIVER_LOGIN' : 'EVENTTYPE_DRIVER_LOGOFF';
    case 6:
      return event.code <= 2 ? 'EVENTTYPE_ENGINE_POWERUP' : 'EVENTTYPE_ENGINE_SHUTDOWN';
    case 7:
      if (event.code === 2) return 'EVENTTYPE_MALFUNCTION_NONE';
      return event.code === 4 ? 'EVENTTYPE_DIAGNOSTIC_NONE' : FAULTS[event.faultCode];
  }
}

/** `6mi SSW IL Chicago`, as the rule writes it (Appendix A, 7.29). */
const PLACE = /^(\d+)mi ([NESW]{1,3}) ([A-Z]{2}) (.+)$/;

function placeOf(place: string | null) {
  const [, miles, direction, state, name] = PLACE.exec(place ?? '') ?? [];
  if (name === undefined) return place ? { identifiedPlace: place } : {};
  return {
    identifiedPlace: name,
    ...(state !== undefined && { identifiedState: state }),
    distanceFromIdentifiedPlace: Number(miles),
    ...(direction !== undefined && { directionFromIdentifiedPlace: direction }),
  };
}

/** A letter stands for a place that is not known (7.31). */
const degreesOf = (text: string): number | null => (/^-?\d/.test(text) ? Number(text) : null);

/** A record of a log in the standard’s form. */
export function toLogEvent(record: LogRecord, { cycleDays, driverId, providerId, userId }: LogOwner): OtapiLogEvent {
  const { event } = record;
  const isPlaced = 'lat' in event;
  const isByDriver = record.by === 'eld' || record.by === userId;
  const driver = { userType: 'USERTYPE_DRIVER', userId: driverId === null ? null : String(driverId) } as const;
  const author = (by: string | null) =>
    by === null || by === 'eld' || by === userId ? driver : ({ userType: 'USERTYPE_SUPPORT', userId: by } as const);
  const isReduced =
    (event.type === 2 && event.code === 2) ||
    (event.type === 6 && event.code % 2 === 0) ||
    (isPlaced && /^-?\d+\.\d$/.test(event.lat));
  const serverDateTime = new Date(record.recordedAt).toISOString();
  return {
    id: record.id,
    providerId,
    ...(record.annotation !== '' && {
      annotations: [
        {
          providerId,
          userId: author(record.annotatedBy ?? record.by),
          comment: record.annotation,
          dateTime: serverDateTime,
        },
      ],
    }),
    vehicleId: record.device.replace(/^vehicle:/, ''),
    userId: author(record.by),
    distanceSinceLastValidCoordinates: isPlaced ? event.milesSinceFix : null,
    distanceUnits: 'DISTANCEUNITS_MILES',
    serverDateTime,
    eventDateTime: new Date(event.at).toISOString(),
    ...(record.replaces !== null && { editDateTime: serverDateTime, parentId: record.replaces }),
    ...('totalMiles' in event &&
      event.totalMiles !== null && { odometer: Math.round(event.totalMiles * METERS_A_MILE) }),
    ...('totalHours' in event && event.totalHours !== null && { engineHours: event.totalHours }),
    location: {
      latitude: isPlaced ? degreesOf(event.lat) : null,
      longitude: isPlaced ? degreesOf(event.lon) : null,
      ...('place' in event && placeOf(event.place ?? event.placeByDriver)),
    },
    reducedLocationAccuracy: isReduced,
    origin: 'origin' in event ? ORIGINS[event.origin] : originOf(event, driverId, isByDriver),
    ...(event.shippingDocument !== '' && { shipments: [event.shippingDocument] }),
    ...(event.trailers !== '' && { trailers: event.trailers.split(/[ ,]+/).filter(Boolean) }),
    sequenceId: event.sequence,
    eventRecordStatus: STATES[record.status],
    eventType: typeOf(event),
    ...(event.type === 4 && { certificationCount: event.code }),
    ...(cycleDays !== null && { multidayBasis: cycleDays }),
    eventDataChecksum: 'check' in event ? event.check : null,
  };
}

/** Certifications are the driver’s; sign-ins, engine and faults are recorded by the device. */
const originOf = (event: EldEvent, driverId: number | null, isByDriver: boolean): OtapiLogEvent['origin'] => {
  if (event.type === 4) return isByDriver ? 'ORIGIN_MANUAL' : 'ORIGIN_OTHERUSER';
  return driverId === null ? 'ORIGIN_UNASSIGNED' : 'ORIGIN_AUTOMATIC';
};
