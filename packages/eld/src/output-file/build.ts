import type { HomeTerminal } from '@milepost/hos';
import { type EpochMs, epochMs } from '@milepost/units';
import { RECORD_ORIGINS, RECORD_STATUSES, UNIDENTIFIED_USER_NAME } from '../event/codes.ts';
import type { Coordinates } from '../event/coordinates.ts';
import { checkOf, fileHours, fileMiles } from '../event/duty-event.ts';
import type { EldEvent } from '../event/event.ts';
import { formatSequence } from '../event/sequence-id.ts';
import { fileText } from '../file-text.ts';
import { fileDate, fileDateAndTime, fileOffset } from '../local-time.ts';
import type { LogRecord } from '../log/record.ts';
import { fileLicence } from './file-name.ts';
import { PREVIEW, previewComment } from './preview.ts';
import type { ListRow, OutputFile } from './sections.ts';

export interface Person {
  readonly lastName: string;
  readonly firstName: string;
  readonly userName: string;
}

export interface FileUser extends Person {
  /** The user's id, as in the records' `by`. */
  readonly id: string;
  readonly accountType: 'D' | 'S';
}

/** Everything that goes into an output file; texts may contain accents and commas. */
export interface OutputSubject {
  readonly driver: Person & { readonly id: string; readonly licenceState: string; readonly licenceNumber: string };
  readonly coDriver: Person | null;
  readonly vehicle: { readonly powerUnit: string; readonly vin: string; readonly trailers: string };
  readonly carrier: { readonly usdot: string; readonly name: string; readonly multidayBasis: 7 | 8 };
  readonly home: HomeTerminal;
  readonly shippingDocument: string;
  readonly exempt: boolean;
  /** When and where the file is created. */
  readonly now: Coordinates & {
    readonly at: EpochMs;
    readonly totalMiles: number | null;
    readonly totalHours: number | null;
  };
  /** The output file comment that the officer asks for. */
  readonly comment: string;
  /** The driver first, then the other users in the records, most recent first. */
  readonly users: readonly FileUser[];
  /** Every vehicle in the records, most recent first. */
  readonly vehicles: readonly { readonly powerUnit: string; readonly vin: string }[];
  readonly records: readonly LogRecord[];
  readonly unidentified: readonly LogRecord[];
}

type TypedRecord<T extends EldEvent['type']> = LogRecord & { readonly event: Extract<EldEvent, { readonly type: T }> };

/** Builds a preview file; `writeOutputFile` seals it and turns it into text, or reports the invalid fields. */
export function buildOutputFile(subject: OutputSubject): OutputFile {
  const { driver, coDriver, vehicle, carrier, home, now } = subject;
  const own = newestFirst(subject.records);
  const unidentified = newestFirst(subject.unidentified);
  // Fault and engine events belong to the vehicle, whoever was signed in.
  const ofVehicles = newestFirst([...subject.records, ...subject.unidentified]);
  const rows = rowsOf(subject);
  return {
    header: {
      driver: {
        ...names(driver),
        userName: fileText(driver.userName, 60),
        licenceState: driver.licenceState,
        licenceNumber: fileLicence(driver.licenceNumber),
      },
      coDriver: coDriver
        ? { ...names(coDriver), userName: fileText(coDriver.userName, 60) }
        : { lastName: '', firstName: '', userName: '' },
      vehicle: {
        powerUnit: fileText(vehicle.powerUnit, 10),
        vin: vehicle.vin,
        trailers: fileText(vehicle.trailers, 32),
      },
      carrier: {
        usdot: carrier.usdot,
        name: fileText(carrier.name, 120),
        multidayBasis: String(carrier.multidayBasis),
        dayStart: dayStart(home),
        zoneOffset: fileOffset(now.at, home.timeZone),
      },
      shipment: {
        shippingDocument: fileText(subject.shippingDocument, 40),
        exempt: subject.exempt ? 'E' : '0',
      },
      moment: {
        ...fileDateAndTime(now.at, home.timeZone),
        lat: now.lat,
        lon: now.lon,
        totalMiles: fileMiles(now.totalMiles),
        totalHours: fileHours(now.totalHours),
      },
      device: { ...PREVIEW, authentication: '', comment: previewComment(fileText(subject.comment, 60)) },
    },
    users: subject.users.map((user, i) => ({ order: String(i + 1), accountType: user.accountType, ...names(user) })),
    vehicles: subject.vehicles.map(({ powerUnit, vin }, i) => ({
      order: String(i + 1),
      powerUnit: fileText(powerUnit, 10),
      vin,
    })),
    events: own.filter(isOfType(1, 2, 3)).map(rows.event),
    annotations: own.filter(isOfType(1, 2, 3)).flatMap(rows.annotation),
    certifications: own.filter(isOfType(4)).map(rows.certification),
    faults: ofVehicles.filter(isOfType(7)).map(rows.fault),
    sessions: own.filter(isOfType(5)).map(rows.session),
    engine: ofVehicles.filter(isOfType(6)).map(rows.engine),
    unidentified: unidentified.filter(isOfType(1, 2, 3)).map(rows.unidentified),
  };
}

/** A name must have at least two letters (7.17, 7.27); a shorter one is padded as in the file's name. */
const fileName = (name: string): string => fileText(name, 30).padEnd(2, '_');
const names = ({ lastName, firstName }: Pick<Person, 'lastName' | 'firstName'>) => ({
  lastName: fileName(lastName),
  firstName: fileName(firstName),
});

