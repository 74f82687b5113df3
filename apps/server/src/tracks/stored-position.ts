import type { TrackerProtocol } from '@milepost/contract';
import type { Attributes } from '@milepost/decoders';
import {
  type Celsius,
  celsius,
  type Degrees,
  degrees,
  type EpochMs,
  epochMs,
  type Metres,
  type MetresPerSecond,
  metres,
  metresPerSecond,
  type Percent,
  percent,
} from '@milepost/units';
import type { Selectable } from 'kysely';
import type { Database } from '../db/schema.ts';

/** A row of `position`: what the tracker sent, fitted to the columns, and what ingest found out. */
export interface StoredPosition {
  readonly fixAt: EpochMs;
  readonly receivedAt: EpochMs;
  readonly lat: Degrees;
  readonly lon: Degrees;
  readonly speed: MetresPerSecond | null;
  readonly course: Degrees | null;
  readonly altitude: Metres | null;
  readonly odometer: Metres | null;
  readonly fuel: Percent | null;
  readonly temperature: Celsius | null;
  readonly hdop: number | null;
  readonly satellites: number | null;
  readonly gsm: number | null;
  readonly valid: boolean;
  readonly ignition: boolean | null;
  /** Arrived after a newer one. */
  readonly late: boolean;
  /** Bit n set = FIX_DOUBTS[n] of the contract. */
  readonly doubts: number;
  readonly protocol: TrackerProtocol;
  readonly event: string | null;
  readonly rfid: string | null;
  readonly attributes: Attributes | null;
}

/** A position as it arrived, before ingest has compared it with what came before. */
export type ReceivedPosition = Omit<StoredPosition, 'late' | 'doubts'>;

/** A position as a row: of the table, or unpacked from a sealed day. */
export type PositionRow = Omit<Selectable<Database['position']>, 'account_id' | 'vehicle_id'>;

/** The columns of what a tracker said and of what ingest found out. */
export const POSITION_COLUMNS = [
  'fix_at',
  'received_at',
  'lat',
  'lon',
  'speed',
  'course',
  'altitude',
  'odometer',
  'fuel',
  'temperature',
  'hdop',
  'satellites',
  'gsm',
  'valid',
  'ignition',
  'late',
  'doubts',
  'protocol',
  'event',
  'rfid',
  'attributes',
] as const satisfies readonly (keyof PositionRow)[];

/** The columns of a position, as a row of the table or as a line of an export has them, with their units. */
export function toReceivedPosition(
  row: Omit<PositionRow, 'fix_at' | 'received_at' | 'late' | 'doubts'>,
  fixAt: EpochMs,
  receivedAt: EpochMs,
): ReceivedPosition {
  const { altitude, course, fuel, odometer, speed, temperature } = row;
  return {
    fixAt,
    receivedAt,
    lat: degrees(row.lat),
    lon: degrees(row.lon),
    speed: speed === null ? null : metresPerSecond(speed),
    course: course === null ? null : degrees(course),
    altitude: altitude === null ? null : metres(altitude),
    odometer: odometer === null ? null : metres(odometer),
    fuel: fuel === null ? null : percent(fuel),
    temperature: temperature === null ? null : celsius(temperature),
    hdop: row.hdop,
    satellites: row.satellites,
    gsm: row.gsm,
    valid: row.valid,
    ignition: row.ignition,
    protocol: row.protocol as TrackerProtocol,
    event: row.event,
    rfid: row.rfid,
    attributes: row.attributes as Attributes | null,
  };
}

/** A row as it is read back; `storable` has made sure that it reads as it was written. */
export const toStoredPosition = (row: PositionRow): StoredPosition => ({
  ...toReceivedPosition(row, epochMs(row.fix_at.getTime()), epochMs(row.received_at.getTime())),
  late: row.late,
  doubts: row.doubts,
});
