import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Backtest, DATED_TRIGGERS, type GeofenceShape, RULE_TRIGGERS, type Rule } from '@milepost/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { hashDeviceKey } from '../apps/server/src/fleet/device-key.ts';
import { ProjectionRunner } from '../apps/server/src/projections/runner.ts';
import { startApp, type TestApp } from '../apps/server/testing/app.ts';
import { call, type SignedIn, signedIn } from '../apps/server/testing/http-server.ts';
import { testImei } from '../apps/server/testing/imei.ts';
import { callerOf } from '../apps/server/testing/organisation.ts';
import { type Leg, readTours } from '../apps/simulator/src/drive/tour-file.ts';
import { type Character, characters } from '../apps/simulator/src/fleet/character.ts';
import { driveVehicle } from '../apps/simulator/src/fleet/vehicle.ts';
import { openTracker } from '../apps/simulator/src/tracker/open-link.ts';
import { createOutbox, type Outbox } from '../apps/simulator/src/tracker/outbox.ts';
import { NEGLECTED, neglectedDays } from './support/neglected.ts';

/** A month of the simulator's vehicles over their trackers' protocol, watched live and tested afterwards. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The server's clock goes on by so much when all that the trackers have measured until then is there. */
const STEP = 6 * HOUR;
const CATCH_UP_MS = 120_000;
/** Long hauls, one through a dead zone and one with a roof over it, rounds in the city, reefers, and nobody's vehicle. */
const NAMES = ['4101', '4109', '4115', '3301', '3303', '5501', '5503', 'R-701', 'R-704', 'Loaner', NEGLECTED];
const NOBODYS = 'Loaner';
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const to = Math.floor((Date.now() - DAY) / HOUR) * HOUR;
const from = to - 30 * DAY;

let app: TestApp;
let runner: ProjectionRunner;
let owner: SignedIn;
beforeAll(async () => {
  // What follows positions goes on when the test says so: when all reports of a step are there.
  vi.spyOn(ProjectionRunner.prototype, 'start').mockImplementation(function (this: ProjectionRunner) {
    runner = this;
  });
  vi.useFakeTimers({ toFake: ['Date'], now: from });
  app = await startApp();
  owner = await signedIn(app);
  await app.context.db.system
    .updateTable('session')
    .set({ expires_at: new Date(to + 7 * DAY) })
    .execute();
});
afterAll(async () => {
  vi.useRealTimers();
  await app?.close();
  vi.restoreAllMocks();
});

const caller = () => callerOf({ call: (...args) => call(app.url, ...args) }, owner);

async function addVehicles(): Promise<Map<string, { readonly id: number; readonly imei: string }>> {
  const rows = await app.context.db.system
    .insertInto('vehicle')
    .values(
      NAMES.map((name, nth) => ({
        ...{ account_id: owner.accountId, imei: testImei(770_000 + nth), name },
        device_key_hash: hashDeviceKey('a key'),
        speed_limit_kmh: nth % 2 === 0 ? 70 : 95,
      })),
    )
    .returning(['id', 'name', 'imei'])
    .execute();
  await app.context.feed.settled();
  return new Map(rows.map(({ id, imei, name }) => [name, { id, imei }]));
}

/** Where its legs begin and end, and the way of the first one. */
const legsOf = ({ routes }: Character): readonly Leg[] => [...routes.whole, ...routes.out].find(Boolean) ?? [];
const circle = ([lon, lat]: readonly [number, number], radiusM: number): GeofenceShape => ({
  kind: 'circle',
  center: [lon, lat],
  radiusM,
});
const endOf = (leg: Leg | undefined): readonly [number, number] => leg?.points.at(-1) ?? [0, 0];

