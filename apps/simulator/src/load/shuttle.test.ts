import { distanceMetres } from '@milepost/geo';
import { expect, it } from 'vitest';
import { driveLeg } from '../drive/leg-run.ts';
import { randomFrom } from '../drive/random.ts';
import { readTours } from '../drive/tour-file.ts';
import { shuttleAt } from './shuttle.ts';

it('goes there and back without a jump, with the right course', () => {
  const leg = readTours().cityRounds[0]![0]!;
  const run = driveLeg(leg, randomFrom('shuttle'));
  const begun = 2 * run.duration * 1_000_000;
  for (let second = begun + 1; second <= begun + 4 * run.duration; second++) {
    const [before, now] = [shuttleAt(run, second - 1), shuttleAt(run, second)];
    expect(distanceMetres(before, now)).toBeLessThan(run.topSpeed + 1);
    expect(now.course).toBeGreaterThanOrEqual(0);
    expect(now.course).toBeLessThan(360);
  }
  const [there, back] = [shuttleAt(run, begun + 60), shuttleAt(run, begun + 2 * run.duration - 60)];
  expect([back.lat, back.lon]).toEqual([there.lat, there.lon]);
  expect((back.course! + 180) % 360).toBe(there.course);
});
