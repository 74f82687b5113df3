/** The content of the base map before it is cut into tiles: GeoJSON features in the layers of the Protomaps schema. */

export type Position = readonly [longitude: number, latitude: number];

export type Geometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'MultiPoint' | 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'MultiLineString' | 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly Position[])[])[] };

/** Attributes as the style reads them: `kind`, `kind_detail`, `name`, … Undefined and null values are left out. */
export type Properties = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface MapFeature {
  readonly geometry: Geometry;
  readonly properties: Properties;
  /** The first zoom whose tiles contain it. */
  readonly fromZoom: number;
}

export type LayerName = 'earth' | 'landuse' | 'water' | 'roads' | 'boundaries' | 'buildings' | 'places' | 'pois';

/** In the order of the layers in a tile. */
export type Layers = ReadonlyMap<LayerName, readonly MapFeature[]>;

/** TileJSON's list of layers; for the fields, see the schema's documentation. */
export const vectorLayers = (layers: Layers, minzoom: number, maxzoom: number): readonly object[] =>
  [...layers.keys()].map(id => ({ id, minzoom, maxzoom, fields: {} }));
