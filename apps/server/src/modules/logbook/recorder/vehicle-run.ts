import {
  advanceFaults,
  advanceRecorder,
  compose,
  DUTY_CODES,
  DUTY_STATES,
  type FaultEvent,
  type FaultMark,
  indicatorsOf,
  locationDescription,
  type Mark,
  type Observation,
  type Readings,
  type RecorderInput,
  type RecorderRefusal,
  secondOf,
  type TownFinder,
} from '@milepost/eld';
import { degrees, epochMs, fromMiles, metres } from '@milepost/units';
import { type EventDraft, withoutPlaceInChain } from '../draft.ts';
import { unidentifiedLogOf } from '../settings/driver-terms.ts';
import type { RecordedVehicle } from './vehicle-input.ts';
import { type ToRecord, timeOf, type VehicleState } from './vehicle-state.ts';

export interface Recorded {
  readonly state: VehicleState;
  readonly events: readonly ToRecord[];
  readonly refusal: RecorderRefusal | null;
}

const DAY_MS = 24 * 3_600_000;
/** Of so many drivers of a vehicle the last status is kept. */
const DRIVERS_KEPT = 12;

/** One step of a vehicle's recorder: the state as it goes on, and the events that come of it. */
export class VehicleRun {
  state: VehicleState;
  readonly vehicle: RecordedVehicle;
  readonly #towns: TownFinder;
  readonly #events: ToRecord[] = [];

  constructor(state: VehicleState, vehicle: RecordedVehicle, towns: TownFinder) {
    this.state = state;
    this.vehicle = vehicle;
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
    this.#events.push({ log: driver ?? unidentifiedLogOf(this.vehicle.id), event });
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
    const vehicle = { powerUnit: this.vehicle.powerUnit, vin: this.vehicle.vin };
    // The owner's name and time zone only decide the check value, which is made when the entry is written.
    return { vehicle, trailers, shippingDocument, userName: 'none', timeZone: 'UTC', ...indicatorsOf(faults) };
  }
}
