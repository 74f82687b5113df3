import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';
import type { StreetGraph } from './graph.ts';
import { openInputs, outputFile } from './inputs.ts';
import { rebuildJunctions } from './street-graph/junctions.ts';
import { nameFinder } from './street-graph/names.ts';
import { numberNodes } from './street-graph/nodes.ts';
import { segmentsOf } from './street-graph/segments.ts';
import { strongPart } from './street-graph/strong-part.ts';
import { readWays } from './street-graph/ways.ts';

/**
 * Creates `data/map/graph-chicago.json.gz`, the streets of Chicago as a graph in which every place can be reached from
 * every other: `node tools/map/street-graph.ts INPUTS`. The same input gives the same graph.
 */
const inputs = openInputs();
const { ways: drawn, names: nameLines } = readWays(inputs);
const { ways, cuts } = rebuildJunctions(inputs, drawn);
const nameOf = nameFinder(inputs, nameLines);

const { numberOf, coordinates } = numberNodes(ways.flatMap(({ places }) => places));
const names = new Map([['', 0]]);
const streets: { from: number; to: number; kmh: number; name: number; oneway: boolean }[] = [];
for (const { places, kmh, oneway } of ways) {
  for (const [start, end] of segmentsOf(places)) {
    const [from, to] = [numberOf(start), numberOf(end)];
    if (from === to) continue;
    const text = nameOf(start, end);
    const name = names.get(text) ?? names.size;
    names.set(text, name);
    streets.push({ from, to, kmh, name, oneway });
  }
}

const metresBetween = (from: number, to: number): number => {
  const [a = [0, 0], b = [0, 0]] = [coordinates[from], coordinates[to]];
  return distanceMetres({ lon: degrees(a[0]), lat: degrees(a[1]) }, { lon: degrees(b[0]), lat: degrees(b[1]) });
};

const kept = strongPart(
  coordinates.length,
  streets.map(({ from, to, oneway }) => [from, to, oneway]),
);
/** The number of each kept node in the file. */
const numbers = new Map<number, number>();
for (const node of coordinates.keys()) if (kept[node]) numbers.set(node, numbers.size);

const edges = streets.flatMap((street): StreetGraph['edges'] => {
  const [from, to] = [numbers.get(street.from), numbers.get(street.to)];
  if (from === undefined || to === undefined) return [];
  const metres = Math.round(metresBetween(street.from, street.to) * 10) / 10;
  return [[from, to, metres, street.kmh, street.name, street.oneway ? 1 : 0]];
});
const graph: StreetGraph = {
  nodes: [...numbers.keys()].map(node => {
    const [lon, lat] = coordinates[node] ?? [0, 0];
    return [Number(lon.toFixed(6)), Number(lat.toFixed(6))];
  }),
  edges,
  names: [...names.keys()],
};
const file = gzipSync(JSON.stringify(graph), { level: 9 });
writeFileSync(outputFile('graph-chicago.json.gz'), file);
const km = Math.round(edges.reduce((sum, [, , metres]) => sum + metres, 0) / 1000);
console.log(`${ways.length} ways, cut ${cuts} times at junctions; ${coordinates.length} nodes`);
console.log(`kept: ${graph.nodes.length} nodes, ${edges.length} edges, ${km} km, ${graph.names.length - 1} names`);
console.log(`graph-chicago.json.gz: ${file.length} bytes`);
