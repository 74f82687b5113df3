import { type ShownSegment, shownSegments, verifyText } from '@milepost/eld';
import { evaluate, readDutyLog, ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import type { Databases } from '../../apps/server/src/db/database.ts';
import { exportLog, readLog } from '../../apps/server/src/modules/logbook/export.ts';
import { bruteForce } from '../../packages/hos/src/testing/brute-force.ts';
import { BRUTE_LIMITS } from '../../packages/hos/src/testing/brute-limits.ts';
import { toMinutes } from '../../packages/hos/src/testing/minutes.ts';
import { type MonthFleet, ruleSetOf } from './fleet.ts';
import type { Stretch, truthOf } from './truth.ts';

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

export interface Compared {
  /** Where a log differs from the story, or its violations from those of the brute force. */
  readonly findings: readonly { readonly who: string; readonly differences: readonly string[] }[];
  readonly violations: number;
  readonly segments: number;
  readonly unidentified: number;
  /** Drivers whose violations were judged a second time. */
  readonly judged: number;
}

/** Compares every log of a fleet with what happened, and every driver's violations with those of the brute force. */
export async function compareLogs(
  db: Databases,
  { beginMs, endMs, fleet }: { readonly fleet: MonthFleet; readonly beginMs: number; readonly endMs: number },
  truth: ReturnType<typeof truthOf>,
): Promise<Compared> {
  const counts = { violations: 0, segments: 0, unidentified: 0, judged: 0 };
  const findings: { readonly who: string; readonly differences: readonly string[] }[] = [];
  const compare = (who: string, found: readonly unknown[], wanted: readonly unknown[]): void => {
    const lines = [found, wanted].map(list => list.map(one => (typeof one === 'string' ? one : JSON.stringify(one))));
    const [ours = [], theirs = []] = lines;
    const wrong = ours.filter(line => !theirs.includes(line)).map(line => `- ${line}`);
    const missing = theirs.filter(line => !ours.includes(line)).map(line => `+ ${line}`);
    const differences = [...wrong, ...missing].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1));
    if (differences.length > 0) findings.push({ who, differences });
  };
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
    counts.judged++;
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
  return { ...counts, findings };
}
