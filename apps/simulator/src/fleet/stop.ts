import { between, type Random } from '../drive/random.ts';
import type { Work } from './work.ts';

/** A part of a stop. `idling`: standing with the engine on; `parked`: with the engine off. */
export interface Standing {
  readonly kind: 'idling' | 'parked';
  readonly seconds: number;
}

type Part = readonly [kind: Standing['kind'], fromMinutes: number, toMinutes: number];
/** Types of stops, with the share of each. */
type Stops = readonly (readonly [share: number, ...parts: readonly Part[]])[];

const DOORS: Stops = [
  [0.25, ['idling', 1, 4]],
  [0.25, ['idling', 5, 11]],
  [0.5, ['idling', 0.5, 1], ['parked', 5, 15], ['idling', 0.5, 1]],
];

const STOPS: Readonly<Record<Work, Stops>> = {
  // Fuel, the load, a tire check.
  haul: [[1, ['idling', 2, 4], ['parked', 10, 18], ['idling', 1, 2]]],
  local: [
    [0.4, ['idling', 4, 10]],
    [0.6, ['idling', 1, 3], ['parked', 8, 20], ['idling', 1, 2]],
  ],
  delivery: DOORS,
  parcel: [
    [0.5, ['idling', 1, 4]],
    [0.5, ['idling', 0.2, 0.5], ['parked', 4, 12]],
  ],
  cooled: [
    [0.4, ['idling', 3, 8]],
    [0.6, ['idling', 1, 3], ['parked', 8, 22], ['idling', 1, 2]],
  ],
  // A quick drop-off, a wait at the dock, or unloading with the engine off.
  anytime: [
    [0.4, ['idling', 1, 3]],
    [0.4, ['idling', 5, 12]],
    [0.2, ['idling', 0.5, 1], ['parked', 5, 10], ['idling', 0.5, 1]],
  ],
};

const MEAL: readonly Part[] = [
  ['idling', 1, 3],
  ['parked', 33, 48],
  ['idling', 1, 3],
];
/** Inspection before the first drive, and work after the last. */
const BEFORE: readonly Part[] = [['idling', 6, 14]];
const AFTER: readonly Part[] = [['idling', 3, 7]];

const standings = (parts: readonly Part[], random: Random): Standing[] =>
  parts.map(([kind, from, to]) => ({ kind, seconds: Math.round(between(random, from * 60, to * 60)) }));

/** The stop at the end of a leg. */
export function stopAfter(work: Work, random: Random): Standing[] {
  let draw = random();
  for (const [share, ...parts] of STOPS[work]) {
    if (draw < share) return standings(parts, random);
    draw -= share;
  }
  return [];
}

export const mealBreak = (random: Random): Standing[] => standings(MEAL, random);
export const beforeWork = (random: Random): Standing[] => standings(BEFORE, random);
export const afterWork = (random: Random): Standing[] => standings(AFTER, random);
