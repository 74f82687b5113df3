import { expect, it } from 'vitest';
import { compareValues } from './columns.ts';

it('sorts names as people read them and figures by size', () => {
  expect(['Truck 10', 'truck 9', 'Émile', 'Eve', 'Zoe'].sort(compareValues)).toEqual([
    'Émile',
    'Eve',
    'truck 9',
    'Truck 10',
    'Zoe',
  ]);
  expect([100, 9, -1].sort(compareValues)).toEqual([-1, 9, 100]);
});
