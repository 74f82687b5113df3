import type { PositionMessage } from '@milepost/decoders';
import { celsius, degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import type { DriveMoment } from '../drive/leg-run.ts';
import { between, randomFrom } from '../drive/random.ts';
import type { Character } from './character.ts';
import type { Activity } from './day.ts';

/** The inputs from which a vehicle's instruments are computed. */
export interface Reading {
  /** Epoch seconds. */
  readonly time: number;
  readonly event: string | null;
  readonly activity: Activity;
  readonly moment: DriveMoment;
  readonly hasFix: boolean;
  readonly odometerBefore: number;
  readonly secondsAtWork: number;
}

/** A `no-fix` vehicle is under a roof where it is parked longer than at any stop. */
const AT_A_STOP_S = 3600;

export const hasFix = ({ quirk }: Character, { kind, from, to }: Activity): boolean =>
  quirk !== 'no-fix' || kind !== 'parked' || to - from < AT_A_STOP_S;

const CHICAGO_ALTITUDE = 180;
const FULL = 95;

export function readInstruments(character: Character, reading: Reading): PositionMessage {
  const { time, event, activity, moment } = reading;
  const random = randomFrom('noise', character.imei, time);
  const metresToday = activity.metresBefore + (activity.kind === 'driving' ? moment.distance : 0);
  const valid = reading.hasFix;
  return {
    kind: 'position',
    time: epochMs(time * 1000),
    valid,
    lat: degrees(round(moment.lat, 6)),
    lon: degrees(round(moment.lon, 6)),
    speed: metresPerSecond(valid ? moment.speed : 0),
    course: degrees(Math.round(moment.course) % 360),
    altitude: metres(Math.round(CHICAGO_ALTITUDE + between(random, -4, 4))),
    satellites: valid ? Math.round(between(random, 8, 15)) : Math.round(between(random, 0, 2)),
    hdop: round(valid ? between(random, 0.6, 1.4) : between(random, 12, 25), 1),
    ignition: activity.kind !== 'parked',
    odometer: metres(Math.round(reading.odometerBefore + metresToday)),
    fuel: percent(Math.round(fuelLeft(character, metresToday, reading.secondsAtWork))),
    temperature: character.setPoint === null ? null : celsius(round(boxTemperature(character.setPoint, reading), 1)),
    gsm: Math.round(between(random, 14, 30)),
    event,
    // A driver who leaves the vehicle takes the card along.
    rfid: activity.kind !== 'parked' ? character.card : null,
    attributes: {},
  };
}

/** Filled up before each shift; the fuel used while idling is spread evenly over the shift. */
function fuelLeft(character: Character, metresToday: number, secondsAtWork: number): number {
  const idled = (secondsAtWork / 3600) * 0.15 * character.burnPerIdlingHour;
  const burnt = (metresToday / 1000) * character.burnPerKm + idled;
  return Math.max(8, FULL - (burnt / character.tank) * 100);
}

/** Doors open for a delivery: the box warms up while standing and is cool again some minutes later. */
function boxTemperature(setPoint: number, { time, activity }: Reading): number {
  const ripple = 0.4 * Math.sin(time / 240);
  if (activity.kind === 'driving') {
    const since = time - activity.from;
    return setPoint + ripple + 3.5 * Math.exp(-since / 420);
  }
  const opened = Math.min(time - activity.from, 600);
  return setPoint + ripple + 3.5 * (1 - Math.exp(-opened / 300));
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
