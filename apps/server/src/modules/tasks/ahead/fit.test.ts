import type { TaskFit } from '@milepost/contract';
import { expect, it } from 'vitest';
import { byFit } from './fit.ts';

it('[N3] the list begins with who can make it and makes nothing else late', () => {
  const one = (name: string, fits: boolean | null, arriveAt: string | null, late = 0): TaskFit =>
    ({
      ...{ driver: { id: name, name }, fits, arriveAt },
      makesLate: Array.from({ length: late }, () => ({ taskId: '1', title: null, lateS: 60 })),
    }) as unknown as TaskFit;
  const sorted = [
    one('Unknown', null, null),
    one('Too late', false, '2026-11-27T12:00:00Z'),
    one('Late elsewhere', true, '2026-11-27T12:00:00Z', 1),
    one('Later', true, '2026-11-27T14:00:00Z'),
    one('Zoe', true, '2026-11-27T13:00:00Z'),
    one('Ann', true, '2026-11-27T13:00:00Z'),
  ].toSorted(byFit);
  expect(sorted.map(({ driver }) => driver.name)).toEqual([
    ...['Ann', 'Zoe', 'Later'],
    ...['Late elsewhere', 'Too late', 'Unknown'],
  ]);
});
