import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GLIDE_MS, Glide, shortTurn } from './glide.ts';
import { type Box, type MapVehicle, mapNodes } from './nodes.ts';

const WORLD: Box = [-180, -90, 180, 90];

const vehicle = (id: string, lat: number, lon: number, rest: Partial<MapVehicle> = {}): MapVehicle => ({
  id,
  lat,
  lon,
  shape: 'moving',
  status: 'moving',
  course: 90,
  label: id,
  age: null,
  ...rest,
});

describe('mapNodes', () => {
  const yard = [
    vehicle('a', 41.88, -87.63),
    vehicle('b', 41.8801, -87.6301, { status: 'stopped', shape: 'stopped' }),
    vehicle('c', 41.95, -87.7),
  ];

  it('gathers vehicles that would cover one another, with the counts in the fixed order', () => {
    const nodes = mapNodes(yard, 10, WORLD, null);
    expect(nodes.map(({ kind }) => kind)).toEqual(['cluster', 'vehicle']);
    const [cluster] = nodes;
    expect(cluster?.kind === 'cluster' && cluster.counts).toEqual([1, 0, 1, 0, 0, 0, 0, 0]);
  });

  it('never hides the current vehicle in a cluster', () => {
    const nodes = mapNodes(yard, 5, WORLD, 'b');
    expect(nodes.map(({ id }) => id)).toEqual(['b', 'cluster-a']);
  });

  it('shows each vehicle separately at full zoom', () => {
    expect(mapNodes(yard, 17, WORLD, null).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('does not turn a shape that has no direction', () => {
    const [node] = mapNodes([vehicle('b', 1, 1, { shape: 'stopped', status: 'stopped' })], 17, WORLD, null);
    expect(node?.kind === 'vehicle' && node.turn).toBe(0);
  });

  it('counts every vehicle once at any zoom, whatever is current', () => {
    const fleet = fc.uniqueArray(fc.tuple(fc.integer(), fc.double({ min: -80, max: 80, noNaN: true })), {
      maxLength: 60,
      selector: ([id]) => id,
    });
    fc.assert(
      fc.property(fleet, fc.double({ min: 0, max: 18, noNaN: true }), (list, zoom) => {
        const vehicles = list.map(([id, at]) => vehicle(String(id), at, at));
        const nodes = mapNodes(vehicles, zoom, WORLD, vehicles[0]?.id ?? null);
        const shown = nodes.flatMap(node => (node.kind === 'cluster' ? node.members.map(({ id }) => id) : [node.id]));
        expect(shown.sort()).toEqual(vehicles.map(({ id }) => id).sort());
      }),
    );
  });
});

describe('Glide', () => {
  const from = { lat: 41, lon: -87, turn: 350 };
  const to = { lat: 41.001, lon: -87.002, turn: 10 };

  it('is half way after half the time and at its goal at the end, turning the short way', () => {
    const glide = new Glide();
    expect(glide.start('a', from, to, 50, 0)).toBe(true);
    const half = glide.advance(GLIDE_MS / 2).get('a');
    expect(half?.lat).toBeCloseTo(41.0005);
    expect(half?.turn).toBeCloseTo(360);
    expect(glide.poseOf('a')).toEqual(half);
    expect(glide.advance(GLIDE_MS).get('a')).toEqual(to);
    expect(glide.isIdle).toBe(true);
  });

  it('jumps where the way is too long to have been watched, or too short to be seen', () => {
    const glide = new Glide();
    expect(glide.start('a', from, { ...to, lat: 43 }, 5000, 0)).toBe(false);
    expect(glide.start('a', from, { ...to, turn: 351 }, 0.5, 0)).toBe(false);
    expect(glide.isIdle).toBe(true);
  });

  it('draws no more poses than the eye tells apart', () => {
    const glide = new Glide();
    glide.start('a', from, { ...to, turn: from.turn }, 3, 0);
    let drawn = 0;
    for (let ms = 0; ms <= GLIDE_MS; ms += 16) drawn += glide.advance(ms).size;
    expect(drawn + glide.advance(GLIDE_MS).size).toBe(4);
  });

  it('turns by at most half a circle and ends at the right heading', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 0, max: 359 }), (a, b) => {
        const turn = shortTurn(a, b);
        expect(Math.abs(turn)).toBeLessThanOrEqual(180);
        expect((((a + turn) % 360) + 360) % 360).toBe(b);
      }),
    );
  });
});
