import type { BaseFeature, BaseLayers, BaseMap } from './base-map.ts';
import type { At, Box, View } from './view.ts';

/** The colors of the light map of the app (`tokens.css`), so that paper and screen look the same. */
const INK = {
  ...{ land: '#eef0ee', wood: '#e1e8de', urban: '#e4e4e4', water: '#c2d6e4', waterInk: '#4f7390' },
  ...{ road: '#ffffff', casing: '#b4bec8', street: '#fbfcfc', streetCasing: '#ccd4db', minor: '#dde2e6' },
  ...{ admin: '#a9b2ba', label: '#55636f', halo: '#f4f6f4' },
} as const;
const WOODED = new Set(['park', 'wood', 'grass', 'cemetery', 'scrub', 'forest', 'garden', 'golf_course', 'pitch']);

interface RoadLook {
  readonly details: ReadonlySet<string>;
  readonly from: number;
  /** Widths at zooms 9, 12 and 15. */
  readonly widths: readonly [number, number, number];
  readonly fill: string;
  readonly casing: string | null;
}

/** From the least to the most important: later ones lie on top. */
const ROADS: readonly RoadLook[] = [
  look(['residential', 'unclassified', 'living_street', 'road', 'service'], 12.5, [0, 0.5, 1.6], INK.minor, null),
  look(['tertiary', 'tertiary_link'], 11.5, [0.3, 0.8, 2.4], INK.street, INK.streetCasing),
  look(['secondary', 'secondary_link'], 10.5, [0.4, 1.1, 3], INK.street, INK.streetCasing),
  look(['primary', 'primary_link', 'trunk_link', 'motorway_link'], 9, [0.5, 1.4, 3.6], INK.road, INK.streetCasing),
  look(['trunk', 'motorway'], 8, [0.9, 1.9, 4.4], INK.road, INK.casing),
];

function look(
  details: readonly string[],
  from: number,
  widths: RoadLook['widths'],
  fill: string,
  casing: string | null,
): RoadLook {
  return { details: new Set(details), from, widths, fill, casing };
}

/** Draws what lies under the tracks. The caller has clipped to the box. */
export function drawBase(document: PDFKit.PDFDocument, view: View, { world, streets }: BaseMap): void {
  const { box, zoom } = view;
  const of = (layers: BaseLayers, name: string): readonly BaseFeature[] => layers.get(name) ?? [];
  document.rect(box.left, box.top, box.width, box.height).fill(INK.land);
  fill(document, of(world, 'ocean'), INK.water);
  if (zoom < 10) fill(document, pick(of(world, 'landuse'), 'urban_area'), INK.urban);
  fill(document, of(world, 'water'), INK.water);
  stroke(document, of(world, 'water'), INK.water, zoom < 6 ? 0.5 : 1.1);
  fill(document, of(streets, 'earth'), INK.land);
  const grown = of(streets, 'landuse').filter(({ kind }) => WOODED.has(kind));
  fill(document, grown, INK.wood);
  fill(document, of(streets, 'water'), INK.water);
  stroke(document, of(streets, 'water'), INK.water, zoom < 12 ? 0.8 : 2);
  document.dash(4, { space: 2 });
  stroke(document, pick(of(world, 'boundaries'), 'region'), INK.admin, 0.7);
  document.undash();
  stroke(document, pick(of(world, 'boundaries'), 'country'), INK.admin, 1.2);
  drawRoads(document, of(streets, 'roads'), zoom);
}

function drawRoads(document: PDFKit.PDFDocument, roads: readonly BaseFeature[], zoom: number): void {
  const byDetail = Map.groupBy(roads, ({ detail }) => detail);
  for (const { casing, details, fill: color, from, widths } of ROADS) {
    if (zoom < from) continue;
    const found = [...details].flatMap(detail => byDetail.get(detail) ?? []);
    const width = widthAt(widths, zoom);
    if (casing !== null) stroke(document, found, casing, width + 0.9);
    stroke(document, found, color, width);
  }
}

