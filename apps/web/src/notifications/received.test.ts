import { expect, it } from 'vitest';
import { receivedIn } from './received.ts';

const digestAt = '2026-06-11T12:00:00.000Z';

it('[N11] says what came today, what waits for the digest, and all of the week', () => {
  const days = [
    { day: '2026-06-10', alerts: 20, beyond: 7, digestAt },
    { day: '2026-06-09', alerts: 20, beyond: 3, digestAt: null },
  ];
  expect(receivedIn(days, '2026-06-10')).toEqual({ alerts: 20, beyond: 7, digestAt, week: 50 });
});

it('[N11] says that nothing came on a day without alerts, while yesterday’s still wait', () => {
  const days = [{ day: '2026-06-09', alerts: 20, beyond: 3, digestAt }];
  expect(receivedIn(days, '2026-06-10')).toEqual({ alerts: 0, beyond: 3, digestAt, week: 23 });
  expect(receivedIn([], '2026-06-10')).toEqual({ alerts: 0, beyond: 0, digestAt: null, week: 0 });
});
