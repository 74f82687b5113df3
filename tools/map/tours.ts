import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';
import createGraph from 'ngraph.graph';
import { aStar } from 'ngraph.path';
import { between, randomFrom } from '../../apps/simulator/src/drive/random.ts';
import { encodeTours, type Leg, type Tour } from '../../apps/simulator/src/drive/tour-file.ts';
import { readStreetGraph } from './graph.ts';

/**
 * Creates `data/demo/tours.json.gz`, the tours of the demo fleet: `node tools/map/tours.ts`. City rounds are found by
 * travel time on the street graph, long hauls follow the schematic interstates. The same input gives the same file.
 */
const CITY_TOURS = 102;
const STOPS_A_TOUR = 6;
/** Minimum straight-line distance from stop to stop, in meters. */
const NEAREST = 4000;
const FARTHEST = 12_000;
const FASTEST_KMH = 90;
/** Streets slower than this are alleys and yards, unsuitable for stops. */
const STREET_KMH = 30;
/** One for each tractor, distributed over the interstates in turn. */
const LONG_HAULS = 18;
const IN_TOWN = 10_000;
const RAMP_KMH = 40;
const HAULS = ['I-55', 'I-65', 'I-80', 'I-90', 'I-94'];
const HAUL_KMH = 104;
/** Distances from the city to the turning point, and to each stop on the way, in meters. */
const HAUL_LENGTH = 350_000;
const HAUL_LEG = 115_000;

const between2 = (a: readonly [number, number], b: readonly [number, number]): number =>
  distanceMetres({ lon: degrees(a[0]), lat: degrees(a[1]) }, { lon: degrees(b[0]), lat: degrees(b[1]) });

const { nodes, edges } = readStreetGraph();
const place = (node: number): readonly [number, number] => nodes[node] ?? [0, 0];

interface Street {
  readonly metres: number;
  readonly kmh: number;
}
const graph = createGraph<readonly [number, number], Street>();
const streetOf = new Map<string, Street>();
const roadsAt = new Uint8Array(nodes.length);
const addStreet = (from: number, to: number, street: Street) => {
  graph.addLink(from, to, street);
  streetOf.set(`${from},${to}`, street);
};
for (const [index, node] of nodes.entries()) graph.addNode(index, node);
const addresses = new Set<number>();
for (const [from, to, metres, kmh, , oneway] of edges) {
  addStreet(from, to, { metres, kmh });
  if (!oneway) addStreet(to, from, { metres, kmh });
  roadsAt[from] = (roadsAt[from] ?? 0) + 1;
  roadsAt[to] = (roadsAt[to] ?? 0) + 1;
  if (kmh >= STREET_KMH && kmh < 60) addresses.add(from);
}
const stops = [...addresses];
const seconds = (metres: number, kmh: number): number => metres / (kmh / 3.6);
const finder = aStar(graph, {
  oriented: true,
  distance: (_from, _to, link) => seconds(link.data.metres, link.data.kmh),
  heuristic: (from, to) => seconds(between2(place(Number(from.id)), place(Number(to.id))), FASTEST_KMH),
});

function legBetween(from: number, to: number): Leg | null {
  const way = finder
    .find(from, to)
    .map(node => Number(node.id))
    .reverse();
  if (way.length < 10) return null;
  const limits = way.slice(1).map((node, index) => streetOf.get(`${way[index]},${node}`)?.kmh ?? STREET_KMH);
  // A place where four or more streets meet, none of them a fast road, has a light or a sign.
  const crossings = way.flatMap((node, index) =>
    (roadsAt[node] ?? 0) >= 4 && (limits[index] ?? 99) < 60 && index > 0 ? [index] : [],
  );
  return { points: way.map(place), limits, crossings: new Set(crossings) };
}

function cityTour(number: number, depot: number): Tour | null {
  const random = randomFrom('tour', number);
  const tour: Leg[] = [];
  let at = depot;
  for (let tries = 0; tour.length < STOPS_A_TOUR && tries < 400; tries++) {
    const to = stops[Math.floor(random() * stops.length)] ?? depot;
    const distance = between2(place(at), place(to));
    if (distance < NEAREST || distance > FARTHEST) continue;
    const leg = legBetween(at, to);
    if (!leg) continue;
    tour.push(leg);
    at = to;
  }
  const home = legBetween(at, depot);
  return home && tour.length === STOPS_A_TOUR ? [...tour, home] : null;
}

/** Yards: a handful of places where rounds begin, three rounds in a row from each vehicle's yard. */
const yards = Array.from({ length: CITY_TOURS / 3 }, (_, vehicle) => {
  const random = randomFrom('yard', vehicle % 5);
  const centre = stops[Math.floor(random() * stops.length)] ?? 0;
  const near = stops.filter(stop => between2(place(stop), place(centre)) < 500);
  return near[Math.floor(between(randomFrom('bay', vehicle), 0, near.length))] ?? centre;
});

