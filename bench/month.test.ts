import { expect, it } from 'vitest';
import { makeScratchFolder, removeScratchFolder } from '../apps/server/testing/scratch.ts';
import { aroundFindings } from './month/around.ts';
import { type Compared, compareLogs } from './month/compare.ts';
import { withDatabase } from './month/fleet.ts';
import { live, type Pace } from './month/live.ts';
import { makeStory } from './month/story.ts';
import { truthOf } from './month/truth.ts';

/**
 * A month of drivers on a real server: trackers over Teltonika, phones over HTTP, reports and entries that come hours or
 * days late, in any order and twice, wrong clocks, and kill -9 of the server, its database, or both. Each log must be
 * what a simple count of what happened says, to the second, and its violations those of the brute-force evaluator.
 */
async function prove(seed: number, drivers: number, days: number, pace: Pace) {
  const folder = makeScratchFolder();
  const story = makeStory(seed, drivers, days);
  let compared: Compared | null = null;
  let isKept = process.env.MONTH_KEEP === '1';
  try {
    const { fleet: _, ...lived } = await live(folder, seed, story, pace, async (server, over) => {
      await withDatabase(server, async db => {
        compared = await compareLogs(db, over, truthOf(story));
        const around = process.env.MONTH_SAYS ? await aroundFindings(db, over, compared.findings) : [];
        if (around.length > 0) console.log(around.join('\n'));
      });
    });
    const found = compared as Compared | null;
    // How much it was, and what phones were told at first because a tracker's reports came later.
    if (process.env.MONTH_SAYS) {
      const { findings, ...counts } = found ?? { findings: [] };
      console.log({ seed, drivers, days, ...counts, ...lived, refused: lived.refused.length, wrong: findings.length });
    }
    expect(found?.findings).toEqual([]);
    // A driver whose first shift is cut off by the end of the story has no log to judge.
    expect(found?.judged).toBe(truthOf(story).drivers.filter(log => log.length > 0).length);
    isKept = false;
    return { ...(found as Compared), kills: lived.kills };
  } finally {
    // To look at what went wrong: the database starts on its `postgres` folder.
    if (isKept) console.log(`The data is in ${folder}`);
    else removeScratchFolder(folder);
  }
}

/** `MONTH_DRIVERS=200 MONTH_DAYS=31 MONTH_SEED=7 MONTH_FACTOR=1500` for another month, a larger or a slower one. */
const SEED = Number(process.env.MONTH_SEED ?? 1);
const MONTHS_DRIVERS = Number(process.env.MONTH_DRIVERS ?? 12);
const MONTHS_DAYS = Number(process.env.MONTH_DAYS ?? 31);
const FACTOR = Number(process.env.MONTH_FACTOR ?? 6000);

it.skipIf(process.platform !== 'linux')(
  '[R2.14] days of drivers on a server that is killed leave the logs that their story says',
  { timeout: 120_000 },
  async () => {
    const found = await prove(SEED, 6, 2, { factor: 20_000, killEverySeconds: 4 });
    expect(found.kills).toBeGreaterThan(0);
    expect(found.segments).toBeGreaterThan(40);
  },
);

it.skipIf(process.platform !== 'linux')(
  `[R2.14] ${MONTHS_DAYS} days of ${MONTHS_DRIVERS} drivers likewise`,
  { timeout: 4 * 3_600_000, tags: 'long' },
  async () => {
    const found = await prove(SEED, MONTHS_DRIVERS, MONTHS_DAYS, { factor: FACTOR, killEverySeconds: 15 });
    expect(found.kills).toBeGreaterThan(0);
    expect(found.violations).toBeGreaterThan(0);
    expect(found.unidentified).toBeGreaterThan(0);
  },
);
