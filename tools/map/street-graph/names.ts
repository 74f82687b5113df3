import type { Inputs } from '../inputs.ts';
import { alongSegment, indexSegments, placeAlong, type Segment, segmentsOf, squaredDistance } from './segments.ts';
import type { NameLine, Place } from './ways.ts';

interface NamedSegment extends Segment {
  readonly name: string;
}

/** A name line names streets this close to it, in units … */
const NAMES_WITHIN = 12;
/** … that are almost parallel to it: the sine of the angle between them, about 24°. */
const MOST_SINE = 0.4;

/** Names a piece of street by the nearest name line parallel to it; '' if there is none. */
export function nameFinder(inputs: Inputs, lines: readonly NameLine[]): (from: Place, to: Place) => string {
  const segments = lines.flatMap(({ places, name }) =>
    [...segmentsOf(places)].map(([from, to]): NamedSegment => ({ from, to, name })),
  );
  const near = indexSegments(inputs, segments, 0);
  return (from, to) => {
    const middle: Place = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    let name = '';
    let nearest = NAMES_WITHIN ** 2;
    for (const [, segment] of near(
      [middle[0] - NAMES_WITHIN, middle[1] - NAMES_WITHIN],
      [middle[0] + NAMES_WITHIN, middle[1] + NAMES_WITHIN],
    )) {
      const part = alongSegment(middle, segment);
      if (part === null || sineBetween({ from, to }, segment) > MOST_SINE) continue;
      const distance = squaredDistance(middle, placeAlong(segment, Math.max(0, Math.min(1, part))));
      if (distance >= nearest) continue;
      nearest = distance;
      name = segment.name;
    }
    return name;
  };
}

function sineBetween(a: Segment, b: Segment): number {
  const [ax, ay] = [a.to[0] - a.from[0], a.to[1] - a.from[1]];
  const [bx, by] = [b.to[0] - b.from[0], b.to[1] - b.from[1]];
  return Math.abs(ax * by - ay * bx) / (Math.hypot(ax, ay) * Math.hypot(bx, by));
}
