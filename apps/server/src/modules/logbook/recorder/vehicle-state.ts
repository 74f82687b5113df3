import {
  advanceFaults,
  advanceRecorder,
  type Composed,
  compose,
  DUTY_CODES,
  DUTY_STATES,
  type DutyState,
  type FaultEvent,
  type FaultMark,
  type FaultState,
  indicatorsOf,
  locationDescription,
  type Mark,
  NO_FAULTS,
  newRecorder,
  type Observation,
  type Readings,
  type RecorderInput,
  type RecorderRefusal,
  type RecorderState,
  SESSION_CODES,
  secondOf,
  type TownFinder,
} from '@milepost/eld';
import { distanceMetres } from '@milepost/geo';
import { degrees, type EpochMs, epochMs, fromMiles, fromMilesPerHour, metres, metresPerSecond } from '@milepost/units';
import type { FixRow } from '../../../tracks/fixes.ts';
import type { RecordedFix } from '../../../tracks/private.ts';
import { type EventDraft, withoutPlaceInChain } from '../draft.ts';
import { unidentifiedLogOf } from '../settings/driver-terms.ts';
import type { RecordedVehicle, SignInTerms, StatusElsewhere, StatusSince, VehicleInput } from './vehicle-input.ts';

/**
 * What a vehicle's recorder knows: a pure function of its positions and its drivers' inputs in the order of time. Plain
 * JSON, stored as it is.
 */
export interface VehicleState {
  readonly recorder: RecorderState;
  readonly faults: FaultState;
  /** `driver:12`: who rides along. */
  readonly coDriver: string | null;
  /** Their status; null in states from before it was kept. */
  readonly coDriverStatus?: RecorderState['status'] | null;
  /** The last status that each driver had here, and since when; not in states from before it was kept. */
  readonly statuses?: Readonly<Record<string, StatusSince>>;
  readonly trailers: string;
  readonly shippingDocument: string;
  /** Meters; null while the tracker has reported none. */
  readonly odometer: number | null;
  readonly odometerAtPowerUp: number | null;
  readonly fix: { readonly lat: number; readonly lon: number; readonly at: number } | null;
  /** Meters driven since the last valid fix. */
  readonly sinceFix: number;
  /** Unidentified driving of the last eight days, in epoch milliseconds; null: it lasts. */
  readonly unidentified: readonly (readonly [from: number, to: number | null])[];
  /** What was recorded in the second of the state's time: whoever goes on from here knows it is recorded. */
  readonly justRecorded: readonly ToRecord[];
}

/** An event to be written to a log. */
export interface ToRecord {
  readonly log: string;
  readonly event: EventDraft<Composed> | EventDraft<FaultEvent>;
}

export interface Recorded {
  readonly state: VehicleState;
  readonly events: readonly ToRecord[];
  readonly refusal: RecorderRefusal | null;
}

export const newVehicleState = (atMs: number): VehicleState => ({
  recorder: newRecorder(epochMs(atMs)),
  faults: NO_FAULTS,
  coDriver: null,
  coDriverStatus: null,
  trailers: '',
  shippingDocument: '',
  odometer: null,
  odometerAtPowerUp: null,
  fix: null,
  sinceFix: 0,
  unidentified: [],
  justRecorded: [],
});

const MOVING = fromMilesPerHour(5);
/** A vehicle that turns up elsewhere after so long a silence was driven unrecorded: data diagnostic 1, malfunction P. */
const SILENT_MS = 10 * 60_000;
const MISSED = fromMiles(1);
/** The recorder's clock may differ from UTC by this much (Appendix A, 4.3.1.5). */
const CLOCK_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** Of so many drivers of a vehicle the last status is kept. */
const DRIVERS_KEPT = 12;

/** Whether the status that the recorder knows was chosen after the one from elsewhere. */
const isAfter = (here: StatusSince, elsewhere: StatusElsewhere): boolean =>
  secondOf(here.at) === elsewhere.at ? elsewhere.isLast === false : here.at > elsewhere.at;

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
  const run = new Run(state, vehicle, towns);
  run.write(before);
  run.read(fix, at, state.recorder.motion.moving);
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
  const run = new Run(state, vehicle, towns);
  run.advance({ kind: 'tick', at: epochMs(at) });
  run.observe({ kind: 'clock', at: epochMs(at), offset });
  return run.done(null);
}

