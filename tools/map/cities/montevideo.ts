import type { Inputs } from '../inputs.ts';
import type { LayerName, MapFeature } from '../layers.ts';
import { realWorldTiles, SHAPES, type Tags } from '../mvt-fixtures.ts';
import { placeFeature, type RoadClass, type Translation, text } from './translation.ts';

/** Montevideo from "OSM QA" tiles of zoom 12: every feature with OpenStreetMap's own tags (https://wiki.openstreetmap.org/wiki/Map_features). */
const road = (kind: string, detail: string, fromZoom: number): RoadClass => ({ kind, detail, fromZoom });
const link = (kind: string, detail: string, fromZoom: number): RoadClass => ({ kind, detail, fromZoom, link: true });

const ROADS: Readonly<Record<string, RoadClass>> = Object.fromEntries(
  [
    road('highway', 'motorway', 9),
    link('highway', 'motorway_link', 11),
    road('major_road', 'trunk', 9),
    link('major_road', 'trunk_link', 11),
    road('major_road', 'primary', 9),
    link('major_road', 'primary_link', 12),
    road('major_road', 'secondary', 10),
    link('major_road', 'secondary_link', 12),
    road('major_road', 'tertiary', 11),
    link('major_road', 'tertiary_link', 12),
    road('minor_road', 'residential', 12),
    road('minor_road', 'unclassified', 12),
    road('minor_road', 'living_street', 12),
    road('minor_road', 'road', 12),
    road('minor_road', 'service', 13),
    road('path', 'pedestrian', 13),
    road('path', 'footway', 14),
    road('path', 'path', 14),
    road('path', 'cycleway', 14),
    road('path', 'steps', 14),
    road('other', 'track', 13),
  ].map(of => [of.detail, of]),
);

/** Tag → value → kind, in order of precedence. */
const LAND: readonly (readonly [tag: string, kinds: Readonly<Record<string, string>>])[] = [
  ['natural', { beach: 'beach', wood: 'wood', scrub: 'scrub', sand: 'sand', wetland: 'wetland' }],
  [
    'leisure',
    {
      park: 'park',
      pitch: 'pitch',
      garden: 'park',
      golf_course: 'golf_course',
      playground: 'playground',
      stadium: 'pitch',
      nature_reserve: 'nature_reserve',
    },
  ],
  [
    'landuse',
    {
      grass: 'grass',
      forest: 'forest',
      cemetery: 'cemetery',
      industrial: 'industrial',
      meadow: 'grassland',
      village_green: 'village_green',
      recreation_ground: 'park',
      military: 'military',
    },
  ],
  ['amenity', { hospital: 'hospital', school: 'school', university: 'university', college: 'college' }],
  ['aeroway', { aerodrome: 'aerodrome' }],
];
const LARGE_LAND = ['park', 'forest', 'wood', 'cemetery', 'aerodrome', 'beach', 'nature_reserve'];

/** Places that drivers look for, and landmarks. */
const POIS = /hospital|university|fuel|school|museum|hotel|supermarket|bank|police|fire_station|theatre/;

const is = (tag: Tags[string]): true | undefined => (tag && tag !== 'no' ? true : undefined);

function translateLine(tags: Tags): Translation | null {
  const road = ROADS[`${tags.highway}`];
  if (road) {
    const bridge = is(tags.bridge);
    return {
      layer: 'roads',
      properties: {
        kind: road.kind,
        kind_detail: road.detail,
        min_zoom: road.fromZoom,
        name: tags.name || undefined,
        shield_text: text(tags.ref)?.split(';')[0],
        network: tags.ref ? 'other' : undefined,
        is_link: road.link,
        is_bridge: bridge,
        is_tunnel: bridge ? undefined : is(tags.tunnel),
        oneway: tags.oneway === 'yes' ? 'yes' : undefined,
      },
      fromZoom: road.fromZoom,
    };
  }
  if (/rail|tram/.test(text(tags.railway) ?? '')) {
    return { layer: 'roads', properties: { kind: 'rail', kind_detail: tags.railway }, fromZoom: 11 };
  }
  if (!tags.waterway) return null;
  const kind = /river|canal/.test(`${tags.waterway}`) ? 'river' : 'stream';
  return {
    layer: 'water',
    properties: { kind, name: tags.name || undefined },
    fromZoom: tags.waterway === 'river' ? 10 : 13,
  };
}

function translatePolygon(tags: Tags): Translation | null {
  if (tags.building) return { layer: 'buildings', properties: { kind: 'building' }, fromZoom: 13 };
  const name = tags.name || undefined;
  if (tags.natural === 'water' || tags.waterway === 'riverbank') {
    return { layer: 'water', properties: { kind: 'water', name }, fromZoom: 10 };
  }
  for (const [tag, kinds] of LAND) {
    const kind = kinds[`${tags[tag]}`];
    if (kind) return { layer: 'landuse', properties: { kind, name }, fromZoom: LARGE_LAND.includes(kind) ? 10 : 12 };
  }
  return null;
}

function translatePoint(tags: Tags): Translation | null {
  const { name, place } = tags;
  if (!name) return null;
  if (place) {
    const neighbourhood = /suburb|neighbourhood|quarter/.test(`${place}`);
    const city = place === 'city';
    return {
      layer: 'places',
      properties: {
        kind: neighbourhood ? 'neighbourhood' : 'locality',
        name,
        min_zoom: neighbourhood ? 12 : city ? 4 : 10,
        population_rank: city ? 12 : 4,
      },
      fromZoom: neighbourhood ? 12 : 10,
    };
  }
  const kind = tags.amenity || tags.shop || tags.tourism;
  if (!kind || !POIS.test(`${kind}`)) return null;
  return { layer: 'pois', properties: { kind, name, min_zoom: 14 }, fromZoom: 14 };
}

const TRANSLATORS = {
  [SHAPES.point]: translatePoint,
  [SHAPES.line]: translateLine,
  [SHAPES.polygon]: translatePolygon,
} as const;

export function* montevideo(inputs: Inputs): Generator<readonly [LayerName, MapFeature]> {
  for (const tile of realWorldTiles(inputs, 'osm-qa-montevideo')) {
    for (const layer of tile.layers) {
      for (const feature of tile.features(layer)) {
        const translation = feature.type === 0 ? null : TRANSLATORS[feature.type](feature.properties);
        if (translation) yield [translation.layer, placeFeature(feature, tile, translation)];
      }
    }
  }
}
