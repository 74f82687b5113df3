import { Registry } from 'prom-client';
import { afterAll, expect, it } from 'vitest';
import { createWorkers, WORKER_LIMITS } from './workers.ts';

const workers = createWorkers(new Registry());
afterAll(() => workers.stop());

/** Many days of driving with short stops, which take the engine a while. */
function longLog(days: number) {
  const start = Date.UTC(2026, 0, 1);
  const QUARTER = 900_000;
  const segments = Array.from({ length: days * 96 }, (_, i) => ({
    status: ['D', 'ON', 'OFF', 'SB'][i % 4],
    start: start + i * QUARTER,
    end: start + (i + 1) * QUARTER,
  }));
  return { ruleset: 'US_PROPERTY_70_8', timezone: 'America/Chicago', segments, asOf: start + days * 96 * QUARTER };
}

it('run heavy work while this thread continues', async () => {
  await workers.run(1, 'evaluateHours', longLog(1));
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns++;
    if (!isDone) setTimeout(turn, 1);
  };
  turn();
  const answers = await Promise.all(Array.from({ length: 8 }, () => workers.run(1, 'evaluateHours', longLog(52))));
  isDone = true;
  expect(answers.every(answer => answer.ok)).toBe(true);
  // On this thread, each task would have taken a single turn.
  expect(turns).toBeGreaterThan(answers.length * 4);
});

it('refuse one account’s tasks beyond its share, and nobody else’s', async () => {
  const room = WORKER_LIMITS.running + WORKER_LIMITS.waiting;
  const run = (accountId: number) => workers.run(accountId, 'evaluateHours', longLog(1));
  const asked = Array.from({ length: room + 10 }, () => run(1));
  const other = run(2);
  const ends = await Promise.allSettled(asked);
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  expect(ends.at(-1)).toMatchObject({ reason: { code: 'too-many-requests', retryAfterS: 1 } });
  expect((await other).ok).toBe(true);
  // The queue has room again.
  expect((await run(1)).ok).toBe(true);
});

it('report invalid values as the engine does, and survive any value', async () => {
  for (const value of [null, undefined, 7, 'x', [], { segments: 'x' }, { segments: [{}] }]) {
    expect((await workers.run(1, 'evaluateHours', value)).ok).toBe(false);
  }
});
