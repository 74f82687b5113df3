import type { PositionMessage } from './protocol.ts';

/** What every report with a place says. */
type Fix = Pick<PositionMessage, 'time' | 'valid' | 'lat' | 'lon'>;

/** A report in which everything that the tracker did not send is null. */
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