it('[R7.37] a month of the simulator alerts live what a test finds afterwards, to the millisecond', {
  tags: ['long'],
  timeout: 1_200_000,
}, async () => {
  const request = caller();
  const vehicles = await addVehicles();
  const ids = [...vehicles.values()].map(({ id }) => id);
  const idOf = (name: string): string => String(vehicles.get(name)?.id);
  const cast = characters(
    NAMES.filter(name => name !== NEGLECTED).map(name => ({
      ...{ name, imei: vehicles.get(name)?.imei ?? '' },
      card: name === NOBODYS ? null : `${NAMES.indexOf(name) + 1}`.padStart(16, 'A'),
    })),
    readTours(),
  );
  const since = from - HOUR;

  const made = async <T>(path: string, body: object): Promise<T> => {
    const answer = await request('POST', path, body);
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.body;
  };
  const fence = async (name: string, shape: GeofenceShape, more: object = {}): Promise<string> =>
    (await made<{ id: string }>('/geofence', { name, shape, ...more })).id;
  for (const character of cast) {
    if (character.card) await made('/driver', { name: `Driver ${character.imei}`, card: character.card });
  }
  const [hauler, , , box, , van, , reefer] = cast as [Character, Character, Character, Character, ...Character[]] &
    Character[];
  const yards = await Promise.all(
    [hauler, box, van, reefer].map((one, nth) => fence(`Yard ${nth}`, circle(endOf(one?.home), 250))),
  );
  const stops = await Promise.all(
    [0, 1, 2].map(nth => fence(`Stop ${nth}`, circle(endOf(legsOf(box)[nth]), 150), { speedLimitKmh: 30 })),
  );
  const way = legsOf(box)[0]?.points ?? [];
  const some = way.filter((_, i) => i % Math.ceil(way.length / 60) === 0 || i === way.length - 1);
  const road = await fence('Road', { kind: 'corridor', line: some.map(([lon, lat]) => [lon, lat]), widthM: 150 });
  const [lon, lat] = endOf(hauler.farEnd);
  const ring = (half: number) =>
    [
      [-half, -half],
      [half, -half],
      [half, half],
      [-half, half],
    ].map(([x = 0, y = 0]): [number, number] => [lon + x, lat + y]);
  const far = await fence('Far end', { kind: 'polygon', rings: [ring(0.02), ring(0.004).reverse()] });

  const [home, partner] = ['3301', '4101'].map(name => ({ otherIds: [idOf(name)] }));
  const night = { days: EVERY_DAY, from: '20:00', to: '06:00', is: 'within' };
  const alone = { vehicles: { deviceIds: [idOf('3301')], folderIds: [] } };
  const terms: readonly object[] = [
    { trigger: { kind: 'enter' }, geofenceIds: [...stops, far] },
    { trigger: { kind: 'cross' } },
    { trigger: { kind: 'exit', minutes: 0 }, geofenceIds: yards, when: night },
    { trigger: { kind: 'exit', minutes: 10 }, geofenceIds: [road] },
    { trigger: { kind: 'stay', minutes: 20 } },
    { trigger: { kind: 'order' }, geofenceIds: stops, ...alone },
    { trigger: { kind: 'speed', kmh: 95, seconds: 30 }, repeatMinutes: 60 },
    { trigger: { kind: 'limit', overKmh: 5, seconds: 0 } },
    { trigger: { kind: 'vehicleLimit', overKmh: 5, seconds: 60 } },
    { trigger: { kind: 'idle', minutes: 5 } },
    { trigger: { kind: 'idle', minutes: 3 }, geofenceIds: yards, where: 'outside' },
    { trigger: { kind: 'drive' }, when: night },
    { trigger: { kind: 'unidentified', minutes: 5 } },
    { trigger: { kind: 'tow' } },
    { trigger: { kind: 'ignitionOn' }, when: night },
    { trigger: { kind: 'ignitionOff' }, geofenceIds: yards, where: 'outside' },
    { trigger: { kind: 'temperature', min: null, max: -16, minutes: 5 } },
    { trigger: { kind: 'fuel', percent: 15 } },
    { trigger: { kind: 'voltage', volts: 11, minutes: 0 } },
    { trigger: { kind: 'battery', percent: 20, minutes: 0 } },
    { trigger: { kind: 'absent', at: '08:00', days: EVERY_DAY }, geofenceIds: yards },
    { trigger: { kind: 'near', meters: 400, minutes: 0, ...home } },
    { trigger: { kind: 'near', meters: 600, minutes: 10, ...partner } },
    { trigger: { kind: 'apart', meters: 1000, minutes: 0, ...home } },
    { trigger: { kind: 'apart', meters: 500, minutes: 15, ...partner } },
  ];
  const kinds = new Set(terms.map(each => (each as Pick<Rule, 'trigger'>).trigger.kind));
  expect(RULE_TRIGGERS.filter(kind => !kinds.has(kind))).toEqual(DATED_TRIGGERS);
  const rules: Rule[] = [];
  for (const [nth, each] of terms.entries()) {
    rules.push(await made<Rule>('/alert-rule', { name: `Rule ${nth}`, isOn: true, ...each }));
  }
  await app.context.db.system
    .updateTable('rule')
    .set({ since: new Date(since) })
    .execute();
  await app.context.feed.settled();

  const trackers = cast.map(character => {
    const open = openTracker('teltonika', '127.0.0.1', app.port('teltonika'), character.imei);
    if (!open) throw new TypeError('The gateway is off');
    const outbox = createOutbox(open);
    return { outbox, vehicle: driveVehicle(character, outbox, to / 1000) };
  });
  const phone = openTracker('osmand', '127.0.0.1', app.port('osmand'), vehicles.get(NEGLECTED)?.imei ?? '');
  if (!phone) throw new TypeError('The gateway is off');
  const neglected = createOutbox(phone);
  const yardOfHauler = endOf(hauler.home);
  const outboxes = [...trackers.map(({ outbox }) => outbox), neglected];
  try {
    // What is new to the server is watched from the day before on; all that follows, from here on.
    let sent = from;
    for (let end = from + 2 * HOUR; sent < to; end = Math.min(end + STEP, to)) {
      vi.setSystemTime(end);
      for (const { vehicle } of trackers) vehicle.recall(sent / 1000, end / 1000);
      neglected.addHistory(neglectedDays(yardOfHauler, sent, end).values());
      await watched(ids, outboxes, end);
      sent = end;
    }
    for (const outbox of outboxes) outbox.close();
  } finally {
    vi.useRealTimers();
  }
  const positions = outboxes.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  expect(positions).toBeGreaterThan(30_000);

  const told = await toldOf(ids);
  let compared = 0;
  const different: unknown[] = [];
  const spoken = new Set<string>();
  for (const [nth, each] of terms.entries()) {
    const rule = rules[nth] as Rule;
    const { kind } = rule.trigger;
    const live = told.filter(({ rule_id }) => rule_id === Number(rule.id)).map(({ rule_id: _, ...row }) => row);
    const tested = await testedOf(request, each, since);
    compared += tested.length;
    if (tested.length > 0) spoken.add(kind);
    if (!isDeepStrictEqual(live, tested)) {
      const [known, asTested] = [live, tested].map(rows => new Set(rows.map(row => JSON.stringify(row)))) as [
        Set<string>,
        Set<string>,
      ];
      const onlyLive = live.filter(row => !asTested.has(JSON.stringify(row)));
      const onlyTested = tested.filter(row => !known.has(JSON.stringify(row)));
      different.push({ nth, kind, live: onlyLive.slice(0, 5), tested: onlyTested.slice(0, 5) });
    }
  }
  process.stdout.write(`${positions} positions, ${compared} alerts of ${terms.length} rules: live as tested\n`);
  expect(different).toEqual([]);
  expect([...kinds].filter(kind => !spoken.has(kind))).toEqual([]);
});

