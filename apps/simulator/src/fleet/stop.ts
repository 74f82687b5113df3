import { shapeOf } from '../drive/leg-shape.ts';
import { between, type Random } from '../drive/random.ts';
import type { Leg } from '../drive/tour-file.ts';

/** A part of a stop. `idling`: standing with the engine on; `parked`: off. */
export interface Standing {
  readonly kind: 'idling' | 'parked';
  readonly seconds: number;
}

/** So far from the last stop that the driver has a break. Metres. */
const FAR = 60_000;

/** What happens where a leg ends. */
export function stopAfter(leg: Leg, random: Random): Standing[] {
  const standing = (kind: Standing['kind'], from: number, to: number): Standing => ({
    kind,
    seconds: Math.round(between(random, from * 60, to * 60)),
  });
  const draw = random();
  if ((shapeOf(leg).starts.at(-1) ?? 0) > FAR) {
    return [standing('idling', 2, 5), standing('parked', 14, 28), standing('idling', 1, 4)];
  }
  // A quick drop, waiting for a place at the dock, or an unloading with the engine off.
  if (draw < 0.4) return [standing('idling', 1, 3)];
  if (draw < 0.8) return [standing('idling', 5, 12)];
  return [standing('idling', 0.5, 1), standing('parked', 5, 10), standing('idling', 0.5, 1)];
}
