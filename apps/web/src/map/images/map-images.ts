import type { Map as MapLibreMap } from 'maplibre-gl';
import { SHAPES, type ShapeName } from '../../ui/status-shapes.ts';
import { SHIELD_IMAGE } from '../style/labels.ts';
import { clusterImage, type Ring } from './cluster-image.ts';
import type { DrawnImage, Ink } from './ink.ts';
import { markerImage } from './marker-image.ts';
import { plateImage, shieldImage } from './plate-image.ts';

export const PLATE_IMAGE = 'plate';
export const CURRENT_PLATE_IMAGE = 'plate-current';

export const markerImageId = (shape: ShapeName): string => `marker:${shape}`;
export const clusterImageId = ({ radius, parts }: Ring): string => `cluster:${radius}:${parts.join(',')}`;

/** Draws the image with this ID. Returns null for an ID that isn't ours. */
export function drawImage(id: string, ink: Ink): DrawnImage | null {
  if (id === PLATE_IMAGE) return plateImage(false, ink);
  if (id === CURRENT_PLATE_IMAGE) return plateImage(true, ink);
  if (id === SHIELD_IMAGE) return shieldImage(ink);
  const [kind, first = '', second = ''] = id.split(':');
  if (kind === 'marker' && first in SHAPES) return markerImage(first as ShapeName, ink);
  if (kind === 'cluster') return clusterImage({ radius: Number(first), parts: second.split(',').map(Number) }, ink);
  return null;
}

/** Draws each image when the map first needs it, in the current colors. A new style requests the images again. */
export function provideImages(map: MapLibreMap, ink: Ink): void {
  map.setMissingStyleImageResolver(id => {
    const image = drawImage(id, ink);
    if (!image || map.hasImage(id)) return;
    const { data, ...options } = image;
    map.addImage(id, data, options);
  });
}
