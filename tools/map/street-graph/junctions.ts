import type { Inputs } from '../inputs.ts';
import { alongSegment, indexSegments, placeAlong, type Segment, segmentsOf, squaredDistance } from './segments.ts';
import type { Place, Way } from './ways.ts';

interface WaySegment extends Segment {
  readonly way: Way;
  /** The ends of the segment's way. */
  readonly wayEnds: readonly Place[];
}

/**
 * How far, in units, a way's end may be from another way and still join it, because simplification may have moved it.
 */
const JOIN_WITHIN = 3;

/**
 * The ways with a point at every junction. Lines in tiles are simplified one by one, so the points that two of them
 * shared are lost: they are restored where streets cross at ground level and where one ends at another. Also returns
 * how many were restored.
 */
export function rebuildJunctions(
  inputs: Inputs,
  ways: readonly Way[],
): { readonly ways: Way[]; readonly cuts: number } {
  const segments = ways.flatMap(way => {
    const pairs = [...segmentsOf(way.places)];
    return pairs.map(([from, to], index): WaySegment => {
      const ends = [...(index === 0 ? [from] : []), ...(index === pairs.length - 1 ? [to] : [])];
      return { from, to, way, wayEnds: ends };
    });
  });
  const near = indexSegments(inputs, segments, JOIN_WITHIN);
  const cutsOf = new Map<WaySegment, Place[]>();
  let cuts = 0;
  const cut = (segment: WaySegment, place: Place) => {
    const places = cutsOf.get(segment) ?? [];
    cutsOf.set(segment, places);
    places.push(place);
    cuts++;
  };
  for (const [index, segment] of segments.entries()) {
    for (const [otherIndex, other] of near(segment.from, segment.to)) {
      if (other.way === segment.way) continue;
      for (const end of segment.wayEnds) if (endsOn(end, segment.way, other)) cut(other, end);
      const crossing = otherIndex > index ? crossingOf(segment, other) : null;
      if (!crossing) continue;
      cut(segment, crossing);
      cut(other, crossing);
    }
  }
  const placesOf = new Map<Way, Place[]>(ways.map(way => [way, way.places.slice(0, 1)]));
  for (const segment of segments) {
    const inOrder = (cutsOf.get(segment) ?? []).sort(
      (a, b) => squaredDistance(a, segment.from) - squaredDistance(b, segment.from),
    );
    placesOf.get(segment.way)?.push(...inOrder, segment.to);
  }
  return { ways: ways.map(way => ({ ...way, places: placesOf.get(way) ?? way.places })), cuts };
}

const isMotorway = ({ roadClass }: Way): boolean => roadClass === 'motorway' || roadClass === 'motorway_link';
const isRamp = ({ roadClass }: Way): boolean => roadClass === 'motorway_link';

/** Streets end at streets and motorways at motorways; ramps end at both. */
function endsOn(end: Place, way: Way, other: WaySegment): boolean {
  if (isMotorway(way) !== isMotorway(other.way) && !isRamp(way) && !isRamp(other.way)) return false;
  const part = alongSegment(end, other);
  if (part === null || part <= 0 || part >= 1) return false;
  return squaredDistance(end, placeAlong(other, part)) <= JOIN_WITHIN ** 2;
}

/** Where two streets of one level cross, except at their ends. Motorways have no level crossings. */
function crossingOf(one: WaySegment, other: WaySegment): Place | null {
  if (isMotorway(one.way) || isMotorway(other.way) || one.way.level !== other.way.level) return null;
  const [ax, ay] = [one.to[0] - one.from[0], one.to[1] - one.from[1]];
  const [bx, by] = [other.to[0] - other.from[0], other.to[1] - other.from[1]];
  const [cx, cy] = [other.from[0] - one.from[0], other.from[1] - one.from[1]];
  const cross = ax * by - ay * bx;
  if (cross === 0) return null;
  const partOfOne = (cx * by - cy * bx) / cross;
  const partOfOther = (cx * ay - cy * ax) / cross;
  const within = (part: number) => part > 0.001 && part < 0.999;
  if (!within(partOfOne) || !within(partOfOther)) return null;
  const [x, y] = placeAlong(one, partOfOne);
  return [Math.round(x), Math.round(y)];
}
