import {
  DUTY_CODES,
  type DutyState,
  type RecorderRefusal,
  SESSION_CODES,
  secondOf,
  type TownFinder,
} from '@milepost/eld';
import { type EpochMs, epochMs } from '@milepost/units';
import type { RecordedVehicle, SignInTerms, StatusElsewhere, StatusSince, VehicleInput } from './vehicle-input.ts';
import { type Recorded, VehicleRun } from './vehicle-run.ts';
import type { VehicleState } from './vehicle-state.ts';

/** Takes what a driver entered; `refusal` says why it changes nothing. */
export function takeInput(
  state: VehicleState,
  input: VehicleInput,
  vehicle: RecordedVehicle,
  towns: TownFinder,
): Recorded {
  const run = new VehicleRun(state, vehicle, towns);
  // What has become due meanwhile.
  run.advance({ kind: 'tick', at: epochMs(input.at) });
  return run.done(take(run, input));
}

function take(run: VehicleRun, { action, at: atMs, driver, terms }: VehicleInput): RecorderRefusal | null {
  const at = epochMs(atMs);
  const isDriver = run.state.recorder.driver === driver;
  const rides = run.state.coDriver === driver;
  if (action.kind === 'sign-in') {
    if (terms === null) return 'not-allowed';
    if (action.asCoDriver) return rideAlong(run, at, driver, statusOf(run, driver, terms));
    const refusal = run.advance({ kind: 'sign-in', at, driver, ...termsOf(run, driver, terms) });
    if (refusal === null) ridesAlong(run, null);
    return refusal;
  }
  if (!isDriver && action.kind === 'sign-out') {
    selectOutside(run, at, driver, action.status);
    if (rides) signsOutRiding(run, at, driver);
    return null;
  }
  if (!isDriver && action.kind === 'status') {
    const { status } = action;
    return status === 'D' || status === 'PC' || status === 'YM'
      ? 'nobody-signed-in'
      : selectOutside(run, at, driver, status, action.note);
  }
  if (!isDriver && !(rides && action.kind === 'co-driver')) return 'nobody-signed-in';
  switch (action.kind) {
    case 'sign-out': {
      const refusal = run.advance({ kind: 'select-status', at, status: action.status });
      if (refusal !== null && refusal !== 'no-change') return refusal;
      const out = run.advance({ kind: 'sign-out', at });
      if (out === null) ridesAlong(run, null);
      return out;
    }
    case 'status':
      if (action.status === 'PC') return run.advance({ kind: 'indicate', at, indication: 'personal-use' }, action.note);
      if (action.status === 'YM') return run.advance({ kind: 'indicate', at, indication: 'yard-move' }, action.note);
      return run.advance({ kind: 'select-status', at, status: action.status }, action.note);
    case 'confirm':
      return run.advance({ kind: 'confirm', at });
    case 'co-driver': {
      if (action.coDriverId === null) {
        if (run.state.coDriver !== null) signsOutRiding(run, at, run.state.coDriver);
        return null;
      }
      const next = `driver:${action.coDriverId}`;
      if (next === run.state.recorder.driver) return 'no-change';
      if (terms === null || next !== run.state.coDriver) return 'not-allowed';
      const { driver: before, status: was } = run.state.recorder;
      // What the other entered while riding along may not have been known when this was entered.
      const known = termsOf(run, next, terms);
      const status = run.state.coDriverStatus ?? known.status;
      const refusal = run.advance({ kind: 'sign-in', at, driver: next, inTeam: true, ...known, status });
      if (refusal === null) ridesAlong(run, before, was === 'D' ? 'ON' : was);
      return refusal;
    }
    case 'load':
      run.state = { ...run.state, trailers: action.trailers, shippingDocument: action.shippingDocument };
      return null;
    default:
      return null;
  }
}

/** The status of a driver who signs in: the last one that they had, here or elsewhere. */
function statusOf(run: VehicleRun, driver: string, { elsewhere, status }: SignInTerms): DutyState {
  if (elsewhere === undefined) return status;
  const here = run.state.statuses?.[driver];
  const isHere = here !== undefined && (elsewhere === null || isAfter(here, elsewhere));
  const last = isHere ? here.status : (elsewhere?.status ?? status);
  return last === 'D' ? 'ON' : last;
}

function termsOf(run: VehicleRun, driver: string, terms: SignInTerms) {
  const isFirst = terms.isFirst === true && run.state.statuses?.[driver] === undefined;
  return { status: statusOf(run, driver, terms), mayIndicate: terms.mayIndicate, isFirst };
}

function ridesAlong(run: VehicleRun, coDriver: string | null, coDriverStatus: DutyState | null = null): void {
  run.state = { ...run.state, coDriver, coDriverStatus };
}

/** The status of a driver who rides along, or is no longer in the vehicle: it may be chosen in motion too. */
function selectOutside(
  run: VehicleRun,
  at: EpochMs,
  driver: string,
  status: DutyState,
  annotation = '',
): RecorderRefusal | null {
  if (run.state.coDriver === driver) {
    if (status === run.state.coDriverStatus) return 'no-change';
    run.state = { ...run.state, coDriverStatus: status };
  }
  run.write([{ at, type: 1, code: DUTY_CODES[status], origin: 'driver', driver, reduced: false, annotation }]);
  return null;
}

/** Signs a second driver in beside the one who drives. */
function rideAlong(run: VehicleRun, at: EpochMs, driver: string, status: DutyState): RecorderRefusal | null {
  run.advance({ kind: 'tick', at });
  const { recorder } = run.state;
  if (recorder.driver === null) return 'nobody-signed-in';
  if (recorder.driver === driver || run.state.coDriver === driver) return 'no-change';
  if (run.state.coDriver !== null) return 'not-allowed';
  if (recorder.motion.moving) return 'in-motion';
  ridesAlong(run, driver, status);
  session(run, at, driver, SESSION_CODES.login);
  return null;
}

function signsOutRiding(run: VehicleRun, at: EpochMs, driver: string): void {
  run.advance({ kind: 'tick', at });
  ridesAlong(run, null);
  session(run, at, driver, SESSION_CODES.logout);
}

function session(run: VehicleRun, at: EpochMs, driver: string, code: number): void {
  run.write([{ at, type: 5, code, origin: 'automatic', driver, reduced: false }]);
}

/** Whether the status that the recorder knows was chosen after the one from elsewhere. */
const isAfter = (here: StatusSince, elsewhere: StatusElsewhere): boolean =>
  secondOf(here.at) === elsewhere.at ? elsewhere.isLast === false : here.at > elsewhere.at;
