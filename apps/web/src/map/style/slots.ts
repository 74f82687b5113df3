import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';

/**
 * Invisible layers that mark where our layers go in any base style: trails under the place names so they don't cover
 * them, vehicles on top of everything.
 */
export const SLOTS = { trails: 'slot-trails', vehicles: 'slot-vehicles' } as const;

const slot = (id: string): LayerSpecification => ({ id, type: 'background', layout: { visibility: 'none' } });

export function withSlots(style: StyleSpecification): StyleSpecification {
  const layers = style.layers.filter(({ id }) => id !== SLOTS.trails && id !== SLOTS.vehicles);
  const firstLabel = layers.findIndex(({ type }) => type === 'symbol');
  const at = firstLabel === -1 ? layers.length : firstLabel;
  return {
    ...style,
    layers: [...layers.slice(0, at), slot(SLOTS.trails), ...layers.slice(at), slot(SLOTS.vehicles)],
  };
}
