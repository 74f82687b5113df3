import { advanceRecorder, type RecorderInput, type TownFinder } from '@milepost/eld';
import { distanceMetres } from '@milepost/geo';
import { degrees, epochMs, fromMiles, fromMilesPerHour, metres, metresPerSecond } from '@milepost/units';
import type { FixRow } from '../../../tracks/fixes.ts';
import type { RecordedFix } from '../../../tracks/private.ts';
import type { RecordedVehicle } from './vehicle-input.ts';
import { type Recorded, VehicleRun } from './vehicle-run.ts';
import type { VehicleState } from './vehicle-state.ts';

const MOVING = fromMilesPerHour(5);
/** A vehicle that turns up elsewhere after so long a silence was driven unrecorded: data diagnostic 1, malfunction P. */
const SILENT_MS = 10 * 60_000;
const MISSED = fromMiles(1);
/** The recorder's clock may differ from UTC by this much (Appendix A, 4.3.1.5). */
const CLOCK_MS = 10 * 60_000;

/** Takes a position. One that can't be right changes nothing; one without a valid fix counts for the odometer only. */
export function takeFix(state: VehicleState, fix: RecordedFix, vehicle: RecordedVehicle, towns: TownFinder): Recorded {
  if (fix.doubts !== 0) return { state, events: [], refusal: null };
  const at = fix.fix_at.getTime();
  const engineOn = fix.ignition ?? ((fix.speed ?? 0) >= MOVING || state.recorder.engineOn === true);
  const input: RecorderInput =
    fix.valid && fix.speed !== null
      ? { kind: 'sample', at: epochMs(at), speed: metresPerSecond(fix.speed), engineOn }
      : { kind: 'tick', at: epochMs(at) };
  const step = advanceRecorder(state.recorder, input);
  const before = step.marks.filter(mark => mark.at < at);
  const now = step.marks.filter(mark => mark.at >= at);
  const run = new VehicleRun(state, vehicle, towns);
  run.write(before);
  read(run, fix, at, state.recorder.motion.moving);
  if (state.faults.active.includes('T') && isOnTime(fix)) run.observe({ kind: 'clock', at: epochMs(at), offset: 0 });
  run.state = { ...run.state, recorder: step.state };
  run.write(now);
  return run.done(null);
}

/** A report that came at once shows that the clock is right again; a late one shows nothing. */
const isOnTime = ({ fix_at, received_at }: RecordedFix): boolean =>
  Math.abs(fix_at.getTime() - received_at.getTime()) <= CLOCK_MS;

/** Takes a report whose time can't be right, when it was received: nothing but that is believed of it. */
export function takeWrongClock(
  state: VehicleState,
  { at, offset }: { readonly at: number; readonly offset: number },
  vehicle: RecordedVehicle,
  towns: TownFinder,
): Recorded {
  const run = new VehicleRun(state, vehicle, towns);
  run.advance({ kind: 'tick', at: epochMs(at) });
  run.observe({ kind: 'clock', at: epochMs(at), offset });
  return run.done(null);
}

/** What is recorded by `atMs` if nothing else comes. The state is not for keeping: positions may still come. */
export function passTime(state: VehicleState, atMs: number, vehicle: RecordedVehicle, towns: TownFinder): Recorded {
  const run = new VehicleRun(state, vehicle, towns);
  run.advance({ kind: 'tick', at: epochMs(atMs) });
  return run.done(null);
}

/** The instruments, and what they say about the recorder itself. */
function read(run: VehicleRun, fix: FixRow, at: number, wasMoving: boolean): void {
  const { state } = run;
  const odometer = fix.odometer === null ? state.odometer : fix.odometer + run.vehicle.odometerOffset;
  const here = { lat: degrees(fix.lat), lon: degrees(fix.lon) };
  const last = state.fix && { lat: degrees(state.fix.lat), lon: degrees(state.fix.lon) };
  const driven =
    odometer !== null && state.odometer !== null
      ? Math.max(0, odometer - state.odometer)
      : fix.valid && last
        ? distanceMetres(last, here)
        : 0;
  const silentSince = state.fix?.at ?? null;
  run.state = {
    ...state,
    odometer,
    fix: fix.valid ? { ...here, at } : state.fix,
    sinceFix: fix.valid ? 0 : state.sinceFix + driven,
  };
  run.observe({ kind: 'position', at: epochMs(at), valid: fix.valid, since: metres(run.state.sinceFix) });
  const isMissed = fix.valid && !wasMoving && silentSince !== null && at - silentSince >= SILENT_MS;
  if (isMissed && last && distanceMetres(last, here) >= MISSED) {
    run.observe({ kind: 'missed-driving', at: epochMs(at), from: epochMs(silentSince), to: epochMs(at) });
  }
}