/** All that was sent is there, and has been watched. */
async function watched(ids: readonly number[], outboxes: readonly Outbox[], end: number): Promise<void> {
  while (!outboxes.every(({ pastDelivered }) => pastDelivered)) await sleep(20);
  // The second time, what others have reported is looked at once more.
  for (const now of [end + 1000, end + MINUTE]) {
    vi.setSystemTime(now);
    await runner.catchUp(owner.accountId, ids, CATCH_UP_MS);
    expect(ids.filter(id => runner.isBehind(id, end))).toEqual([]);
  }
}

interface Told {
  readonly vehicle: string;
  readonly geofence: string | null;
  readonly opened_at: string;
  readonly began_at: string;
  readonly closed_at: string | null;
}

const inOrder = <T extends Told>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) =>
    [a.vehicle, a.opened_at, a.geofence].join() < [b.vehicle, b.opened_at, b.geofence].join() ? -1 : 1,
  );

async function toldOf(ids: readonly number[]): Promise<(Told & { readonly rule_id: number })[]> {
  const { rows } = await sql<
    Record<'opened_at' | 'began_at', Date> & {
      rule_id: number;
      vehicle_id: number;
      geofence_id: number | null;
      closed_at: Date | null;
    }
  >`
    select rule_id, vehicle_id, geofence_id, opened_at, began_at, closed_at from alert
    where vehicle_id = any (${ids}::int4[]) and rule_id is not null`.execute(app.context.db.system);
  return inOrder(
    rows.map(({ began_at, closed_at, geofence_id, opened_at, rule_id, vehicle_id }) => ({
      ...{ rule_id, vehicle: String(vehicle_id), geofence: geofence_id === null ? null : String(geofence_id) },
      ...{ opened_at: opened_at.toISOString(), began_at: began_at.toISOString() },
      closed_at: closed_at?.toISOString() ?? null,
    })),
  );
}

async function testedOf(request: ReturnType<typeof caller>, rule: object, since: number): Promise<Told[]> {
  const found: Told[] = [];
  // A period ends before its end; what was reported at that millisecond was watched, too.
  const period = { from: new Date(since).toISOString(), to: new Date(to + 1).toISOString() };
  let after: string | null = null;
  do {
    const answer = await request('POST', '/geofence/backtest', { rule, ...period, after });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const { alerts, next }: Backtest = answer.body;
    for (const { at, beganAt, deviceId, endedAt, geofenceId } of alerts) {
      found.push({ vehicle: deviceId, geofence: geofenceId, opened_at: at, began_at: beganAt, closed_at: endedAt });
    }
    after = next;
  } while (after !== null);
  return inOrder(found);
}
