import type { PositionMessage } from './protocol.ts';

/** Values that every report with a position has. */
type Fix = Pick<PositionMessage, 'time' | 'valid' | 'lat' | 'lon'>;

/** A report with null for every value that the tracker did not send. */
export const positionOf = (fix: Fix & Partial<Omit<PositionMessage, 'kind'>>): PositionMessage => ({
  kind: 'position',
  time: fix.time,
  valid: fix.valid,
  lat: fix.lat,
  lon: fix.lon,
  speed: fix.speed ?? null,
  course: fix.course ?? null,
  altitude: fix.altitude ?? null,
  satellites: fix.satellites ?? null,
  hdop: fix.hdop ?? null,
  ignition: fix.ignition ?? null,
  odometer: fix.odometer ?? null,
  fuel: fix.fuel ?? null,
  temperature: fix.temperature ?? null,
  gsm: fix.gsm ?? null,
  event: fix.event ?? null,
  rfid: fix.rfid ?? null,
  attributes: fix.attributes ?? {},
});
