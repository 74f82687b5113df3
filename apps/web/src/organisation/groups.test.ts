import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ALL_GROUPS,
  allNodes,
  checkOfGroup,
  findNode,
  type Group,
  groupTree,
  mayContain,
  membersIn,
  NO_GROUP,
  pathOf,
} from './groups.ts';

const group = (id: string, name: string, parentId: string | null, ...members: string[]): Group => ({
  id,
  name,
  parentId,
  members,
});

const FOLDERS = [
  group('4', 'Reefers', '2', 'r1', 'r2'),
  group('3', 'Depot 10', null),
  group('2', 'Depot 9', null, 'a'),
  group('5', 'Spare', '4', 's'),
];

describe('the tree of folders', () => {
  const tree = groupTree(FOLDERS);

  it('is sorted as people read names, and counts what is inside', () => {
    expect(tree.map(({ name }) => name)).toEqual(['Depot 9', 'Depot 10']);
    expect(tree[0]?.members).toEqual(['a', 'r1', 'r2', 's']);
    expect(pathOf(tree, '5')).toEqual(['Depot 9', 'Reefers', 'Spare']);
    expect(pathOf(tree, '99')).toEqual([]);
  });

  it('shows at the top what lies in a folder that is not to be seen', () => {
    expect(groupTree([group('4', 'Reefers', '2')]).map(({ id }) => id)).toEqual(['4']);
  });

  it('lets a folder go anywhere but into itself and what is inside it', () => {
    const depot = findNode(tree, '2');
    expect(depot && ['2', '4', '5', '3'].map(into => mayContain(depot, into))).toEqual([false, false, false, true]);
  });

  it('holds every folder at most once, whatever the parents say, and every one that hangs on the top', () => {
    const id = fc.integer({ min: 1, max: 9 }).map(String);
    const folders = fc.uniqueArray(fc.record({ id, name: fc.string(), parentId: fc.option(id) }), {
      selector: ({ id: of }) => of,
    });
    fc.assert(
      fc.property(folders, list => {
        const ids = [...allNodes(groupTree(list.map(one => ({ ...one, members: [] }))))].map(node => node.id);
        expect(new Set(ids).size).toBe(ids.length);
        const tops = list.filter(({ parentId }) => parentId === null);
        for (const top of tops) expect(ids).toContain(top.id);
      }),
    );
  });
});

describe('what is shown of a group that is looked into', () => {
  const groups = { nodes: groupTree(FOLDERS), loose: ['x'] };
  it.each([
    ['2', ['a', 'r1', 'r2', 's']],
    [NO_GROUP, ['x']],
    [ALL_GROUPS, null],
    ['of a group that is gone', null],
  ])('%s: %j', (id, members) => {
    expect(membersIn(groups, id)).toEqual(members && new Set(members));
  });

  it.each(['2', NO_GROUP, ALL_GROUPS])('is everything while the groups were not read: %s', id => {
    expect(membersIn({ nodes: null, loose: ['x', 'y'] }, id)).toBeNull();
  });
});

describe('[R3.04] a folder’s check', () => {
  const [depot] = groupTree(FOLDERS);
  it.each([
    [[], 'off'],
    [['a', 'r1', 'r2', 's'], 'on'],
    [['r1'], 'mixed'],
    [['elsewhere'], 'off'],
  ] as const)('with %j chosen is %s', (chosen, check) => {
    expect(depot && checkOfGroup(depot, new Set(chosen))).toBe(check);
  });
});