const dayStart = ({ startOfDay }: HomeTerminal): string =>
  `${String(Math.floor(startOfDay / 60)).padStart(2, '0')}${String(startOfDay % 60).padStart(2, '0')}00`;

const newestFirst = (records: readonly LogRecord[]): LogRecord[] =>
  [...records].reverse().sort((a, b) => b.event.at - a.event.at);

const isOfType =
  <T extends EldEvent['type']>(...types: readonly T[]) =>
  (record: LogRecord): record is TypedRecord<T> =>
    types.some(type => type === record.event.type);

/** Records as lines. A vehicle or user that is not in the lists gets the number 0, which the reader refuses. */
function rowsOf({ users, vehicles, driver, home }: OutputSubject) {
  const when = ({ at }: EldEvent) => fileDateAndTime(epochMs(at), home.timeZone);
  const sequence = (event: EldEvent): string => formatSequence(event.sequence);
  const vehicleOf = ({ vehicle }: EldEvent): string =>
    String(vehicles.findIndex(({ powerUnit, vin }) => powerUnit === vehicle.powerUnit && vin === vehicle.vin) + 1);
  // Automatic records are attributed to the driver.
  const userOf = (by: string): number => users.findIndex(({ id }) => id === (by === 'eld' ? driver.id : by));
  const originatorOf = ({ by }: LogRecord): string => String(userOf(by) + 1);
  const userNameOf = (by: string): string => fileText(users[userOf(by)]?.userName ?? '', 60);
  const totals = ({ totalMiles, totalHours }: { totalMiles: number | null; totalHours: number | null }) => ({
    totalMiles: fileMiles(totalMiles),
    totalHours: fileHours(totalHours),
  });
  // Over what this file shows: since the record was written, its owner may have got a user, another user name, or a home
  // terminal in another time zone.
  const duty = ({ event, status }: TypedRecord<1 | 2 | 3>, owner: string) => ({
    sequence: sequence(event),
    status: String(RECORD_STATUSES[status]),
    origin: String(RECORD_ORIGINS[event.origin]),
    type: String(event.type),
    code: String(event.code),
    ...when(event),
    miles: fileMiles(event.miles),
    hours: fileHours(event.hours),
    lat: event.lat,
    lon: event.lon,
    milesSinceFix: String(event.milesSinceFix),
    vehicle: vehicleOf(event),
    malfunction: flag(event.malfunction),
    eventCheck: checkOf(event, owner, home.timeZone),
  });
  return {
    event: (record: TypedRecord<1 | 2 | 3>): ListRow<'events'> => ({
      ...duty(record, driver.userName),
      originator: originatorOf(record),
      diagnostic: flag(record.event.diagnostic),
    }),
    unidentified: (record: TypedRecord<1 | 2 | 3>): ListRow<'unidentified'> => duty(record, UNIDENTIFIED_USER_NAME),
    annotation: (record: TypedRecord<1 | 2 | 3>): ListRow<'annotations'>[] => {
      const { event, by, annotation, annotatedBy } = record;
      const row = (author: string, comment: string, place: string): ListRow<'annotations'> => ({
        sequence: sequence(event),
        userName: userNameOf(author),
        comment: fileText(comment, 60),
        ...when(event),
        place: fileText(place, 60),
      });
      const remark = annotatedBy === null ? [] : [row(annotatedBy, annotation, '')];
      const isSilent = event.annotation === '' && event.placeByDriver === null;
      return isSilent ? remark : [...remark, row(by, event.annotation, event.placeByDriver ?? '')];
    },
    certification: ({ event }: TypedRecord<4>): ListRow<'certifications'> => ({
      sequence: sequence(event),
      code: String(event.code),
      ...when(event),
      certifiedDate: fileDate(event.date),
      vehicle: vehicleOf(event),
    }),
    fault: ({ event }: TypedRecord<7>): ListRow<'faults'> => ({
      sequence: sequence(event),
      code: String(event.code),
      faultCode: event.faultCode,
      ...when(event),
      ...totals(event),
      vehicle: vehicleOf(event),
    }),
    session: ({ event }: TypedRecord<5>): ListRow<'sessions'> => ({
      sequence: sequence(event),
      code: String(event.code),
      userName: fileText(driver.userName, 60),
      ...when(event),
      ...totals(event),
    }),
    engine: ({ event }: TypedRecord<6>): ListRow<'engine'> => ({
      sequence: sequence(event),
      code: String(event.code),
      ...when(event),
      ...totals(event),
      lat: event.lat,
      lon: event.lon,
      powerUnit: fileText(event.vehicle.powerUnit, 10),
      vin: event.vehicle.vin,
      trailers: fileText(event.trailers, 32),
      shippingDocument: fileText(event.shippingDocument, 40),
    }),
  };
}

const flag = (is: boolean): string => (is ? '1' : '0');

/** The account for unidentified driving, for the list of users (4.1.2). */
export const UNIDENTIFIED_USER: FileUser = {
  id: UNIDENTIFIED_USER_NAME,
  accountType: 'D',
  userName: UNIDENTIFIED_USER_NAME,
  lastName: 'Driver',
  firstName: 'Unidentified',
};
