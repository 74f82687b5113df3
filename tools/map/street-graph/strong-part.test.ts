import fc from 'fast-check';
import { expect, it } from 'vitest';
import { strongPart } from './strong-part.ts';

const kept = (nodes: number, edges: readonly (readonly [number, number, boolean])[]): number[] =>
  [...strongPart(nodes, edges)].flatMap((inside, node) => (inside ? [node] : []));

it('leaves out streets that cannot be left or cannot be reached', () => {
  // 0 → 1 → 2 → 0 is a loop, 3 a one-way street out of it, 4 a one-way street into it, 5 a two-way dead end.
  const edges = [
    [0, 1, true],
    [1, 2, true],
    [2, 0, true],
    [2, 3, true],
    [4, 0, true],
    [1, 5, false],
  ] as const;
  expect(kept(6, edges)).toEqual([0, 1, 2, 5]);
});

it('keeps the larger of two parts that are not connected', () => {
  const edges = [
    [0, 1, false],
    [2, 3, false],
    [3, 4, false],
  ] as const;
  expect(kept(5, edges)).toEqual([2, 3, 4]);
});

it('keeps only nodes that can reach each other, whatever the graph', () => {
  const node = fc.integer({ min: 0, max: 11 });
  fc.assert(
    fc.property(fc.array(fc.tuple(node, node, fc.boolean()), { maxLength: 40 }), edges => {
      const part = kept(12, edges);
      const reachable = (start: number): Set<number> => {
        const reached = new Set([start]);
        for (let grown = -1; grown < reached.size; ) {
          grown = reached.size;
          for (const [from, to, oneway] of edges) {
            if (reached.has(from)) reached.add(to);
            if (!oneway && reached.has(to)) reached.add(from);
          }
        }
        return reached;
      };
      expect(part.length).toBeGreaterThan(0);
      for (const from of part) for (const to of part) expect(reachable(from).has(to)).toBe(true);
    }),
  );
});
