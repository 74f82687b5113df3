import type { Inputs } from '../inputs.ts';
import type { LayerName, MapFeature } from '../layers.ts';
import { latitudeAt, longitudeAt } from '../mercator.ts';
import { realWorldTiles, SHAPES, type SourceFeature, type SourceTile, type Tags } from '../mvt-fixtures.ts';
import { placeFeature, type RoadClass, type Translation, text } from './translation.ts';

/**
 * Chicago from tiles of zoom 13 in the Mapbox Streets v7 schema
 * (https://docs.mapbox.com/data/tilesets/reference/mapbox-streets-v7/): classes, not OpenStreetMap's tags.
 */
const ROADS: Readonly<Record<string, RoadClass>> = {
  motorway: { kind: 'highway', detail: 'motorway', fromZoom: 9 },
  motorway_link: { kind: 'highway', detail: 'motorway_link', fromZoom: 11, link: true },
  trunk: { kind: 'major_road', detail: 'trunk', fromZoom: 9 },
  link: { kind: 'major_road', detail: 'primary_link', fromZoom: 12, link: true },
  primary: { kind: 'major_road', detail: 'primary', fromZoom: 10 },
  secondary: { kind: 'major_road', detail: 'secondary', fromZoom: 10 },
  tertiary: { kind: 'major_road', detail: 'tertiary', fromZoom: 11 },
  street: { kind: 'minor_road', detail: 'residential', fromZoom: 12 },
  street_limited: { kind: 'minor_road', detail: 'unclassified', fromZoom: 12 },
  service: { kind: 'minor_road', detail: 'service', fromZoom: 13 },
  pedestrian: { kind: 'path', detail: 'pedestrian', fromZoom: 13 },
  path: { kind: 'path', detail: 'path', fromZoom: 13 },
  track: { kind: 'other', detail: 'track', fromZoom: 13 },
  major_rail: { kind: 'rail', detail: 'rail', fromZoom: 11 },
  minor_rail: { kind: 'rail', detail: 'subway', fromZoom: 12 },
  ferry: { kind: 'ferry', detail: 'ferry', fromZoom: 11 },
};

/** Land use class → kind. Those that shape a city are drawn from zoom 10, the rest from 12. */
const LAND: Readonly<Record<string, string>> = {
  park: 'park',
  pitch: 'pitch',
  grass: 'grass',
  school: 'school',
  wood: 'wood',
  hospital: 'hospital',
  sand: 'sand',
  cemetery: 'cemetery',
  scrub: 'scrub',
  industrial: 'industrial',
  agriculture: 'farmland',
};
const LARGE_LAND = ['park', 'wood', 'cemetery'];