/** Takes what a driver entered; `refusal` says why it changes nothing. */
export function takeInput(
  state: VehicleState,
  input: VehicleInput,
  vehicle: RecordedVehicle,
  towns: TownFinder,
): Recorded {
  const run = new Run(state, vehicle, towns);
  // What has become due meanwhile.
  run.advance({ kind: 'tick', at: epochMs(input.at) });
  return run.done(run.take(input));
}

/** What is recorded by `atMs` if nothing else comes. The state is not for keeping: positions may still come. */
export function passTime(state: VehicleState, atMs: number, vehicle: RecordedVehicle, towns: TownFinder): Recorded {
  const run = new Run(state, vehicle, towns);
  run.advance({ kind: 'tick', at: epochMs(atMs) });
  return run.done(null);
}

class Run {
  state: VehicleState;
  readonly #vehicle: RecordedVehicle;
  readonly #towns: TownFinder;
  readonly #events: ToRecord[] = [];

  constructor(state: VehicleState, vehicle: RecordedVehicle, towns: TownFinder) {
    this.state = state;
    this.#vehicle = vehicle;
    this.#towns = towns;
  }

  done(refusal: RecorderRefusal | null): Recorded {
    const second = secondOf(timeOf(this.state));
    const justRecorded = [...this.state.justRecorded, ...this.#events].filter(({ event }) => event.at === second);
    return { state: { ...this.state, justRecorded }, events: this.#events, refusal };
  }

  /** With what the driver wrote about it. */
  advance(input: RecorderInput, annotation = ''): RecorderRefusal | null {
    const { marks, refusal, state } = advanceRecorder(this.state.recorder, input);
    this.state = { ...this.state, recorder: state };
    this.write(
      annotation === '' ? marks : marks.map(mark => (mark.origin === 'driver' ? { ...mark, annotation } : mark)),
    );
    return refusal;
  }

  take({ action, at: atMs, driver, terms }: VehicleInput): RecorderRefusal | null {
    const at = epochMs(atMs);
    const isDriver = this.state.recorder.driver === driver;
    const rides = this.state.coDriver === driver;
    if (action.kind === 'sign-in') {
      if (terms === null) return 'not-allowed';
      if (action.asCoDriver) return this.#rideAlong(at, driver, this.#statusOf(driver, terms));
      const refusal = this.advance({ kind: 'sign-in', at, driver, ...this.#termsOf(driver, terms) });
      if (refusal === null) this.#ridesAlong(null);
      return refusal;
    }
    if (!isDriver && action.kind === 'sign-out') {
      this.#selectOutside(at, driver, action.status);
      if (rides) this.#signsOutRiding(at, driver);
      return null;
    }
    if (!isDriver && action.kind === 'status') {
      const { status } = action;
      return status === 'D' || status === 'PC' || status === 'YM'
        ? 'nobody-signed-in'
        : this.#selectOutside(at, driver, status, action.note);
    }
    if (!isDriver && !(rides && action.kind === 'co-driver')) return 'nobody-signed-in';
    switch (action.kind) {
      case 'sign-out': {
        const refusal = this.advance({ kind: 'select-status', at, status: action.status });
        if (refusal !== null && refusal !== 'no-change') return refusal;
        const out = this.advance({ kind: 'sign-out', at });
        if (out === null) this.#ridesAlong(null);
        return out;
      }
      case 'status':
        if (action.status === 'PC')
          return this.advance({ kind: 'indicate', at, indication: 'personal-use' }, action.note);
        if (action.status === 'YM') return this.advance({ kind: 'indicate', at, indication: 'yard-move' }, action.note);
        return this.advance({ kind: 'select-status', at, status: action.status }, action.note);
      case 'confirm':
        return this.advance({ kind: 'confirm', at });
      case 'co-driver': {
        if (action.coDriverId === null) {
          if (this.state.coDriver !== null) this.#signsOutRiding(at, this.state.coDriver);
          return null;
        }
        const next = `driver:${action.coDriverId}`;
        if (next === this.state.recorder.driver) return 'no-change';
        if (terms === null || next !== this.state.coDriver) return 'not-allowed';
        const { driver: before, status: was } = this.state.recorder;
        // What the other entered while riding along may not have been known when this was entered.
        const known = this.#termsOf(next, terms);
        const status = this.state.coDriverStatus ?? known.status;
        const refusal = this.advance({ kind: 'sign-in', at, driver: next, inTeam: true, ...known, status });
        if (refusal === null) this.#ridesAlong(before, was === 'D' ? 'ON' : was);
        return refusal;
      }
      case 'load':
        this.state = { ...this.state, trailers: action.trailers, shippingDocument: action.shippingDocument };
        return null;
      default:
        return null;
    }
  }

  /** The status of whoever signs in: the last one that they had, here or elsewhere. */
  #statusOf(driver: string, { elsewhere, status }: SignInTerms): DutyState {
    if (elsewhere === undefined) return status;
    const here = this.state.statuses?.[driver];
    const isHere = here !== undefined && (elsewhere === null || isAfter(here, elsewhere));
    const last = isHere ? here.status : (elsewhere?.status ?? status);
    return last === 'D' ? 'ON' : last;
  }

  #termsOf(driver: string, terms: SignInTerms) {
    const isFirst = terms.isFirst === true && this.state.statuses?.[driver] === undefined;
    return { status: this.#statusOf(driver, terms), mayIndicate: terms.mayIndicate, isFirst };
  }

  #ridesAlong(coDriver: string | null, coDriverStatus: DutyState | null = null): void {
    this.state = { ...this.state, coDriver, coDriverStatus };
  }

  /** The status of a driver who rides along, or is no longer in the vehicle: it may be chosen in motion too. */
  #selectOutside(at: EpochMs, driver: string, status: DutyState, annotation = ''): RecorderRefusal | null {
    if (this.state.coDriver === driver) {
      if (status === this.state.coDriverStatus) return 'no-change';
      this.state = { ...this.state, coDriverStatus: status };
    }
    this.write([{ at, type: 1, code: DUTY_CODES[status], origin: 'driver', driver, reduced: false, annotation }]);
    return null;
  }

  /** Signs a second driver in beside the one who drives. */
  #rideAlong(at: EpochMs, driver: string, status: DutyState): RecorderRefusal | null {
    this.advance({ kind: 'tick', at });
    const { recorder } = this.state;
    if (recorder.driver === null) return 'nobody-signed-in';
    if (recorder.driver === driver || this.state.coDriver === driver) return 'no-change';
    if (this.state.coDriver !== null) return 'not-allowed';
    if (recorder.motion.moving) return 'in-motion';
    this.#ridesAlong(driver, status);
    this.#session(at, driver, SESSION_CODES.login);
    return null;
  }

