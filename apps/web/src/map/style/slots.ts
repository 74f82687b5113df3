import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';

/**
 * Invisible layers that mark where our layers go in any base style: the ground that replaces a missing base map on top of
 * it, trails over that and under the place names so they don't cover them, vehicles on top of everything.
 */
export const SLOTS = { ground: 'slot-ground', trails: 'slot-trails', vehicles: 'slot-vehicles' } as const;
const IDS: ReadonlySet<string> = new Set(Object.values(SLOTS));

const slot = (id: string): LayerSpecification => ({ id, type: 'background', layout: { visibility: 'none' } });

export function withSlots(style: StyleSpecification): StyleSpecification {
  const layers = style.layers.filter(({ id }) => !IDS.has(id));
  const firstLabel = layers.findIndex(({ type }) => type === 'symbol');
  const at = firstLabel === -1 ? layers.length : firstLabel;
  return {
    ...style,
    layers: [...layers.slice(0, at), slot(SLOTS.ground), slot(SLOTS.trails), ...layers.slice(at), slot(SLOTS.vehicles)],
  };
}
