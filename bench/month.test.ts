import { type ShownSegment, shownSegments, verifyText } from '@milepost/eld';
import { evaluate, readDutyLog, ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { expect, it } from 'vitest';
import { exportLog, readLog } from '../apps/server/src/modules/logbook/export.ts';
import { makeScratchFolder, removeScratchFolder } from '../apps/server/testing/scratch.ts';
import { bruteForce } from '../packages/hos/src/testing/brute-force.ts';
import { BRUTE_LIMITS } from '../packages/hos/src/testing/brute-limits.ts';
import { toMinutes } from '../packages/hos/src/testing/minutes.ts';
import type { DoomedServer } from './crash/doomed-server.ts';
import { ruleSetOf, withDatabase } from './month/fleet.ts';
import { type Lived, live, type Pace } from './month/live.ts';
import { makeStory } from './month/story.ts';
import { type Stretch, truthOf } from './month/truth.ts';

/**
 * A month of drivers on a real server: trackers over Teltonika, phones over HTTP, reports and entries that come hours or
 * days late, in any order and twice, wrong clocks, and kill -9 of the server, its database, or both. Each log must be
 * what a simple count of what happened says, to the second, and its violations those of the brute-force evaluator.
 */
const MINUTE = 60_000;

const clockOf = (ms: number): string => new Date(ms).toISOString().slice(5, 19).replace('T', ' ');

/** One line for each change, so that a difference can be read. */
const linesOf = (stretches: readonly Stretch[], beginMs: number): string[] =>
  stretches.map(({ at, status }) => `${clockOf(beginMs + at * 1000)} ${status}`);
/** A log begins off duty, whether a record says so or not. */
const shownLines = (segments: readonly ShownSegment[]): string[] =>
  segments.slice(segments[0]?.status === 'OFF' ? 1 : 0).map(({ start, status }) => `${clockOf(start)} ${status}`);

function judged(segments: readonly ShownSegment[], driver: number) {
  const inMinutes = segments
    .map(({ end, start, status }) => ({
      status,
      start: Math.round(start / MINUTE) * MINUTE,
      end: Math.round(end / MINUTE) * MINUTE,
    }))
    .filter(({ end, start }) => end > start);
  const read = readDutyLog({ timezone: 'America/Chicago', homeTerminalStartOfDay: '00:00', segments: inMinutes });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const now = epochMs(inMinutes.at(-1)?.end ?? 0);
  const first = inMinutes[0]?.start ?? 0;
  const id = ruleSetOf(driver);
  const engine = evaluate(read.value, ruleSets[id], now).violations.map(({ over, rule, start }) => ({
    rule,
    start: (start - first) / MINUTE,
    over: over / MINUTE,
  }));
  return { engine, brute: bruteForce(toMinutes(read.value, now), BRUTE_LIMITS[id]).violations };
}

async function prove(seed: number, drivers: number, days: number, pace: Pace) {
  const folder = makeScratchFolder();
  const story = makeStory(seed, drivers, days);
  const truth = truthOf(story);
  const counts = { violations: 0, segments: 0, unidentified: 0 };
  const findings: unknown[] = [];
  const compare = (who: string, found: readonly unknown[], wanted: readonly unknown[]): void => {
    const lines = [found, wanted].map(list => list.map(one => (typeof one === 'string' ? one : JSON.stringify(one))));
    const [ours = [], theirs = []] = lines;
    const wrong = ours.filter(line => !theirs.includes(line)).map(line => `- ${line}`);
    const missing = theirs.filter(line => !ours.includes(line)).map(line => `+ ${line}`);
    const differences = [...wrong, ...missing].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1));
    if (differences.length > 0) findings.push({ who, differences });
  };
  const check = (server: DoomedServer, { beginMs, endMs, fleet }: Lived) =>
    withDatabase(server, async db => {
      for (const [driver, { id }] of fleet.drivers.entries()) {
        const name = `driver:${id}`;
        const [log, file] = await db.asAccount(fleet.accountId, async trx => [
          await readLog(trx, name),
          await exportLog(trx, name, endMs),
        ]);
        const segments = shownSegments(log.records(), endMs);
        counts.segments += segments.length;
        compare(`driver ${driver}`, shownLines(segments), linesOf(truth.drivers[driver] ?? [], beginMs));
        compare(`driver ${driver}, chain`, [file === null || verifyText(file).ok], [true]);
        if (segments.length === 0) continue;
        const { brute, engine } = judged(segments, driver);
        counts.violations += engine.length;
        compare(`driver ${driver}, violations`, engine, brute);
      }
      for (const [vehicle, { id }] of fleet.vehicles.entries()) {
        const log = await db.asAccount(fleet.accountId, trx => readLog(trx, `unidentified:${id}`));
        const segments = shownSegments(log.records(), endMs);
        counts.unidentified += segments.filter(({ status }) => status === 'D').length;
        const drives = (lines: readonly string[]) =>
          lines
            .map(line => line.replace(/ (OFF|SB|ON)$/, ' -'))
            .filter((line, i, all) => !(line.endsWith(' -') && (all[i - 1] ?? ' -').endsWith(' -')));
        const wanted = linesOf(truth.vehicles[vehicle] ?? [], beginMs);
        // Nobody has a duty status: all that this log says is whether it was driven.
        compare(`vehicle ${vehicle}`, drives(shownLines(segments)), drives(wanted));
      }
    });
  try {
    const lived = await live(folder, seed, story, pace, check);
    // How much it was, and what phones were told at first because a tracker's reports came later.
    if (process.env.MONTH_SAYS)
      console.log({ seed, drivers, days, ...counts, ...lived, fleet: 0, refused: lived.refused.length });
    expect(findings).toEqual([]);
    return { ...counts, kills: lived.kills };
  } finally {
    removeScratchFolder(folder);
  }
}

/** `MONTH_DRIVERS=200 MONTH_DAYS=31 MONTH_SEED=7` for another or a larger month. */
const SEED = Number(process.env.MONTH_SEED ?? 1);
const MONTHS_DRIVERS = Number(process.env.MONTH_DRIVERS ?? 12);
const MONTHS_DAYS = Number(process.env.MONTH_DAYS ?? 31);

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
    const found = await prove(SEED, MONTHS_DRIVERS, MONTHS_DAYS, { factor: 6000, killEverySeconds: 30 });
    expect(found.kills).toBeGreaterThan(3);
    expect(found.violations).toBeGreaterThan(0);
    expect(found.unidentified).toBeGreaterThan(0);
  },
);