const TRANSLATORS: Readonly<Record<string, (tags: Tags, feature: SourceFeature) => Translation | null>> = {
  water: () => ({ layer: 'water', properties: { kind: 'lake' }, fromZoom: 9 }),
  waterway: ({ class: of }) => ({
    layer: 'water',
    properties: { kind: of === 'stream' ? 'stream' : 'river' },
    fromZoom: 10,
  }),
  landuse(tags) {
    const kind = LAND[`${tags.class}`];
    if (!kind) return null;
    return {
      layer: 'landuse',
      properties: { kind: tags.type === 'playground' ? 'playground' : kind },
      fromZoom: LARGE_LAND.includes(`${tags.class}`) ? 10 : 12,
    };
  },
  aeroway: ({ type }, feature) =>
    feature.type === SHAPES.polygon
      ? { layer: 'landuse', properties: { kind: type === 'apron' ? 'aerodrome' : type }, fromZoom: 11 }
      : { layer: 'roads', properties: { kind: 'aeroway', kind_detail: type }, fromZoom: 11 },
  building: ({ height }) => ({
    layer: 'buildings',
    properties: { kind: 'building', height: Number(height) || 6 },
    fromZoom: 13,
  }),
  road(tags, feature) {
    const road = ROADS[`${tags.class}`];
    if (!road || feature.type !== SHAPES.line) return null;
    return {
      layer: 'roads',
      properties: {
        kind: road.kind,
        kind_detail: text(tags.type)?.startsWith('service') ? 'service' : road.detail,
        min_zoom: road.fromZoom,
        is_link: road.link,
        is_bridge: tags.structure === 'bridge' || undefined,
        is_tunnel: tags.structure === 'tunnel' || undefined,
        oneway: `${tags.oneway}` === 'true' ? 'yes' : undefined,
      },
      fromZoom: road.fromZoom,
    };
  },
  // In this schema names have their own lines, one along several roads, and only these have the shields.
  road_label(tags, feature) {
    const road = ROADS[`${tags.class}`];
    if (!road || feature.type !== SHAPES.line) return null;
    return {
      layer: 'roads',
      properties: {
        kind: road.kind,
        kind_detail: road.detail,
        min_zoom: road.fromZoom,
        name: tags.name,
        'name:en': tags.name,
        shield_text: tags.ref ? `${tags.ref}`.split('·')[0] : undefined,
        network: tags.ref ? networkOf(`${tags.shield}`) : undefined,
      },
      fromZoom: Math.max(road.fromZoom, 11),
    };
  },
  place_label({ type, name, name_en }) {
    if (type === 'neighbourhood' || type === 'suburb') {
      return {
        layer: 'places',
        properties: { kind: 'neighbourhood', name, 'name:en': name_en, min_zoom: 13, population_rank: 2 },
        fromZoom: type === 'neighbourhood' ? 13 : 10,
      };
    }
    const city = name === 'Chicago';
    return {
      layer: 'places',
      properties: {
        kind: 'locality',
        name,
        'name:en': name_en,
        min_zoom: city ? 3 : 10,
        population_rank: city ? 12 : 6,
      },
      fromZoom: 10,
    };
  },
  poi_label({ name, name_en, maki, scalerank }) {
    if (!name) return null;
    const kind = maki === 'marker' ? 'attraction' : maki;
    return {
      layer: 'pois',
      properties: { kind, name, 'name:en': name_en, min_zoom: Number(scalerank) > 2 ? 14 : 13 },
      fromZoom: 13,
    };
  },
  rail_station_label: ({ name, name_en }) =>
    name
      ? { layer: 'pois', properties: { kind: 'train_station', name, 'name:en': name_en, min_zoom: 14 }, fromZoom: 14 }
      : null,
};

/** Point labels are in every tile whose margin they reach; the one in the tile that contains the point is used. */
const POINT_LABELS = ['place_label', 'poi_label', 'rail_station_label'];

const networkOf = (shield: string): string =>
  shield.includes('interstate') ? 'US:I' : shield.includes('us-highway') ? 'US:US' : 'US:IL';

function standsInTile(label: SourceFeature): boolean {
  const point = label.loadGeometry()[0]?.[0];
  return !!point && point.x >= 0 && point.y >= 0 && point.x < label.extent && point.y < label.extent;
}

export function* chicago(inputs: Inputs): Generator<readonly [LayerName, MapFeature]> {
  const tiles = realWorldTiles(inputs, 'chicago');
  for (const tile of tiles) {
    for (const layer of tile.layers) {
      const translate = TRANSLATORS[layer];
      if (!translate) continue;
      for (const feature of tile.features(layer)) {
        if (POINT_LABELS.includes(layer) && !standsInTile(feature)) continue;
        const translation = translate(feature.properties, feature);
        if (translation) yield [translation.layer, placeFeature(feature, tile, translation)];
      }
    }
  }
  yield ['earth', groundOf(tiles)];
}

/** The tiles have water but no land, so the ground is their outline, with the water drawn over it. */
function groundOf(tiles: readonly SourceTile[]): MapFeature {
  const west = longitudeAt(Math.min(...tiles.map(({ x, zoom }) => x / 2 ** zoom)));
  const east = longitudeAt(Math.max(...tiles.map(({ x, zoom }) => (x + 1) / 2 ** zoom)));
  const north = latitudeAt(Math.min(...tiles.map(({ y, zoom }) => y / 2 ** zoom)));
  const south = latitudeAt(Math.max(...tiles.map(({ y, zoom }) => (y + 1) / 2 ** zoom)));
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ] as const;
  return { geometry: { type: 'Polygon', coordinates: [ring] }, properties: { kind: 'earth' }, fromZoom: 9 };
}
