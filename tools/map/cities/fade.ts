import type { Geometry, MapFeature, Position } from '../layers.ts';

/** West, south, east, north. */
export type Bounds = readonly [number, number, number, number];

/** The area near the edge of a patch of streets is split into this many bands, each fainter than the one inside it. */
export const BANDS = 8;
const MARGIN_METRES = 1800;
const METRES_PER_DEGREE = 111_320;

/**
 * A feature in pieces; those near the edge of the patch have an `edge`: 0 at the edge itself, 7 where it is almost
 * fully visible. The style blends them into the ground, so that streets fade out instead of ending in a straight cut.
 */
export function* fadeAtEdge(feature: MapFeature, patch: Bounds): Generator<MapFeature> {
  const { geometry } = feature;
  const piece = (geometry: Geometry, band: number): MapFeature => ({
    ...feature,
    geometry,
    properties: band < BANDS ? { ...feature.properties, edge: band } : feature.properties,
  });
  switch (geometry.type) {
    case 'LineString':
      for (const { line, band } of lineInBands(geometry.coordinates, patch)) {
        yield piece({ type: 'LineString', coordinates: line }, band);
      }
      break;
    case 'MultiLineString':
      for (const each of geometry.coordinates) {
        for (const { line, band } of lineInBands(each, patch))
          yield piece({ type: 'LineString', coordinates: line }, band);
      }
      break;
    case 'Polygon':
      yield* polygonInBands(geometry.coordinates, patch, piece);
      break;
    case 'MultiPolygon':
      for (const polygon of geometry.coordinates) yield* polygonInBands(polygon, patch, piece);
      break;
    default:
      yield feature;
  }
}

/** The distance from the edge of the patch, in bands; a whole number at each border of two bands. */
function depth([lon, lat]: Position, [west, south, east, north]: Bounds): number {
  const band = MARGIN_METRES / BANDS;
  const perLon = METRES_PER_DEGREE * Math.cos((((south + north) / 2) * Math.PI) / 180);
  return Math.min(
    ((lon - west) * perLon) / band,
    ((east - lon) * perLon) / band,
    ((lat - south) * METRES_PER_DEGREE) / band,
    ((north - lat) * METRES_PER_DEGREE) / band,
  );
}

const bandAt = (at: Position, patch: Bounds): number => Math.max(0, Math.min(BANDS, Math.floor(depth(at, patch))));

const between = (a: Position, b: Position, share: number): Position => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];

function lineInBands(line: readonly Position[], patch: Bounds): { line: Position[]; band: number }[] {
  const pieces: { line: Position[]; band: number }[] = [];
  const add = (from: Position, to: Position): void => {
    const band = bandAt(between(from, to, 0.5), patch);
    const last = pieces.at(-1);
    if (last?.band === band) last.line.push(to);
    else pieces.push({ line: [from, to], band });
  };
  for (const [i, to] of line.entries()) {
    const from = line[i - 1];
    if (!from) continue;
    const cuts = crossings(from, to, patch);
    let at = from;
    for (const share of cuts) {
      const next = between(from, to, share);
      add(at, next);
      at = next;
    }
    add(at, to);
  }
  return pieces;
}

/** Where a straight line crosses from one band to another, as fractions of its length. */
function crossings(from: Position, to: Position, patch: Bounds): number[] {
  const shares: number[] = [];
  for (const [axis, edge, scale] of sides(patch)) {
    for (let band = 1; band <= BANDS; band++) {
      const share = (edge + band * scale - from[axis]) / (to[axis] - from[axis]);
      if (share > 0 && share < 1) shares.push(share);
    }
  }
  return shares.sort((a, b) => a - b);
}

/** For each side its axis, its coordinate, and the width of one band inward in degrees. */
function sides([west, south, east, north]: Bounds): readonly (readonly [0 | 1, number, number])[] {
  const step = MARGIN_METRES / BANDS / METRES_PER_DEGREE;
  const wide = step / Math.cos((((south + north) / 2) * Math.PI) / 180);
  return [
    [0, west, wide],
    [0, east, -wide],
    [1, south, step],
    [1, north, -step],
  ];
}

function* polygonInBands(
  rings: readonly (readonly Position[])[],
  patch: Bounds,
  piece: (geometry: Geometry, band: number) => MapFeature,
): Generator<MapFeature> {
  // Most polygons are well inside.
  if (rings[0]?.every(at => bandAt(at, patch) === BANDS)) {
    yield piece({ type: 'Polygon', coordinates: rings }, BANDS);
    return;
  }
  for (const { box, band } of frames(patch)) {
    const cut = rings.map(ring => clipRing(ring, box)).filter(ring => ring.length > 3);
    if (cut[0]) yield piece({ type: 'Polygon', coordinates: cut }, band);
  }
}

/** The patch as rectangles: four for each band, and the area inside. */
function* frames(patch: Bounds): Generator<{ readonly box: Bounds; readonly band: number }> {
  const inner = (band: number): Bounds => {
    const [west, east, south, north] = sides(patch).map(([, edge, step]) => edge + band * step) as [
      number,
      number,
      number,
      number,
    ];
    return [west, south, east, north];
  };
  for (let band = 0; band < BANDS; band++) {
    const [west, south, east, north] = band === 0 ? [-180, -90, 180, 90] : inner(band);
    const [w, s, e, n] = inner(band + 1);
    yield { box: [west, south, w, north], band };
    yield { box: [e, south, east, north], band };
    yield { box: [w, south, e, s], band };
    yield { box: [w, n, e, north], band };
  }
  yield { box: inner(BANDS), band: BANDS };
}

/** Sutherland–Hodgman: clips a ring to a box. */
function clipRing(ring: readonly Position[], [west, south, east, north]: Bounds): Position[] {
  let cut: Position[] = [...ring.slice(0, -1)];
  for (const [axis, limit, sign] of [
    [0, west, 1],
    [0, east, -1],
    [1, south, 1],
    [1, north, -1],
  ] as const) {
    const kept: Position[] = [];
    for (const [i, at] of cut.entries()) {
      const before = cut[(i + cut.length - 1) % cut.length] as Position;
      const inside = (at[axis] - limit) * sign >= 0;
      const was = (before[axis] - limit) * sign >= 0;
      if (inside !== was) kept.push(between(before, at, (limit - before[axis]) / (at[axis] - before[axis])));
      if (inside) kept.push(at);
    }
    cut = kept;
  }
  return cut.length < 3 ? [] : [...cut, cut[0] as Position];
}
