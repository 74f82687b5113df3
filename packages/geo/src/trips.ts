import {
  type EpochMs,
  epochMs,
  type Metres,
  type MetresPerSecond,
  metresPerSecond,
  type Percent,
} from '@milepost/units';
import type { LatLon, PlaceInTime } from './fix.ts';

/** A trip begins with driving, includes idling on the way, and ends when the vehicle stops or is not heard from. */
export const LEG_KINDS = ['trip', 'stop', 'gap'] as const;
export type LegKind = (typeof LEG_KINDS)[number];

/** A number as it was sent first and last. */
export interface FirstLast<Value> {
  readonly first: Value;
  readonly last: Value;
}

/** A part of a day: the parts of a day cover it exactly, and their sums are the day's figures. */
export interface LegPart {
  /** `idling` at the beginning of a day goes on with what was before. */
  readonly kind: LegKind | 'idling';
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Integers, so that sums are exact. */
  readonly millimetres: number;
  readonly movingMs: number;
  readonly idlingMs: number;
  readonly stoppedMs: number;
  readonly maxSpeed: MetresPerSecond | null;
  /** The reliable fixes in it. */
  readonly fixes: number;
  /** Where it began and ended: the fixes that decided it. */
  readonly start: PlaceInTime | null;
  readonly end: PlaceInTime | null;
  readonly odometer: FirstLast<Metres> | null;
  readonly fuel: FirstLast<Percent> | null;
  /** The drivers' cards that were reported, in the order in which they came. */
  readonly cards: readonly string[];
}

/** A trip, a stop or a time without data, whole: over midnight, too. */
export interface Leg extends LegPart {
  readonly kind: LegKind;
  /** Of one day each. */
  readonly parts: readonly LegPart[];
}

/** What the parts of consecutive days, in the order of time, make up. */
export function joinParts(parts: Iterable<LegPart>): Leg[] {
  const legs: Leg[] = [];
  for (const part of parts) {
    const last = legs.at(-1);
    const before = last?.to === part.from ? last : undefined;
    const kind = legKindAfter(before?.kind ?? null, part.kind);
    if (before?.kind === kind)
      legs[legs.length - 1] = { ...joined(before, part), kind, parts: [...before.parts, part] };
    else legs.push({ ...part, kind, parts: [part] });
  }
  return legs;
}

/** A leg's pieces by group, each of the leg's kind: idling after midnight still belongs to the trip that it ends. */
export const splitLeg = ({ kind, parts }: Leg, groupOf: (part: LegPart) => number): Leg[] =>
  [...Map.groupBy(parts, groupOf).values()].map(group => ({
    ...group.reduce((sum, part) => joined(sum, part)),
    kind,
    parts: group,
  }));

/** Idling belongs to the trip it interrupts or ends, and otherwise to a stop. */
const legKindAfter = (before: LegKind | null, kind: LegPart['kind']): LegKind =>
  kind !== 'idling' ? kind : before === 'trip' ? 'trip' : 'stop';

export function joined(one: LegPart, next: LegPart): LegPart {
  return {
    kind: one.kind,
    from: one.from,
    to: next.to,
    millimetres: one.millimetres + next.millimetres,
    movingMs: one.movingMs + next.movingMs,
    idlingMs: one.idlingMs + next.idlingMs,
    stoppedMs: one.stoppedMs + next.stoppedMs,
    maxSpeed: maxOf(one.maxSpeed, next.maxSpeed),
    fixes: one.fixes + next.fixes,
    start: one.start ?? next.start,
    end: next.end ?? one.end,
    odometer: span(one.odometer, next.odometer),
    fuel: span(one.fuel, next.fuel),
    cards: [...new Set([...one.cards, ...next.cards])],
  };
}

/** Of the time on the road; null where there is none. */
export const meanSpeed = ({ millimetres, movingMs }: LegPart): MetresPerSecond | null =>
  movingMs === 0 ? null : metresPerSecond(millimetres / movingMs);

/** How far it went by the odometer; null where it was not sent, or was set back. */
export const odometerDistance = ({ odometer }: LegPart): number | null =>
  odometer === null || odometer.last < odometer.first ? null : odometer.last - odometer.first;

export const maxOf = <Value extends number>(one: Value | null, other: Value | null): Value | null =>
  one === null || (other !== null && other > one) ? other : one;

export const span = <Value>(one: FirstLast<Value> | null, next: FirstLast<Value> | null): FirstLast<Value> | null =>
  one === null || next === null ? (one ?? next) : { first: one.first, last: next.last };

export const placeInTime = ({ lat, lon }: LatLon, time: number): PlaceInTime => ({ time: epochMs(time), lat, lon });
