import { expect, it } from 'vitest';
import { PositionStore } from '../../../live/position-store.ts';
import { movingState, NO_DATA, vehicle } from '../../../live/testing/fleet.ts';
import { fleetTree } from '../list/fleet-tree.ts';
import { wallStops } from './wall-stops.ts';

const NOW = Date.parse('2026-11-19T19:02:11Z');
const [A, B, C] = ['356307042441013', '356307042441021', '356307042441039'] as const;
const store = new PositionStore(() => NOW);
store.applyVehicles([
  vehicle(A, { folderId: '1', live: movingState(NOW) }),
  vehicle(B, { live: movingState(NOW) }),
  vehicle(C, { folderId: '1', live: NO_DATA }),
]);
const entries = [...store.entries.values()];
const tree = fleetTree(entries, [{ id: '1', name: 'North', parentId: null }], 'No folder');

it('the wall goes through the selected vehicles that can be shown', () => {
  expect(wallStops([store.get(C), store.get(B), undefined, store.get(A)], tree)).toEqual([
    { kind: 'vehicle', imei: B },
    { kind: 'vehicle', imei: A },
  ]);
});

it('… without them through the folders, and without folders it shows the fleet', () => {
  expect(wallStops([store.get(C)], tree)).toMatchObject([
    { name: 'North', imeis: [A, C] },
    { name: 'No folder', imeis: [B] },
  ]);
  expect(wallStops([], fleetTree(entries, [], ''))).toEqual([
    { kind: 'area', id: 'fleet', name: null, imeis: [A, B, C] },
  ]);
});
