import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PositionStore } from '../../../live/position-store.ts';
import { movingState, NO_DATA, vehicle } from '../../../live/testing/fleet.ts';
import { checkOfNode, type FleetNode, fleetTree, folderIds, membersOf } from './fleet-tree.ts';

const NOW = Date.parse('2026-11-19T19:02:11Z');
const FOLDERS = [
  { id: '1', name: 'North', parentId: null },
  { id: '2', name: 'Reefers', parentId: '1' },
  { id: '3', name: 'Empty', parentId: null },
];
const imeiOf = (n: number): string => String(356_307_000_000_000 + n);

/** One vehicle for each folder id. */
function entriesIn(folderIdsOfVehicles: readonly (string | null)[]) {
  const store = new PositionStore(() => NOW);
  store.applyVehicles(
    folderIdsOfVehicles.map((folderId, n) =>
      vehicle(imeiOf(n), { folderId, live: n % 2 === 0 ? movingState(NOW - 4000) : NO_DATA }),
    ),
  );
  return [...store.entries.values()];
}

const leaves = (nodes: readonly FleetNode[]): string[] =>
  nodes.flatMap(node => (node.kind === 'vehicle' ? [node.id] : leaves(node.children)));

it('[R3.04] gathers vehicles in their folders, with how many are in which status, those without one at the end', () => {
  const tree = fleetTree(entriesIn(['1', '2', null, 'of others']), FOLDERS, 'No folder');
  expect(tree.map(({ name }) => name)).toEqual(['North', 'No folder']);
  const [north, none] = tree;
  expect(north).toMatchObject({ members: [imeiOf(0), imeiOf(1)], counts: { moving: 1, 'no-data': 1, stopped: 0 } });
  expect(north?.children.map(({ id }) => id)).toEqual(['2', imeiOf(0)]);
  expect(none).toMatchObject({ id: 'none', members: [imeiOf(2), imeiOf(3)] });
  expect(folderIds(tree)).toEqual(['1', '2', 'none']);
});

it('is a plain list where no folder is used', () => {
  expect(fleetTree(entriesIn([null, null]), FOLDERS, 'No folder').map(({ kind }) => kind)).toEqual([
    'vehicle',
    'vehicle',
  ]);
});

it('[R3.04] shows every vehicle once, and a folder is checked as its vehicles are', () => {
  const folders = fc.array(fc.constantFrom('1', '2', '3', null), { maxLength: 12 });
  fc.assert(
    fc.property(folders, fc.func(fc.boolean()), (ids, isSelected) => {
      const entries = entriesIn(ids);
      const tree = fleetTree(entries, FOLDERS, 'No folder');
      expect(leaves(tree).toSorted()).toEqual(entries.map(({ vehicle: { imei } }) => imei).toSorted());
      const selected = new Set(entries.map(({ vehicle: { imei } }) => imei).filter(isSelected));
      for (const node of tree) {
        const members = membersOf(node);
        expect([...members].toSorted()).toEqual(leaves([node]).toSorted());
        const on = members.filter(imei => selected.has(imei)).length;
        expect(checkOfNode(node, selected)).toBe(on === 0 ? 'off' : on === members.length ? 'on' : 'mixed');
      }
    }),
  );
});
