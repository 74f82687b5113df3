import type { TrackerEvent } from '@milepost/decoders';
import type { LegRun } from '../drive/leg-run.ts';
import { type Random, randomFrom } from '../drive/random.ts';
import type { Character } from './character.ts';
import type { Activity } from './day.ts';

export interface FleetEvent {
  /** Epoch seconds. */
  readonly time: number;
  readonly event: TrackerEvent;
}

/** The share of drives with hard braking, and of rests in which the battery is serviced. */
const HARSH = 1 / 25;
const BRAKES_HARD = -1.5;
const POWER_CUT = 1 / 60;
const CUT_FOR_S = 480;
const TRIES = 12;
const SCAN_S = 5;

/** The events that a tracker reports in addition to its schedule, in order. They follow from the activity alone. */
export function fleetEvents(
  { speedAlarm }: Character,
  activity: Activity,
  before: Activity | undefined,
  run: LegRun,
): FleetEvent[] {
  const { from, to, kind, seed } = activity;
  const random = randomFrom('events', ...seed, kind);
  const all: FleetEvent[] = [];
  const wasOn = before !== undefined && before.kind !== 'parked';
  const isOn = kind !== 'parked';
  if (wasOn !== isOn) all.push({ time: from, event: isOn ? 'ignitionOn' : 'ignitionOff' });

  if (kind === 'driving') {
    const hard = random() < HARSH ? hardBraking(run, random) : null;
    if (hard !== null) all.push({ time: from + hard, event: 'harshBraking' });
    const fast = run.topSpeed > speedAlarm ? firstAbove(run, speedAlarm) : null;
    if (fast !== null) all.push({ time: from + fast, event: 'overspeed' });
  }
  if (kind === 'parked' && to - from > 2 * CUT_FOR_S && random() < POWER_CUT) {
    const cut = from + Math.round((to - from - CUT_FOR_S) * random());
    all.push({ time: cut, event: 'powerCut' }, { time: cut + CUT_FOR_S, event: 'powerRestored' });
  }
  return all.filter(({ time }) => time < to).sort((a, b) => a.time - b.time);
}

function hardBraking(run: LegRun, random: Random): number | null {
  for (let tries = 0; tries < TRIES; tries++) {
    const second = 1 + Math.floor(random() * (run.duration - 1));
    if (run.at(second).speed - run.at(second - 1).speed < BRAKES_HARD) return second;
  }
  return null;
}

function firstAbove(run: LegRun, speed: number): number | null {
  for (let second = 0; second < run.duration; second += SCAN_S) {
    if (run.at(second).speed > speed) return second;
  }
  return null;
}
