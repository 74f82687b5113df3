import type { PositionMessage } from '@milepost/decoders';
import { celsius, degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import type { LegRun } from '../drive/leg-run.ts';

/** A vehicle that drives a leg to its end and back, forever. `second` counts from the epoch. */
export function shuttleAt(run: LegRun, second: number): PositionMessage {
  const into = second % (2 * run.duration);
  const isBack = into > run.duration;
  const { lon, lat, speed, course, distance } = run.at(isBack ? 2 * run.duration - into : into);
  return {
    kind: 'position',
    time: epochMs(second * 1000),
    valid: true,
    lat: degrees(lat),
    lon: degrees(lon),
    speed: metresPerSecond(speed),
    course: degrees(Math.round(isBack ? course + 180 : course) % 360),
    altitude: metres(180),
    satellites: 12,
    hdop: 0.8,
    ignition: true,
    odometer: metres(Math.round(isBack ? 2 * run.distance - distance : distance)),
    fuel: percent(60),
    temperature: celsius(4),
    gsm: 25,
    event: null,
    rfid: null,
    attributes: {},
  };
}
