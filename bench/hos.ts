import {
  type DutyLog,
  evaluate,
  plan,
  RULE_SET_IDS,
  type RuleSetId,
  readDutyLog,
  ruleSets,
  type Segment,
  Tracker,
} from '@milepost/hos';
import { epochMs, fromHours } from '@milepost/units';
import { table } from './table.ts';

/**
 * The cost of hours of service: `npm run bench -- hos`. A table, then one JSON object. In processor time, so that other
 * load on the machine does not count.
 */

const START = Date.UTC(2026, 0, 5, 12);
const DRIVERS = 1000;

/** A driver's working life: 5 days on with inspection, fuel, a break, on two of them a split, then 2 off. */
function life(days: number): DutyLog {
  const segments: { status: string; start: number; end: number }[] = [];
  let at = START;
  const add = (status: string, hours: number): void => {
    segments.push({ status, start: at, end: at + hours * 3_600_000 });
    at += hours * 3_600_000;
  };
  for (let day = 0; day < days; day++) {
    if (day % 7 >= 5) add('OFF', 24);
    else if (day % 7 === 3) for (const [status, hours] of SPLIT_DAY) add(status, hours);
    else for (const [status, hours] of DAY) add(status, hours);
  }
  const read = readDutyLog({ timezone: 'America/Chicago', segments });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.value;
}

const DAY = [
  ['ON', 0.5],
  ['D', 3.5],
  ['ON', 0.25],
  ['D', 2.25],
  ['OFF', 0.5],
  ['D', 3],
  ['YM', 0.25],
  ['ON', 0.75],
  ['PC', 0.25],
  ['SB', 8],
  ['OFF', 4.75],
] as const;
const SPLIT_DAY = [
  ['D', 4],
  ['SB', 7],
  ['D', 5],
  ['ON', 1],
  ['OFF', 3],
  ['D', 2],
  ['ON', 2],
] as const;

export async function run(): Promise<void> {
  const week = life(8);
  const now = week.segments.at(-1)?.end ?? epochMs(START);
  const evaluation = Object.fromEntries(
    RULE_SET_IDS.map((id): [RuleSetId, number] => [id, each(() => evaluate(week, ruleSets[id], now))]),
  ) as Record<RuleSetId, number>;
  const [append, appendAndAsk] = appending(life(364));
  const planning = each(() =>
    plan(week, ruleSets.US_PROPERTY_70_8, now, [{ activity: 'drive', duration: fromHours(20) }]),
  );
  const year = aYear();

  const figures: [string, number][] = [
    ...Object.entries(evaluation).map(([id, time]): [string, number] => [`evaluate 8 days, ${id}`, time]),
    ['append a segment', append],
    ['append a segment and evaluate', appendAndAsk],
    ['plan 20 h of driving', planning],
  ];
  process.stdout.write(
    table(
      ['what', 'µs'],
      figures.map(([what, time]) => [what, time.toFixed(1)]),
    ),
  );
  process.stdout.write(
    `A year of ${DRIVERS} drivers, ${year.segments} segments: ${year.seconds.toFixed(1)} s to follow, segment by segment\n`,
  );
  process.stdout.write(
    `${JSON.stringify({ bench: 'hos', segmentsIn8Days: week.segments.length, evaluation, append, appendAndAsk, planning, year })}\n`,
  );
}

/** Microseconds of processor time since the process began. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Microseconds per call. */
function each(work: () => unknown): number {
  for (let i = 0; i < 500; i++) work();
  const started = processorTime();
  let calls = 0;
  while (processorTime() - started < 400_000) {
    for (let i = 0; i < 20; i++) work();
    calls += 20;
  }
  return (processorTime() - started) / calls;
}

const beginning = (log: DutyLog): DutyLog => ({ ...log, segments: log.segments.slice(0, 1) });

function appending(log: DutyLog): [append: number, appendAndAsk: number] {
  const rest = log.segments.slice(1);
  const follow = (then: (tracker: Tracker, segment: Segment) => void): number => {
    let [best, rounds] = [Number.POSITIVE_INFINITY, 0];
    while (rounds++ < 8) {
      const tracker = new Tracker(beginning(log), ruleSets.US_PROPERTY_70_8);
      const started = processorTime();
      for (const segment of rest) {
        tracker.append(segment);
        then(tracker, segment);
      }
      best = Math.min(best, (processorTime() - started) / rest.length);
    }
    return best;
  };
  return [follow(() => {}), follow((tracker, segment) => void tracker.evaluate(segment.end))];
}

function aYear(): { readonly segments: number; readonly seconds: number } {
  const log = life(364);
  const started = processorTime();
  for (let driver = 0; driver < DRIVERS; driver++) {
    const tracker = new Tracker(beginning(log), ruleSets.US_PROPERTY_70_8);
    for (const segment of log.segments.slice(1)) tracker.append(segment);
    tracker.evaluate(log.segments.at(-1)?.end ?? epochMs(START));
  }
  return { segments: DRIVERS * log.segments.length, seconds: (processorTime() - started) / 1e6 };
}
