/**
 * `npm run bench -- fences [fences] [fixes]`: what following geofences costs on one core. Vehicles drive among geofences
 * of a metropolitan area; the fixes that cross edges, and those that stay in a yard, cost more than those on the road.
 */
import { compileFence, DEFAULT_EDGE, destination, type Fence, FenceFollower, FenceIndex } from '@milepost/geo';
import { degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import { table } from './table.ts';

const VEHICLES = 100;
const EVERY_MS = 10_000;

export async function run([count = '10000', fixes = '400000']: readonly string[]): Promise<void> {
  const rows = [];
  for (const fences of [0, 1000, Number(count)]) rows.push(measure(fences, Number(fixes)));
  const cells = rows.map(({ fences, fixes: taken, microseconds, events }) => [
    fences.toLocaleString('en-US'),
    taken.toLocaleString('en-US'),
    microseconds.toFixed(2),
    events.toLocaleString('en-US'),
  ]);
  process.stdout.write(table(['geofences', 'fixes', 'µs a fix', 'events'], cells));
  process.stdout.write(`${JSON.stringify({ bench: 'fences', rows })}\n`);
}

function measure(count: number, fixes: number) {
  const next = numbers();
  const place = () => ({ lat: degrees(41 + next() * 2), lon: degrees(-89 + next() * 2) });
  const fences = Array.from({ length: count }, (_, id): Fence => {
    const center = place();
    const shape =
      id % 2 === 0
        ? ({ kind: 'circle', center, radius: metres(50 + next() * 450) } as const)
        : ({
            kind: 'polygon',
            rings: [
              [0, 60, 120, 180, 240, 300].map(course =>
                destination(center, degrees(course), metres(60 + next() * 300)),
              ),
            ],
          } as const);
    return { id, area: compileFence(shape), edge: DEFAULT_EDGE };
  });
  const index = new FenceIndex(fences);
  const vehicles = Array.from({ length: VEHICLES }, () => {
    return { at: place(), course: next() * 360, follower: new FenceFollower(index) };
  });
  const story = Array.from({ length: fixes }, (_, i) => {
    const vehicle = vehicles[i % VEHICLES] as (typeof vehicles)[number];
    // A third of the time it stands.
    const isDriving = Math.floor(i / VEHICLES / 60) % 3 < 2;
    const speed = fromKilometresPerHour(isDriving ? 70 : 0);
    vehicle.course += (next() - 0.5) * 20;
    if (isDriving)
      vehicle.at = destination(vehicle.at, degrees(((vehicle.course % 360) + 360) % 360), metres(speed * 10));
    const time = epochMs(Math.floor(i / VEHICLES) * EVERY_MS);
    return { vehicle, fix: { time, ...vehicle.at, speed, ignition: isDriving, accuracy: null } };
  });
  const take = (): number => story.reduce((sum, { vehicle, fix }) => sum + vehicle.follower.take(fix).length, 0);
  const began = process.cpuUsage();
  const events = take();
  const { user, system } = process.cpuUsage(began);
  return { fences: count, fixes, microseconds: (user + system) / fixes, events };
}

function numbers(): () => number {
  let state = 1981;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
