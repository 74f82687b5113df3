import type { PositionMessage } from '@milepost/decoders';
import { celsius, degrees, epochMs, metresPerSecond, percent } from '@milepost/units';

/** A vehicle unlike any of the simulator's: it is towed, loses fuel, and its batteries run down. */
export const NEGLECTED = '9901';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Time between reports while it is parked, and while it is towed. */
const STANDS_MS = 15 * MINUTE;
const TOWED_MS = 20_000;
/** Every day at this time it is towed away, and back some hours later. */
const TOWED_AT = 9.5 * 60 * MINUTE;
const TOW_MS = 10 * MINUTE;
const AWAY_MS = 3 * 60 * MINUTE;
const SPEED = 12;

/** Its reports in a period: parked near a place, but towed away and back every day. */
export function neglectedDays([lon, lat]: readonly [number, number], from: number, to: number): PositionMessage[] {
  const reports: PositionMessage[] = [];
  for (let time = Math.ceil(from / TOWED_MS) * TOWED_MS; time < to; time += TOWED_MS) {
    const sinceTow = (time % DAY) - TOWED_AT;
    const isTowed = isWithin(sinceTow, TOW_MS) || isWithin(sinceTow - AWAY_MS, TOW_MS);
    if (!isTowed && time % STANDS_MS !== 0) continue;
    const isEmpty = sinceTow > TOW_MS && sinceTow < TOW_MS + 6 * 60 * MINUTE;
    const east = 400 + (SPEED * wayOf(sinceTow)) / 1000;
    reports.push({
      kind: 'position',
      time: epochMs(time),
      valid: true,
      lat: degrees(lat),
      lon: degrees(lon + east / (111_320 * Math.cos((lat * Math.PI) / 180))),
      speed: metresPerSecond(isTowed ? SPEED : 0),
      course: null,
      altitude: null,
      satellites: 9,
      hdop: 1,
      ignition: false,
      odometer: null,
      fuel: percent(isEmpty ? 20 : 80),
      temperature: celsius(12),
      gsm: null,
      event: null,
      rfid: null,
      attributes: { externalVoltage: isEmpty ? 10.2 : 12.6, batteryLevel: isEmpty ? 12 : 80 },
    });
  }
  return reports;
}

const isWithin = (ms: number, lasts: number): boolean => ms >= 0 && ms < lasts;

/** How long it has been towed away from its place, less the way back. */
function wayOf(sinceTow: number): number {
  if (sinceTow < 0) return 0;
  if (sinceTow < AWAY_MS) return Math.min(sinceTow, TOW_MS);
  return Math.max(0, TOW_MS - (sinceTow - AWAY_MS));
}