  #signsOutRiding(at: EpochMs, driver: string): void {
    this.advance({ kind: 'tick', at });
    this.#ridesAlong(null);
    this.#session(at, driver, SESSION_CODES.logout);
  }

  #session(at: EpochMs, driver: string, code: number): void {
    this.write([{ at, type: 5, code, origin: 'automatic', driver, reduced: false }]);
  }

  /** The instruments, and what they say about the recorder itself. */
  read(fix: FixRow, at: number, wasMoving: boolean): void {
    const { state } = this;
    const odometer = fix.odometer === null ? state.odometer : fix.odometer + this.#vehicle.odometerOffset;
    const here = { lat: degrees(fix.lat), lon: degrees(fix.lon) };
    const last = state.fix && { lat: degrees(state.fix.lat), lon: degrees(state.fix.lon) };
    const driven =
      odometer !== null && state.odometer !== null
        ? Math.max(0, odometer - state.odometer)
        : fix.valid && last
          ? distanceMetres(last, here)
          : 0;
    const silentSince = state.fix?.at ?? null;
    this.state = {
      ...state,
      odometer,
      fix: fix.valid ? { ...here, at } : state.fix,
      sinceFix: fix.valid ? 0 : state.sinceFix + driven,
    };
    this.observe({ kind: 'position', at: epochMs(at), valid: fix.valid, since: metres(this.state.sinceFix) });
    const isMissed = fix.valid && !wasMoving && silentSince !== null && at - silentSince >= SILENT_MS;
    if (isMissed && last && distanceMetres(last, here) >= MISSED) {
      this.observe({ kind: 'missed-driving', at: epochMs(at), from: epochMs(silentSince), to: epochMs(at) });
    }
  }

  write(marks: readonly Mark[]): void {
    for (const mark of marks) {
      if (mark.type === 6 && mark.code <= 2) this.state = { ...this.state, odometerAtPowerUp: this.state.odometer };
      const { event, missing } = compose(mark, 0, this.#readings(), this.#context());
      this.#add(mark.driver, withoutPlaceInChain(event));
      const isComplete = !missing.includes('place') && !(missing.includes('miles') && this.state.odometer !== null);
      this.observe({ kind: 'elements', at: mark.at, complete: isComplete });
      if (mark.driver === null && mark.type === 1) this.#noteUnidentified(mark);
      if (mark.driver !== null && mark.type === 1) this.#noteStatus(mark.driver, mark);
    }
  }

  #noteStatus(driver: string, { at, code }: Mark): void {
    const status = DUTY_STATES.find(name => DUTY_CODES[name] === code);
    if (!status) return;
    const others = Object.entries(this.state.statuses ?? {}).filter(([name]) => name !== driver);
    const kept = others.sort(([, a], [, b]) => b.at - a.at).slice(0, DRIVERS_KEPT - 1);
    this.state = { ...this.state, statuses: { ...Object.fromEntries(kept), [driver]: { status, at } } };
  }

  #noteUnidentified({ at, code }: Mark): void {
    const recent = this.state.unidentified.filter(([, to]) => to === null || to > at - 8 * DAY_MS);
    const closed = recent.map(([from, to]): [number, number | null] => [from, to ?? at]);
    this.state = { ...this.state, unidentified: code === 3 ? [...closed, [at, null]] : closed };
    const driving = this.state.unidentified.map(([from, to]) => ({ from: epochMs(from), to: epochMs(to ?? at) }));
    const periodStart = epochMs(Math.floor(at / DAY_MS - 7) * DAY_MS);
    this.observe({ kind: 'unidentified', at, driving, periodStart });
  }

  observe(observation: Observation): void {
    const { marks, state } = advanceFaults(this.state.faults, observation);
    this.state = { ...this.state, faults: state };
    for (const mark of marks) this.#add(this.state.recorder.driver, this.#faultEvent(mark));
  }

  #faultEvent({ at, code, faultCode }: FaultMark): EventDraft<FaultEvent> {
    const { trailers, shippingDocument, vehicle } = this.#context();
    const { odometer } = this.#readings();
    const totalMiles = odometer === null ? null : Math.max(0, Math.floor(odometer / fromMiles(1)));
    return {
      ...{ type: 7, code, faultCode, at: secondOf(at) },
      ...{ vehicle, trailers, shippingDocument, totalMiles, totalHours: null },
    };
  }

  #add(driver: string | null, event: ToRecord['event']): void {
    this.#events.push({ log: driver ?? unidentifiedLogOf(this.#vehicle.id), event });
  }

  #readings(): Readings {
    const { fix, odometer, odometerAtPowerUp, sinceFix, faults } = this.state;
    const point = fix && { lat: degrees(fix.lat), lon: degrees(fix.lon) };
    return {
      odometer: odometer === null ? null : metres(odometer),
      // No tracker here reads it from the engine.
      engineTime: null,
      atPowerUp: { odometer: odometerAtPowerUp === null ? null : metres(odometerAtPowerUp), engineTime: null },
      place: { fix: point, since: metres(sinceFix), malfunction: faults.active.includes('L'), typedByDriver: false },
      location: point && locationDescription(this.#towns, point.lat, point.lon),
    };
  }

  #context() {
    const { faults, shippingDocument, trailers } = this.state;
    const vehicle = { powerUnit: this.#vehicle.powerUnit, vin: this.#vehicle.vin };
    // The owner's name and time zone only decide the check value, which is made when the entry is written.
    return { vehicle, trailers, shippingDocument, userName: 'none', timeZone: 'UTC', ...indicatorsOf(faults) };
  }
}

/** The moment from which on the state waits for something: the time of its last position or input. */
export const timeOf = ({ recorder }: VehicleState): number => recorder.at;
