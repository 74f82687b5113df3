import { advanceRecorder, newRecorder, type RecorderInput } from '@milepost/eld';
import { evaluate, readDutyLog, ruleSets } from '@milepost/hos';
import { epochMs, metresPerSecond } from '@milepost/units';
import { expect, it } from 'vitest';
import { pressedDuring } from '../apps/server/src/modules/demo/duty.ts';
import { DEMO_FLEET } from '../apps/server/src/modules/demo/fleet.ts';
import { habitsOf, isDemoTruck } from '../apps/server/src/modules/demo/logs.ts';
import { DEMO_SPARES } from '../apps/server/src/modules/demo/people.ts';
import type { FixRow } from '../apps/server/src/tracks/fixes.ts';
import { readTours } from '../apps/simulator/src/drive/tour-file.ts';
import { characters } from '../apps/simulator/src/fleet/character.ts';
import { withDueBreak } from '../apps/simulator/src/fleet/due-break.ts';
import { createReporter } from '../apps/simulator/src/fleet/reports.ts';

/** The logs that result from what the demo's drivers press and what their trucks do, without a server. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PACE = { driving: 60, idling: 60, parked: 600 };
const STATUS = ['OFF', 'SB', 'D', 'ON'] as const;
const tours = readTours();

interface Segment {
  readonly status: string;
  readonly start: number;
  readonly end: number;
}

/** The log that the recorder makes for a truck's driver, and the drives while nobody was signed in. */
function logOf(fixes: readonly FixRow[], vehicleId: number, nth: number, now: number) {
  const inputs = pressedDuring(fixes, habitsOf(vehicleId, nth, now), now);
  const beginMs = inputs[0]?.atMs ?? now;
  const items = [
    ...fixes
      .filter(({ fix_at }) => fix_at.getTime() >= beginMs)
      .map(fix => ({ at: fix.fix_at.getTime(), fix, input: null })),
    ...inputs.map(input => ({ at: input.atMs, fix: null, input })),
  ].sort((a, b) => a.at - b.at);
  let state = newRecorder(epochMs(beginMs));
  const changes: { readonly status: string; readonly at: number }[] = [];
  let unidentified = 0;
  let refused = 0;
  const advance = (input: RecorderInput): void => {
    const step = advanceRecorder(state, input);
    state = step.state;
    if (step.refusal !== null) refused++;
    for (const { at, code, driver, type } of step.marks) {
      if (type !== 1) continue;
      if (driver !== null) changes.push({ status: STATUS[code - 1] ?? 'OFF', at });
      else if (code === 3) unidentified++;
    }
  };
  for (const { at: ms, fix, input } of items) {
    const at = epochMs(ms);
    if (fix) advance({ kind: 'sample', at, speed: metresPerSecond(fix.speed ?? 0), engineOn: fix.ignition ?? false });
    else if (input?.terms) {
      advance({ kind: 'sign-in', at, driver: 'driver', ...input.terms });
    } else if (input?.action.kind === 'sign-out') advance({ kind: 'sign-out', at });
    else if (input?.action.kind === 'status')
      advance({ kind: 'select-status', at, status: input.action.status as 'OFF' });
  }
  advance({ kind: 'tick', at: epochMs(now) });
  const segments = changes.map(({ at, status }, i): Segment => ({ status, start: at, end: changes[i + 1]?.at ?? now }));
  return { segments: segments.filter(({ start, end }) => end > start), unidentified, refused };
}

function demoLogs(now: number) {
  const fleet = [...DEMO_FLEET].sort((a, b) => a.name.localeCompare(b.name));
  const all = characters(
    fleet.map(({ imei, name }) => ({ imei, name, card: null })),
    tours,
  ).map(character => withDueBreak(character, Math.floor(now / 1000)));
  return fleet
    .map(({ name }, i) => ({ name, character: all[i] }))
    .filter(({ name }) => isDemoTruck(name) && !DEMO_SPARES.includes(name))
    .sort((a, b) => Number(b.name.startsWith('41')) - Number(a.name.startsWith('41')) || (a.name < b.name ? -1 : 1))
    .slice(0, 25)
    .map(({ character, name }, nth) => {
      if (!character) throw new Error('Every vehicle has a character.');
      const fixes = [...createReporter(character)((now - 8.5 * DAY) / 1000, now / 1000, PACE)].map(
        ({ ignition, speed, time }) =>
          ({ fix_at: new Date(time), speed, ignition, valid: true, doubts: 0 }) as unknown as FixRow,
      );
      return { name, ...logOf(fixes, nth + 1, nth, now) };
    });
}

const MOMENTS = [
  ['a morning', '2026-11-25T15:10:00Z'],
  ['a night in UTC', '2026-11-26T03:40:00Z'],
  ['midnight UTC on a Sunday', '2026-11-22T00:00:00Z'],
  ['the night when clocks go forward', '2026-03-08T09:30:00Z'],
  ['the night when clocks go back', '2026-11-01T05:30:00Z'],
] as const;

it.each(MOMENTS)(
  '[R2.15] believable logs on %s: work and rest, one break due, two unidentified drives',
  (_, moment) => {
    const now = Date.parse(moment);
    const logs = demoLogs(now);
    expect(logs).toHaveLength(25);
    const violated: string[] = [];
    for (const [nth, { name, refused, segments, unidentified }] of logs.entries()) {
      expect([name, refused]).toEqual([name, 0]);
      expect([name, unidentified]).toEqual([name, nth === 6 || nth === 15 ? 1 : 0]);
      const work = segments.filter(({ status }) => status === 'D' || status === 'ON');
      // Nobody drives through the night or stays on duty for hours.
      for (const { end, start, status } of work) {
        expect([name, status, (end - start) / HOUR < (status === 'ON' ? 1 : 6)]).toEqual([name, status, true]);
      }
      for (const { end } of work) {
        const day = work.reduce(
          (sum, one) => sum + Math.max(0, Math.min(one.end, end) - Math.max(one.start, end - DAY)),
          0,
        );
        expect([name, day / HOUR < 14.5]).toEqual([name, true]);
      }
      const hours = work.reduce((sum, { end, start }) => sum + end - start, 0) / HOUR;
      expect([name, hours > 12 && hours < 72]).toEqual([name, true]);
      const log = readDutyLog({ timezone: 'America/Chicago', homeTerminalStartOfDay: '00:00', segments });
      if (!log.ok) throw new Error(JSON.stringify(log.errors));
      const { clocks, violations } = evaluate(log.value, ruleSets.US_PROPERTY_70_8, epochMs(now));
      if (violations.length > 0) violated.push(`${name} ${violations.map(({ rule }) => rule).join()}`);
      if (nth > 0) continue;
      expect(segments.at(-1)?.status).toBe('D');
      expect(Math.abs((clocks.break?.remaining ?? 0) / MINUTE - 25)).toBeLessThan(4);
    }
    expect(violated).toEqual([]);
  },
);
