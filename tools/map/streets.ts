import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { encodeStreets, type Street } from '@milepost/geo';
import { degrees } from '@milepost/units';
import { readStreetGraph } from './graph.ts';

/**
 * Creates `data/map/streets-chicago.json.gz`, which the server uses to name streets: `node tools/map/streets.ts`. Edges
 * with the same name that meet end to end become one line.
 */
const { nodes, edges, names } = readStreetGraph();

const edgesOfName = new Map<number, [number, number][]>();
for (const [from, to, , , name] of edges) {
  if (names[name] === '') continue;
  const list = edgesOfName.get(name) ?? [];
  list.push([from, to]);
  edgesOfName.set(name, list);
}

function* streets(): Generator<Street> {
  for (const [name, pieces] of edgesOfName) {
    const next = new Map<number, number[]>();
    for (const [index, [from]] of pieces.entries()) next.set(from, [...(next.get(from) ?? []), index]);
    const used = new Set<number>();
    const arrivals = new Set(pieces.map(([, to]) => to));
    // Lines begin where no edge of that name arrives; what is left are loops, which begin anywhere.
    const starts = [...pieces.keys()].sort(
      (a, b) => Number(arrivals.has(pieces[a]?.[0] ?? -1)) - Number(arrivals.has(pieces[b]?.[0] ?? -1)),
    );
    for (const start of starts) {
      if (used.has(start)) continue;
      const line: number[] = [];
      for (let at: number | undefined = start; at !== undefined; ) {
        used.add(at);
        const [from, to]: [number, number] = pieces[at] ?? [0, 0];
        if (line.length === 0) line.push(from);
        line.push(to);
        at = next.get(to)?.find(index => !used.has(index));
      }
      yield {
        name: names[name] ?? '',
        points: line.map(node => ({ lon: degrees(nodes[node]?.[0] ?? 0), lat: degrees(nodes[node]?.[1] ?? 0) })),
      };
    }
  }
}

const file = gzipSync(JSON.stringify(encodeStreets(streets())), { level: 9 });
writeFileSync(new URL('../../data/map/streets-chicago.json.gz', import.meta.url), file);
console.log(`streets-chicago.json.gz: ${file.length} bytes`);