const cityRounds: Tour[] = [];
for (let number = 0, seed = 0; number < CITY_TOURS; seed++) {
  const tour = cityTour(seed, yards[Math.floor(number / 3)] ?? 0);
  if (!tour) continue;
  cityRounds.push(tour);
  number++;
}

const CHICAGO: readonly [number, number] = [-87.63, 41.88];
/** Where the long-haul trucks are parked: near the junction at which the interstates begin. */
const TERMINAL: readonly [number, number] = [-87.668, 41.835];
type Line = readonly (readonly [number, number])[];
interface Interstates {
  readonly features: readonly {
    readonly properties: { readonly name: string };
    readonly geometry: { readonly coordinates: Line };
  }[];
}
const interstates = JSON.parse(
  readFileSync(new URL('../../data/map/interstates.json', import.meta.url), 'utf8'),
) as Interstates;

const nearestTo = (point: readonly [number, number], among: readonly number[]): number =>
  among.reduce((best, node) => (between2(place(node), point) < between2(place(best), point) ? node : best));

/** Both directions out of the city along each interstate that begins on its streets or passes through. */
function waysOut(): Line[] {
  const ways = HAULS.flatMap(name => {
    const line = interstates.features.find(({ properties }) => properties.name === name)?.geometry.coordinates ?? [];
    const distances = line.map(point => between2(point, CHICAGO));
    const nearest = distances.indexOf(Math.min(...distances));
    return [line.slice(nearest), line.slice(0, nearest + 1).reverse()];
  }).filter(way => way.length > 1);
  const fromTown = ways.filter(([start]) => start && between2(start, CHICAGO) < IN_TOWN);
  const branches = ways
    .filter(way => !fromTown.includes(way))
    .flatMap(way => {
      const [start] = way;
      for (const other of fromTown) {
        const junction = other.findIndex(point => start && between2(point, start) < 100);
        if (junction > 0) return [[...other.slice(0, junction), ...way]];
      }
      return [];
    });
  return [...fromTown, ...branches].filter(way => lengthOf(way) > HAUL_LENGTH);
}

const lengthOf = (line: Line): number =>
  line.slice(1).reduce((sum, point, index) => sum + between2(line[index] ?? point, point), 0);

/** From a bay of the terminal through the streets to the junction, along the interstate, and back the same way. */
function haulAlong(way: Line, bay: number): Tour | null {
  const ramp = nearestTo(way[0] ?? CHICAGO, stops);
  const [toRamp, toBay] = [legBetween(bay, ramp), legBetween(ramp, bay)];
  if (!toRamp || !toBay) return null;
  const out: Leg[] = [];
  let points: (readonly [number, number])[] = [];
  let [legLength, total] = [0, 0];
  for (const point of way) {
    const before = points.at(-1);
    if (before) {
      const step = between2(before, point);
      legLength += step;
      total += step;
    }
    points.push(point);
    if (legLength > HAUL_LEG || total > HAUL_LENGTH) {
      out.push(haulLeg(points));
      points = [point];
      legLength = 0;
    }
    if (total > HAUL_LENGTH) break;
  }
  const back = [...out].reverse().map(leg => haulLeg([...leg.points].reverse()));
  const [first, last] = [out[0], back.at(-1)];
  if (!first || !last) return null;
  return [joined(toRamp, first), ...out.slice(1), ...back.slice(0, -1), joined(last, toBay)];
}

function joined(one: Leg, other: Leg): Leg {
  return {
    points: [...one.points, ...other.points],
    limits: [...one.limits, RAMP_KMH, ...other.limits],
    crossings: new Set([...one.crossings, ...[...other.crossings].map(crossing => crossing + one.points.length)]),
  };
}

function haulLeg(points: readonly (readonly [number, number])[]): Leg {
  return { points, limits: points.slice(1).map(() => HAUL_KMH), crossings: new Set() };
}

const ways = waysOut();
const bays = stops.filter(stop => between2(place(stop), place(nearestTo(TERMINAL, stops))) < 400);
const longHauls = Array.from({ length: LONG_HAULS }, (_, number) => {
  const bay = bays[Math.floor(randomFrom('terminal', number)() * bays.length)] ?? 0;
  const tour = haulAlong(ways[number % ways.length] ?? [], bay);
  if (!tour) throw new Error(`No way from the terminal to interstate ${number % ways.length}`);
  return tour;
});
const file = gzipSync(JSON.stringify(encodeTours({ cityRounds, longHauls })), { level: 9 });
writeFileSync(new URL('../../data/demo/tours.json.gz', import.meta.url), file);
console.log(`tours.json.gz: ${cityRounds.length} city rounds, ${longHauls.length} long hauls, ${file.length} bytes`);
