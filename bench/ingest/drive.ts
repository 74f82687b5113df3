import type { PositionMessage } from '@milepost/decoders';
import { degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';

const CHICAGO = { lat: 41.85, lon: -87.65 };
/** 14 m/s north, in degrees per second. */
const NORTH_PER_SECOND = 14 / 111_320;
/** It turns around before it leaves the county. */
const LEG_SECONDS = 3600;

/**
 * The n-th position of a vehicle that drives up and down a road, with the values of a typical tracker. The load uses
 * `odometer` for its own purposes.
 */
export function drivenPosition(vehicle: number, timeMs: number, odometer: number): PositionMessage {
  const second = Math.round(timeMs / 1000) % (2 * LEG_SECONDS);
  const along = second < LEG_SECONDS ? second : 2 * LEG_SECONDS - second;
  return {
    kind: 'position',
    time: epochMs(timeMs),
    valid: true,
    lat: degrees(CHICAGO.lat + along * NORTH_PER_SECOND),
    lon: degrees(CHICAGO.lon - vehicle * 1e-4),
    speed: metresPerSecond(14),
    course: degrees(second < LEG_SECONDS ? 0 : 180),
    altitude: metres(180),
    satellites: 11,
    hdop: 0.9,
    ignition: true,
    odometer: metres(odometer),
    fuel: percent(64),
    temperature: null,
    gsm: 21,
    event: null,
    rfid: null,
    attributes: { externalVoltage: 27.4, batteryVoltage: 3.98, moving: true, rpm: 1350, coolantTemperature: 84 },
  };
}
