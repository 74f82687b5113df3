import {
  DEFAULT_SETTINGS,
  listDrivers,
  listGeofences,
  listInside,
  listMyDocuments,
  listMyTasks,
  listVehicleDocuments,
  listVehicles,
  listViews,
  NO_PREFERENCES,
  readBaseMap,
  readFleetPeriod,
  readMyDriver,
  readSettings,
  readVehicleDay,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Answer, sent, when } from '../../../testing/answers.ts';
import { open, someone } from '../../../testing/app.tsx';
import { vehicle } from '../../../testing/fleet.ts';
import { boardOf, tasksAre } from '../../../testing/logs.ts';
import { driver } from '../../../testing/people.ts';
import { isoDateOf } from '../../format/date.ts';
import { midnightOf } from '../../format/time.ts';

const TRUCK = vehicle('4102');
const { id, imei, deviceName } = TRUCK;
/** Kathmandu's clocks never show the same time as Chicago's: a user there has another midnight at any time of the year. */
const preferences = { ...NO_PREFERENCES, timeZone: 'Asia/Kathmandu' as string | null, setupDone: [], setupSkipped: [] };
const ACCOUNT_ZONE = 'America/Chicago';
const DAY: Answer = when(readVehicleDay, {
  distanceM: 1000,
  ...{ movingS: 60, idlingS: 0, stoppedS: 0, gapS: 0, stops: 0, maxSpeedMps: 12, fixes: 3, leftOut: 0, segments: [] },
});
const today = (): string => isoDateOf(Date.now(), ACCOUNT_ZONE);

it.for([
  ['Asia/Kathmandu', /^Today \(C[SD]T\)$/],
  [ACCOUNT_ZONE, /^Today$/],
] as const)(
  '[R2.04] a vehicle’s figures of today are those of the account’s day, for a user in %s',
  async ([timeZone, heading]) => {
    const ann = driver('Ann Lee', { vehicle: { id, imei, deviceName, source: 'usual' } });
    await open(
      '/personal',
      [
        when(readSettings, { settings: { ...DEFAULT_SETTINGS, timeZone: ACCOUNT_ZONE } }),
        when(listVehicles, [TRUCK]),
        when(readMyDriver, { driver: ann }),
        when(listMyDocuments, []),
        when(listVehicleDocuments, []),
        when(listMyTasks, []),
        DAY,
      ],
      { me: someone({ role: 'driver', preferences: { ...preferences, timeZone } }) },
    );
    await expect.element(page.getByRole('heading', { name: heading })).toBeVisible();
    const asked = sent(readVehicleDay).map(({ query }) => query.from);
    expect(asked).toEqual([new Date(midnightOf(today(), ACCOUNT_ZONE)).toISOString()]);
    // The driver's page reads them a moment later, and has no answer once the test is over.
    await expect.poll(() => sent(listMyTasks).length).toBeGreaterThan(0);
  },
);

it('[R2.04] the fleet table and the replay begin with the same day', async () => {
  const me = someone({ preferences });
  const answers = [
    when(readSettings, { settings: { ...DEFAULT_SETTINGS, timeZone: ACCOUNT_ZONE } }),
    when(listVehicles, [TRUCK]),
    when(listDrivers, []),
    when(readFleetPeriod, () => new Promise(() => {})),
    when(readBaseMap, { map: { kind: 'built-in' }, decidedBy: 'nobody' }),
    when(listViews, []),
    when(listGeofences, []),
    when(listInside, { inside: [], last: [], counting: 0, vehicles: 0 }),
    boardOf(),
    tasksAre(),
  ];
  await open('/fleet', answers, { me });
  await expect.element(page.getByText('4102')).toBeVisible();
  await expect.poll(() => sent(readFleetPeriod).at(-1)?.query).toEqual({ from: today(), to: today() });
  await open('/replay', answers, { me });
  await expect.element(page.getByRole('button', { name: /\(C[SD]T\)$/ })).toBeVisible();
  const from = () => Date.parse(new URLSearchParams(location.search).get('from') ?? '');
  await expect.poll(from).toBe(midnightOf(today(), ACCOUNT_ZONE));
});
