/**
 * `npm run bench -- rules [geofences] [fixes]`: what watching rules costs on one core, compared with following the same
 * geofences alone. A backtest watches the same way, so this is also its speed without reading the positions.
 */
import {
  compileFence,
  DEFAULT_EDGE,
  destination,
  type Fence,
  FenceFollower,
  FenceIndex,
  NearFollower,
  type RuleFix,
  RuleFollower,
  type RuleTrigger,
  type WatchedRule,
  weeklySchedule,
} from '@milepost/geo';
import { celsius, degrees, epochMs, fromKilometresPerHour, metres, percent, volts } from '@milepost/units';
import { table } from './table.ts';

const VEHICLES = 50;
/** As many as a rule can name. */
const OTHERS = 20;
const EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
const TRIGGERS: readonly RuleTrigger[] = [
  { kind: 'enter' },
  { kind: 'exit', away: 5 * MINUTE_MS },
  { kind: 'stay', longer: 20 * MINUTE_MS },
  { kind: 'speed', over: fromKilometresPerHour(110), longer: 30_000 },
  { kind: 'idle', longer: 10 * MINUTE_MS },
  { kind: 'drive' },
  { kind: 'tow' },
];

export async function run([geofences = '1000', fixes = '300000']: readonly string[]): Promise<void> {
  const index = fencesOf(Number(geofences));
  const story = storyOf(Number(fixes));
  const rows = [];
  for (const count of [null, 0, 1, 10, 50]) {
    const watchers = Array.from({ length: VEHICLES }, () =>
      count === null ? new FenceFollower(index) : new RuleFollower(index, rulesOf(count)),
    );
    const began = process.cpuUsage();
    let found = 0;
    for (const [nth, fix] of story.entries()) found += watchers[nth % VEHICLES]?.take(fix).length ?? 0;
    const { user, system } = process.cpuUsage(began);
    rows.push({ rules: count, microseconds: (user + system) / story.length, found });
  }
  const near = nearRow(story);
  const cells = rows.map(({ rules, microseconds, found }) => [
    rules === null ? 'geofences alone' : String(rules),
    microseconds.toFixed(2),
    Math.round(1e6 / microseconds).toLocaleString('en-US'),
    found.toLocaleString('en-US'),
  ]);
  process.stdout.write(table(['rules', 'µs a fix', 'fixes a second', 'events'], cells));
  process.stdout.write(
    `one vehicle within 200 m of ${OTHERS} others: ${near.microseconds.toFixed(2)} µs for each fix of any of them\n`,
  );
  process.stdout.write(`${JSON.stringify({ bench: 'rules', geofences: index.size, rows, near })}\n`);
}

/** The first vehicle of the story, compared with others of it. */
function nearRow(story: readonly RuleFix[]) {
  const tracks = Array.from({ length: OTHERS + 1 }, (_, vehicle) =>
    story.filter((_, nth) => nth % VEHICLES === vehicle),
  );
  const [own = [], ...others] = tracks;
  const trigger = { kind: 'near', meters: 200, longer: 0, others: new Set(others.map((_, nth) => nth)) } as const;
  const [rule] = rulesOf(1) as [WatchedRule];
  const last = own.at(-1)?.time ?? epochMs(0);
  const follower = new NearFollower([{ ...rule, trigger, when: null }], new FenceIndex([]), {
    ...{ through: epochMs(0), rules: {} },
  });
  const began = process.cpuUsage();
  const found = follower.take({ own, others: new Map(others.map((fixes, nth) => [nth, fixes])) }, last).length;
  const { user, system } = process.cpuUsage(began);
  return { microseconds: (user + system) / (own.length * tracks.length), found };
}

/** Every other one counts at night only; those about geofences are about any. */
const rulesOf = (count: number): WatchedRule[] =>
  Array.from({ length: count }, (_, id) => ({
    ...{ id, version: 1, fences: null, where: null, conditions: null, repeat: 0, since: epochMs(0) },
    trigger: TRIGGERS[id % TRIGGERS.length] as RuleTrigger,
    when:
      id % 2 === 0
        ? null
        : weeklySchedule({ days: new Set([1, 2, 3, 4, 5]), from: 1320, to: 300, isOutside: false }, () => 0),
  }));

function fencesOf(count: number): FenceIndex {
  const next = numbers();
  return new FenceIndex(
    Array.from({ length: count }, (_, id): Fence => {
      const center = { lat: degrees(41 + next() * 2), lon: degrees(-89 + next() * 2) };
      return {
        id: id + 1,
        area: compileFence({ kind: 'circle', center, radius: metres(50 + next() * 450) }),
        edge: DEFAULT_EDGE,
      };
    }),
  );
}

/** Fix by fix of all vehicles in turn; a third of the time they stand, with the engine on. */
function storyOf(fixes: number): RuleFix[] {
  const next = numbers();
  const vehicles = Array.from({ length: VEHICLES }, () => ({
    at: { lat: degrees(41 + next() * 2), lon: degrees(-89 + next() * 2) },
    course: next() * 360,
  }));
  return Array.from({ length: fixes }, (_, i) => {
    const vehicle = vehicles[i % VEHICLES] as (typeof vehicles)[number];
    const isDriving = Math.floor(i / VEHICLES / 90) % 3 < 2;
    const speed = fromKilometresPerHour(isDriving ? 60 + next() * 60 : 0);
    vehicle.course = (vehicle.course + (next() - 0.5) * 20 + 360) % 360;
    if (isDriving) vehicle.at = destination(vehicle.at, degrees(vehicle.course), metres(speed * 10));
    const time = epochMs(Math.floor(i / VEHICLES) * EVERY_MS);
    const measured = {
      temperature: celsius(next() * 10),
      fuel: percent(60 + next()),
      supply: volts(13),
      battery: null,
      card: null,
    };
    return { time, ...vehicle.at, speed, ignition: true, accuracy: null, ...measured };
  });
}

/** The same numbers from 0 to 1 each time. */
function numbers(): () => number {
  let state = 20_261_125;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
