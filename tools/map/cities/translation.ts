import type { LayerName, MapFeature, Properties } from '../layers.ts';
import type { SourceFeature, SourceTile, Tags } from '../mvt-fixtures.ts';

/** How a feature of a source is represented in the Protomaps schema. */
export interface Translation {
  readonly layer: LayerName;
  readonly properties: Properties;
  readonly fromZoom: number;
}

/** A source's road class → the schema's `kind` and `kind_detail`, and the first zoom that shows it. */
export interface RoadClass {
  readonly kind: string;
  readonly detail: string;
  readonly fromZoom: number;
  readonly link?: true;
}

export const text = (tag: Tags[string]): string | undefined => (tag === undefined ? undefined : String(tag));

export function placeFeature(feature: SourceFeature, tile: SourceTile, translation: Translation): MapFeature {
  const { geometry } = feature.toGeoJSON(tile.x, tile.y, tile.zoom);
  return { geometry, properties: translation.properties, fromZoom: translation.fromZoom };
}
