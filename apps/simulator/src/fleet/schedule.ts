import type { PositionMessage } from '@milepost/decoders';
import { epochMs, type Metres, metres, metresPerSecond } from '@milepost/units';
import type { Task } from '../tracker/order.ts';
import type { Pace, Reporter } from './reports.ts';

/**
 * A vehicle's plan as changed by commands: a vehicle whose engine was cut stays at its next stop, and drives on from
 * there, late, when it may start again; a long rest puts it back on schedule. All times in epoch seconds.
 */
export interface Schedule {
  /** The reports after `from` and until `to`, in order. */
  measure(from: number, to: number): PositionMessage[];
  positionAt(time: number): PositionMessage | null;
  /** While it is parked anyway, its engine runs from one moment to another. */
  warmUp(from: number, to: number): void;
  /** Takes effect at `now`. */
  change(task: Task, now: number): void;
}

/** A tracker wakes up so long before the engine runs: someone opens the door. */
const WAKES_S = 10;
const EVERY_SECOND: Pace = { driving: 1, idling: 1, parked: 1 };

export function createSchedule(reports: Reporter, usual: Pace): Schedule {
  let pace = usual;
  /** How many seconds it is behind schedule. */
  let late = 0;
  let isCut = false;
  let held: { readonly since: number; readonly place: PositionMessage } | null = null;
  let odometerShift = 0;
  let warm: { readonly from: number; readonly to: number } | null = null;

  const planned = (from: number, to: number, at: Pace): PositionMessage[] =>
    [...reports(from - late, to - late, at)].map(report => moved(report, report.time / 1000 + late));
  const moved = (report: PositionMessage, time: number): PositionMessage => ({
    ...report,
    time: epochMs(time * 1000),
    odometer: report.odometer === null ? null : shifted(report.odometer),
  });
  const shifted = (odometer: Metres): Metres => metres(Math.max(0, odometer + odometerShift));

  /** The first moment at which it stands, from `from` to `to`. */
  const standsAt = (from: number, to: number): number | null => {
    for (let time = from - late; time <= to - late; ) {
      const activity = reports.activityAt(time);
      if (activity === null || activity.kind !== 'driving') return time + late;
      time = activity.to;
    }
    return null;
  };

  const hold = (from: number, to: number): void => {
    const since = isCut && held === null ? standsAt(from, to) : null;
    const place = since === null ? null : at(since);
    if (since !== null && place) held = { since, place };
  };

  const at = (time: number): PositionMessage | null => planned(time - 1, time, EVERY_SECOND).at(-1) ?? null;

  const standing = ({ place }: NonNullable<typeof held>, time: number): PositionMessage => ({
    ...place,
    time: epochMs(time * 1000),
    odometer: place.odometer,
    speed: metresPerSecond(0),
    ignition: false,
    event: null,
  });

  function* whileHeld(at: NonNullable<typeof held>, from: number, to: number): Generator<PositionMessage> {
    if (at.since > from && at.place.ignition) yield { ...standing(at, at.since), event: 'ignitionOff' };
    for (let time = Math.floor(Math.max(from, at.since) / pace.parked + 1) * pace.parked; time <= to; ) {
      yield standing(at, time);
      time += pace.parked;
    }
  }

  /** With the engine running for a while; right before that its tracker reports, as one that wakes up does. */
  const warmed = (measured: PositionMessage[], from: number, to: number): PositionMessage[] => {
    if (warm === null || warm.to <= from || warm.from - WAKES_S > to) return measured;
    const { from: on, to: off } = warm;
    const times = [on - WAKES_S, on];
    for (let time = Math.floor(on / pace.idling + 1) * pace.idling; time < off; time += pace.idling) times.push(time);
    const standing = [...times, off].flatMap((time): PositionMessage[] => {
      const there = time > from && time <= to ? at(time) : null;
      const event = time === on ? 'ignitionOn' : time === off ? 'ignitionOff' : null;
      return there ? [{ ...there, event, ignition: time >= on && time < off }] : [];
    });
    const others = measured.filter(({ time }) => time / 1000 < on - WAKES_S || time / 1000 > off);
    return [...others, ...standing].sort((before, after) => before.time - after.time);
  };

  const catchUp = (now: number): void => {
    const rest = late > 0 ? reports.activityAt(now - late) : null;
    if (rest?.kind === 'parked' && rest.to > now) late = 0;
  };

  return {
    measure: (from, to) => {
      hold(from, to);
      if (held) {
        const before = held.since > from ? planned(from, Math.min(to, held.since - 1), pace) : [];
        return [...before, ...whileHeld(held, from, to)];
      }
      const measured = warmed(planned(from, to, pace), from, to);
      catchUp(to);
      return measured;
    },
    warmUp: (from, to) => {
      warm = { from, to };
    },
    positionAt: time => (held ? standing(held, time) : at(time)),
    change: (task, now) => {
      switch (task.kind) {
        case 'engineStop':
          isCut = true;
          hold(now, now);
          break;
        case 'engineResume':
          isCut = false;
          if (held) late += now - held.since;
          held = null;
          break;
        case 'setGprsInterval':
          pace = { driving: task.seconds, idling: task.seconds, parked: task.seconds };
          break;
        case 'setOdometer': {
          const odometer = (held ? held.place : at(now))?.odometer ?? null;
          if (odometer === null) break;
          odometerShift += task.metres - odometer;
          if (held) held = { ...held, place: { ...held.place, odometer: metres(task.metres) } };
          break;
        }
        default:
          break;
      }
    },
  };
}
