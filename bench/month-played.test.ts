import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../apps/server/testing/http-server.ts';
import { compareLogs } from './month/compare.ts';
import { play, stage } from './month/played.ts';
import { makeStory } from './month/story.ts';
import { truthOf } from './month/truth.ts';

/**
 * The stories of `month.test.ts` in one process and on a clock that the test sets: a seed is a story that happens the
 * same way each time, so that many can be tried, and one that goes wrong can be looked at.
 */
let server: TestHttpServer;
let on: Awaited<ReturnType<typeof stage>>;
beforeAll(async () => {
  server = await startHttpServer();
  on = await stage(server);
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => server.close());

async function prove(seed: number, drivers: number, days: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-02T06:00:00Z') });
  const story = makeStory(seed, drivers, days);
  const played = await play(on, seed, story, ms => vi.setSystemTime(ms));
  const { findings, segments } = await compareLogs(server.context.db, played, truthOf(story));
  if (process.env.MONTH_SAYS) console.log(JSON.stringify({ seed, findings, refused: played.refused }, null, 1));
  expect(segments).toBeGreaterThan(drivers * days);
  return findings.length === 0 ? [] : [{ seed, findings }];
}

const SEED = Number(process.env.MONTH_SEED ?? 1);
const SEEDS = Number(process.env.MONTH_SEEDS ?? 20);
const DAYS = Number(process.env.MONTH_DAYS ?? 4);
const DRIVERS = Number(process.env.MONTH_DRIVERS ?? 6);

it('[R2.14] any order in which trackers and phones send leaves the logs that the story says', {
  timeout: 240_000,
}, async () => {
  expect(await prove(SEED, 6, 2)).toEqual([]);
});

it(`[R2.14] ${SEEDS} stories of ${DRIVERS} drivers and ${DAYS} days likewise`, {
  tags: 'long',
  timeout: 4 * 3_600_000,
}, async () => {
  const wrong: unknown[] = [];
  for (let seed = SEED; seed < SEED + SEEDS; seed++) wrong.push(...(await prove(seed, DRIVERS, DAYS)));
  expect(wrong).toEqual([]);
});
