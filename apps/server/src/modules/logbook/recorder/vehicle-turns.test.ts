import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { VehicleTurns } from './vehicle-turns.ts';

it('phones and looks take turns at a driver and a vehicle, and nobody else waits', async () => {
  const turns = new VehicleTurns();
  const events: string[] = [];
  let held = () => {};
  const hold = new Promise<void>(resolve => {
    held = resolve;
  });
  const phone = (name: string, driverId: number, vehicleIds: readonly number[], wait: Promise<unknown> = sleep(1)) =>
    turns.ofPhone({ accountId: 1, driverId, vehicleIds }, async () => {
      events.push(`${name} begins`);
      await wait;
      events.push(`${name} ends`);
    });
  const first = phone('first', 1, [8, 7], hold);
  await expect.poll(() => events).toEqual(['first begins']);
  const waiting = [
    phone('same driver', 1, []),
    phone('same vehicle', 2, [7]),
    phone('both ways around', 3, [7, 8]),
    turns.ofVehicle(1, 8, async () => events.push('look')),
  ];
  await phone('another', 4, [9]);
  // Of another account, whatever its number.
  await turns.ofPhone({ accountId: 2, driverId: 5, vehicleIds: [7] }, async () => events.push('another account'));
  expect(events).toEqual(['first begins', 'another begins', 'another ends', 'another account']);
  expect([7, 8, 9].map(id => turns.isTaken(1, id))).toEqual([true, true, false]);
  held();
  await Promise.all([first, ...waiting]);
  expect(events.slice(4)).toHaveLength(8);
  const at = (event: string) => events.indexOf(event);
  const isAfter = at('both ways around begins') > at('same vehicle ends');
  expect(isAfter || at('both ways around ends') < at('same vehicle begins')).toBe(true);
  expect([7, 8].map(id => turns.isTaken(1, id))).toEqual([false, false]);
});

it('a few phones at a time, so that connections are left for others', async () => {
  const turns = new VehicleTurns();
  let [running, most] = [0, 0];
  await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      turns.ofPhone({ accountId: 1, driverId: nth, vehicleIds: [nth] }, async () => {
        most = Math.max(most, ++running);
        await sleep(1);
        running--;
      }),
    ),
  );
  expect(most).toBe(4);
});
