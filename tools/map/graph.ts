import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** The street graph of the demo city: `[lon, lat]` nodes and `[from, to, metres, km/h, name, oneway]` edges. */
export interface StreetGraph {
  readonly nodes: readonly (readonly [number, number])[];
  readonly edges: readonly (readonly [number, number, number, number, number, 0 | 1])[];
  readonly names: readonly string[];
}

export function readStreetGraph(): StreetGraph {
  const file = new URL('../../data/map/graph-chicago.json.gz', import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as StreetGraph;
}
