import type { Feature } from 'geojson';
import type { Box } from '../scene/nodes.ts';

/** Possible distances between lines in degrees, from coarse to fine. */
const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
/** At least this many lines cross the width of the view. */
const LINES = 4;
const POLES = 85;

const degrees = (value: number, positive: string, negative: string, step: number): string => {
  const digits = step >= 1 ? 0 : Math.ceil(-Math.log10(step));
  return `${Math.abs(value).toFixed(digits)}° ${value >= 0 ? positive : negative}`;
};

/** Labeled lines of latitude and longitude through a box. */
export function graticule([west, south, east, north]: Box): Feature[] {
  const step = STEPS.find(one => (east - west) / one >= LINES) ?? 0.001;
  const lines: Feature[] = [];
  const line = (id: string, label: string, coordinates: [number, number][]): void => {
    lines.push({ type: 'Feature', id, properties: { label }, geometry: { type: 'LineString', coordinates } });
  };
  for (let i = Math.ceil(west / step); i * step <= east; i++) {
    const lon = i * step;
    // A longitude past 180° continues at −180°.
    const named = ((((lon + 180) % 360) + 360) % 360) - 180;
    line(`lon ${i}`, degrees(named, 'E', 'W', step), [
      [lon, Math.max(south, -POLES)],
      [lon, Math.min(north, POLES)],
    ]);
  }
  for (let i = Math.ceil(Math.max(south, -POLES) / step); i * step <= Math.min(north, POLES); i++) {
    line(`lat ${i}`, degrees(i * step, 'N', 'S', step), [
      [west, i * step],
      [east, i * step],
    ]);
  }
  return lines;
}
