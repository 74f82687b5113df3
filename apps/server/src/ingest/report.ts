import type { NearTown, PositionReport } from '@milepost/contract';
import type { PlaceName } from '@milepost/geo';
import { metres, toKilometres, toKilometresPerHour } from '@milepost/units';
import type { DirectoryEntry } from '../fleet/directory.ts';
import type { StoredPosition } from '../tracks/stored-position.ts';

/** The vehicle a report is about. */
export type ReportedVehicle = Pick<DirectoryEntry, 'id' | 'accountId' | 'imei' | 'name' | 'odometerOffset'>;

/** What a report says beyond what the tracker sent. */
export interface ReportContext {
  /** A place in words. */
  readonly placeOf: (lat: number, lon: number) => PlaceName | null;
  /** The driver with that card. */
  readonly driverOfCard: (accountId: number, card: string) => { readonly id: number; readonly name: string } | null;
}

export const reportContextOf = (
  places: Pick<ReportContext, 'placeOf'>,
  roster: Pick<ReportContext, 'driverOfCard'>,
): ReportContext => ({ placeOf: places.placeOf, driverOfCard: roster.driverOfCard });

/**
 * The position report of the wire [R3.03] from what is stored: the one place where SI becomes km/h, km and `A`/`V`.
 * Rounded to what the sources can mean, so that the same position reads the same live and out of the database, whose
 * `real` columns keep seven digits.
 */
export function toPositionReport(
  vehicle: ReportedVehicle,
  position: StoredPosition,
  { placeOf, driverOfCard }: ReportContext,
): PositionReport {
  const fixAt = new Date(position.fixAt).toISOString();
  const driver = position.rfid === null ? null : driverOfCard(vehicle.accountId, position.rfid);
  const place = placeOf(position.lat, position.lon);
  const near = nearOf(place);
  return {
    address: place?.address ?? null,
    ...(near && { near }),
    deviceId: String(vehicle.id),
    deviceName: vehicle.name,
    eventType: position.event,
    fuelGage: rounded(position.fuel, 10),
    gpsStatus: position.valid ? 'A' : 'V',
    gsmStatus: position.gsm,
    ignitionStatus: position.ignition === null ? null : position.ignition ? 1 : 0,
    imei: vehicle.imei,
    // Seven decimals are 11 mm.
    lat: round(position.lat, 1e7),
    lon: round(position.lon, 1e7),
    mileage:
      position.odometer === null ? null : round(toKilometres(metres(position.odometer + vehicle.odometerOffset)), 1000),
    reportDate: fixAt.slice(0, 10),
    reportTime: fixAt.slice(11, 19),
    rfid: position.rfid,
    speed: position.speed === null ? 0 : round(toKilometresPerHour(position.speed), 10),
    ...(position.speed === null && { speedKnown: false }),
    temp: rounded(position.temperature, 10),
    course: rounded(position.course, 10),
    altitude: rounded(position.altitude, 10),
    hdop: rounded(position.hdop, 100),
    satellites: position.satellites,
    receivedAt: new Date(position.receivedAt).toISOString(),
    late: position.late,
    driver: driver && { id: String(driver.id), name: driver.name },
  };
}

/** How far from which town, where a place is outside of all: the parts of its address. */
export const nearOf = (place: PlaceName | null): NearTown | null =>
  place?.near
    ? {
        town: place.near.town,
        distanceM: Math.round(place.near.distance),
        bearing: Math.round(place.near.bearing),
      }
    : null;

const round = (value: number, steps: number): number => Math.round(value * steps) / steps;
const rounded = (value: number | null, steps: number): number | null => (value === null ? null : round(value, steps));
