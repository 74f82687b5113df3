import type { PositionMessage } from '@milepost/decoders';
import { fromKilometresPerHour } from '@milepost/units';
import type { Random } from '../../apps/simulator/src/drive/random.ts';
import { drivenPosition } from '../ingest/drive.ts';
import type { Happening } from './story.ts';

const DRIVING_S = 120;
const PARKED_S = 1800;
/** At the wheel of a vehicle that is already in motion, also in traffic below 5 mph. */
const SPEEDS_KMH = [3, 28, 55, 72, 88, 96];

/** What a vehicle's tracker reports of a story, in order of time, and now and then with a clock that is wrong. */
export function* reportsOf(
  vehicle: number,
  happenings: readonly Happening[],
  beginMs: number,
  seconds: number,
  random: Random,
  drivingS = DRIVING_S,
): Iterable<PositionMessage> {
  let [ignition, isMoving, odometer] = [false, false, 100_000];
  const report = (at: number, kmh: number): PositionMessage => ({
    ...drivenPosition(vehicle, beginMs + at * 1000, odometer),
    speed: fromKilometresPerHour(kmh),
    ignition,
  });
  const own = happenings.filter(one => one.vehicle === vehicle && one.kind !== 'tap');
  let last = 0;
  for (const one of [...own, { at: seconds, kind: 'end' as const }]) {
    const every = isMoving ? drivingS : ignition ? DRIVING_S * 5 : PARKED_S;
    for (let at = last + every; at < one.at - 1; at += every) {
      if (isMoving) odometer += every * 14;
      const kmh = isMoving ? (SPEEDS_KMH[Math.floor(random() * SPEEDS_KMH.length)] ?? 55) : 0;
      yield report(at, kmh);
      if (random() < 0.002) yield wrongClock(report(at, 80), random);
    }
    last = one.at;
    if (one.kind === 'engine') ignition = one.on;
    else if (one.kind === 'go') isMoving = true;
    else if (one.kind === 'stop') isMoving = false;
    else return;
    yield report(one.at, one.kind === 'go' ? 21 : 0);
  }
}

/** Hours ahead, or before the week of the satellites began again: nothing of it is to be believed. */
const wrongClock = (report: PositionMessage, random: Random): PositionMessage => ({
  ...report,
  time: (report.time + (random() < 0.5 ? 400 * 86_400_000 : -19.6 * 365 * 86_400_000)) as PositionMessage['time'],
});
