import { writeFileSync } from 'node:fs';
import { type GeoNamesPlace, geoNamesPlaces } from './geonames.ts';
import { openInputs, outputFile } from './inputs.ts';
import { metresBetween, splineThrough } from './interstates/spline.ts';
import { TOWNS_ALONG } from './interstates/towns.ts';
import type { Position } from './layers.ts';

/**
 * Creates `data/map/interstates.json`, the long interstates as smooth lines from town to town. Schematic: between towns
 * a line may be off by several kilometers. `node tools/map/interstates.ts INPUTS`. The same input gives the same file.
 */
const largest = new Map<string, GeoNamesPlace>();
for (const place of geoNamesPlaces(openInputs())) {
  if (place.country !== 'US') continue;
  const key = `${place.name}, ${place.adminCode}`.toLowerCase();
  const known = largest.get(key);
  if (!known || known.population < place.population) largest.set(key, place);
}

function townsOf(lines: string): Position[] {
  return [...lines.matchAll(/(?<state>[A-Z]{2}): (?<names>[^:]+?)(?=\s*(?:[A-Z]{2}:|$))/g)].flatMap(({ groups }) =>
    (groups?.names ?? '').split(',').map(name => {
      const town = `${name.trim()}, ${groups?.state}`;
      const place = largest.get(town.toLowerCase());
      if (!place) throw new Error(`GeoNames has no ${town}`);
      return place.loc.coordinates;
    }),
  );
}

let towns = 0;
let metres = 0;
const features = Object.entries(TOWNS_ALONG).map(([number, lines]) => {
  const along = townsOf(lines);
  const coordinates = splineThrough(along);
  towns += along.length;
  for (const [index, to] of coordinates.entries()) metres += metresBetween(coordinates[index - 1] ?? to, to);
  return {
    type: 'Feature',
    properties: {
      kind: 'highway',
      kind_detail: 'motorway',
      network: 'US:I',
      shield_text: number,
      name: `I-${number}`,
    },
    geometry: { type: 'LineString', coordinates },
  };
});
const file = JSON.stringify({ type: 'FeatureCollection', features });
writeFileSync(outputFile('interstates.json'), file);
console.log(`${features.length} interstates through ${towns} towns, ${Math.round(metres / 1000)} km`);
console.log(`interstates.json: ${file.length} bytes`);
