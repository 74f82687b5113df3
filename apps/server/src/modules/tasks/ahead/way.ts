import { TASK_ESTIMATE, type TaskStop } from '@milepost/contract';
import { distanceMetres } from '@milepost/geo';
import type { JourneyStop } from '@milepost/hos';
import { degrees, type EpochMs, epochMs, milliseconds } from '@milepost/units';

/** Where drivers go next: their tasks in order, as a journey along straight lines. Pure. */

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** The fields of a task that decide the way. */
export interface Errand {
  readonly state: string;
  readonly dueFrom: number | null;
  readonly dueTo: number | null;
  readonly stops: readonly TaskStop[];
  /** When the vehicle arrived at the first stop; null if it did not yet. */
  readonly arrivedAt: number | null;
}

const MINUTE = 60_000;
const SECOND = 1000;

/** Meters by road between two places: the straight line times the road factor. */
export const roadBetween = (from: Place, to: Place): number =>
  distanceMetres({ lat: degrees(from.lat), lon: degrees(from.lon) }, { lat: degrees(to.lat), lon: degrees(to.lon) }) *
  TASK_ESTIMATE.roadFactor;

/** Whole minutes, rounded up: nobody is sent on a plan that lacks seconds. */
const drivingFor = (meters: number): number => Math.ceil(meters / TASK_ESTIMATE.speedMps / 60) * MINUTE;

const serviceOf = ({ serviceMin }: TaskStop): number => (serviceMin ?? TASK_ESTIMATE.stopS / 60) * MINUTE;
const instant = (iso: string | null | undefined): number | null => (iso ? Date.parse(iso) : null);
const least = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
const most = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);
const asMs = (at: number | null): EpochMs | null => (at === null ? null : epochMs(at));

export interface Leg extends JourneyStop {
  readonly place: Place;
  readonly meters: number;
}

/** The stops that are left of a task, driven to from a place. `isAsked`: its times bind; otherwise only its beginning. */
export function legsOf(errand: Errand, from: Place, now: number, isAsked: boolean): Leg[] {
  const { dueFrom, dueTo, stops, arrivedAt } = errand;
  let last = from;
  return stops.map((stop, i) => {
    const isThere = i === 0 && arrivedAt !== null;
    const meters = isThere ? 0 : roadBetween(last, stop);
    last = stop;
    const [begins, ends] = [instant(stop.windowFrom), instant(stop.windowTo)];
    const by = isAsked && !isThere ? (i === 0 ? least(dueTo, ends) : ends) : null;
    const worked = isThere ? now - arrivedAt : 0;
    return {
      place: stop,
      meters,
      driving: milliseconds(drivingFor(meters)),
      from: asMs(i === 0 ? most(dueFrom, begins) : begins),
      by: asMs(by),
      work: milliseconds(Math.max(0, Math.round((serviceOf(stop) - worked) / SECOND) * SECOND)),
    };
  });
}

const UNDER_WAY = ['accepted', 'enroute', 'arrived', 'working'];
const BEGUN = ['enroute', 'arrived', 'working'];
const DAY = 86_400_000;

/** When a task is due, for the order of tasks: those that have begun come first. */
const orderOf = ({ state, dueFrom, dueTo }: Errand): number =>
  BEGUN.includes(state) ? 0 : (dueFrom ?? dueTo ?? (UNDER_WAY.includes(state) ? 1 : Number.POSITIVE_INFINITY));

/** A driver's tasks in the order in which they are driven to. */
export const inOrder = <One extends Errand>(errands: readonly One[]): One[] =>
  errands.toSorted((a, b) => orderOf(a) - orderOf(b));

/** Those that come before the task: they have begun, or are due before it, within a day from now. */
export const before = <One extends Errand>(errands: readonly One[], task: Errand, now: number): One[] => {
  const until = Math.min(orderOf(task), now + DAY);
  return inOrder(errands.filter(one => orderOf(one) < until || (orderOf(one) === 0 && orderOf(task) > 0)));
};

/** Where the way ends, for what comes after it. */
export const endOf = (legs: readonly Leg[], start: Place): Place => legs.at(-1)?.place ?? start;