function widthAt([at9, at12, at15]: RoadLook['widths'], zoom: number): number {
  const share = (from: number): number => Math.max(0, Math.min(1, (zoom - from) / 3));
  return zoom < 12 ? at9 + (at12 - at9) * share(9) : at12 + (at15 - at12) * share(12);
}

const pick = (features: readonly BaseFeature[], kind: string) => features.filter(feature => feature.kind === kind);

function fill(document: PDFKit.PDFDocument, features: readonly BaseFeature[], color: string): void {
  for (const { isPolygon, lines } of features) {
    if (!isPolygon) continue;
    for (const line of lines) tracePath(document, line, true);
    document.fill(color, 'even-odd');
  }
}

function stroke(document: PDFKit.PDFDocument, features: readonly BaseFeature[], color: string, width: number): void {
  const lines = features.filter(({ isPolygon }) => !isPolygon).flatMap(feature => feature.lines);
  if (lines.length === 0) return;
  for (const line of lines) tracePath(document, line, false);
  document.lineWidth(width).lineCap('round').lineJoin('round').stroke(color);
}

export function tracePath(document: PDFKit.PDFDocument, [first, ...others]: readonly At[], isClosed: boolean): void {
  if (!first) return;
  document.moveTo(...first);
  for (const at of others) document.lineTo(...at);
  if (isClosed) document.closePath();
}

/** Room on the map that is taken. */
export class Taken {
  readonly #box: Box;
  readonly #boxes: Box[] = [];
  constructor(box: Box) {
    this.#box = box;
  }
  /** False if it would lie over something, or leave the map. */
  take(wanted: Box): boolean {
    const { height, left, top, width } = wanted;
    const outer = this.#box;
    if (left < outer.left || top < outer.top) return false;
    if (left + width > outer.left + outer.width || top + height > outer.top + outer.height) return false;
    const isFree = this.#boxes.every(
      other =>
        left >= other.left + other.width ||
        other.left >= left + width ||
        top >= other.top + other.height ||
        other.top >= top + height,
    );
    if (isFree) this.#boxes.push(wanted);
    return isFree;
  }
}

/** Names of places, the larger first, where there is room. */
export function drawPlaces(document: PDFKit.PDFDocument, view: View, { towns, world }: BaseMap, taken: Taken): void {
  const { zoom } = view;
  const known = new Set<string>();
  const places = [...(world.get('places') ?? []), ...(towns.get('places') ?? [])]
    .filter(({ minZoom, name }) => name !== '' && minZoom <= zoom + 1)
    .toSorted((a, b) => b.rank - a.rank || (a.name < b.name ? -1 : 1));
  for (const { kind, lines, name, rank } of places) {
    const at = lines[0]?.[0];
    if (!at || known.has(name)) continue;
    const isArea = kind === 'region' || kind === 'country';
    if (isArea && zoom > 8) continue;
    const size = isArea ? 7 : rank >= 10 ? 9 : rank >= 7 ? 7.5 : 6.5;
    const text = isArea ? name.toUpperCase() : name;
    if (
      drawLabel(document, text, at, { size, color: INK.label, taken, font: rank >= 10 && !isArea ? 'bold' : 'text' })
    ) {
      known.add(name);
    }
  }
}

interface LabelLook {
  readonly size: number;
  readonly color: string;
  readonly font: 'text' | 'bold';
  readonly taken: Taken;
}

/** A text with a halo, centered on a place. */
export function drawLabel(document: PDFKit.PDFDocument, text: string, [x, y]: At, look: LabelLook): boolean {
  document.font(look.font).fontSize(look.size);
  const width = document.widthOfString(text);
  const box = { left: x - width / 2 - 1, top: y - look.size / 2 - 1, width: width + 2, height: look.size + 2 };
  if (!look.taken.take(box)) return false;
  const options = { lineBreak: false } as const;
  document.lineWidth(1.8).lineJoin('round').strokeColor(INK.halo);
  document.text(text, box.left + 1, box.top + 1, { ...options, stroke: true, fill: false });
  document.fillColor(look.color).text(text, box.left + 1, box.top + 1, options);
  return true;
}
