import earcut, { flatten } from 'earcut';
import type { Inputs } from '../inputs.ts';
import { type Ring, ringArea } from './rings.ts';

/** An outer ring and its holes, as the map draws them. */
export type Polygon = readonly Ring[];

/** Islets up to these areas, in units², may be left out, if need be the larger ones: a pixel is 64. */
const SPECKS = [16, 64, 256];
/** Cutting rounds to whole units, which can make new crossings: those are cut again. */
const ROUNDS = 5;
/** Units² that may be drawn as the wrong side: less than a pixel. */
const NOTHING = 20;
/** From here on it is a wedge that one sees, and larger islets are given up for it. */
const WEDGE = 1_000;

interface Vertex {
  readonly X: number;
  readonly Y: number;
}
interface Node {
  Contour(): readonly Vertex[];
  Childs(): readonly Node[];
}
/** The parts used of clipper-lib. */
interface ClipperLib {
  readonly PolyTree: new () => Node;
  readonly Clipper: new () => {
    StrictlySimple: boolean;
    AddPaths(paths: readonly (readonly Vertex[])[], role: number, closed: boolean): void;
    Execute(operation: number, into: Node, subject: number, clip: number): boolean;
  };
  readonly ClipType: { readonly ctUnion: number };
  readonly PolyType: { readonly ptSubject: number };
  readonly PolyFillType: { readonly pftPositive: number };
}

/**
 * The area that rings enclose, as polygons whose edges don't cross. Rounding a coast to the units of a tile makes it
 * cross itself, and the map then draws wedges of sea across the land. Specks are left out if `specks` says so.
 */
export function simplePolygons(inputs: Inputs, rings: readonly Ring[], specks: 'drop' | 'keep'): Polygon[] {
  let best: Polygon[] = [];
  let left = Number.POSITIVE_INFINITY;
  for (const speck of specks === 'drop' ? SPECKS : [0]) {
    if (left < WEDGE) break;
    let round = rings;
    for (let i = 0; i < ROUNDS && left > NOTHING; i++) {
      const polygons = cut(
        inputs,
        round.filter(ring => Math.abs(ringArea(ring)) >= speck),
      );
      const wrong = drawnWrong(polygons);
      if (wrong < left) [best, left] = [polygons, wrong];
      round = polygons.flat();
    }
  }
  return best;
}

function cut(inputs: Inputs, rings: readonly Ring[]): Polygon[] {
  const lib = inputs.load<ClipperLib>('clipper-lib');
  const clipper = new lib.Clipper();
  clipper.StrictlySimple = true;
  clipper.AddPaths(
    rings.map(ring => ring.map(({ x, y }) => ({ X: x, Y: y }))),
    lib.PolyType.ptSubject,
    true,
  );
  const tree = new lib.PolyTree();
  clipper.Execute(lib.ClipType.ctUnion, tree, lib.PolyFillType.pftPositive, lib.PolyFillType.pftPositive);
  const ringOf = (node: Node): Ring => node.Contour().map(({ X, Y }) => ({ x: X, y: Y }));
  const polygonsIn = (node: Node): Polygon[] =>
    node
      .Childs()
      .flatMap(outer => [[ringOf(outer), ...outer.Childs().map(ringOf)], ...outer.Childs().flatMap(polygonsIn)]);
  return polygonsIn(tree);
}

/** Units² of difference between polygons and the triangles that the map cuts them into. */
export function drawnWrong(polygons: readonly Polygon[]): number {
  let wrong = 0;
  for (const polygon of polygons) {
    const { vertices, holes, dimensions } = flatten(
      polygon.map(ring => ring.map(({ x, y }): [number, number] => [x, y])),
    );
    const corners = earcut(vertices, holes, dimensions);
    const at = (index: number) => ({ x: vertices[2 * index] as number, y: vertices[2 * index + 1] as number });
    let drawn = 0;
    for (let i = 0; i < corners.length; i += 3) {
      drawn += Math.abs(ringArea(corners.slice(i, i + 3).map(at)));
    }
    const [outer = [], ...inner] = polygon;
    wrong += Math.abs(drawn - inner.reduce((rest, ring) => rest - Math.abs(ringArea(ring)), Math.abs(ringArea(outer))));
  }
  return wrong;
}
