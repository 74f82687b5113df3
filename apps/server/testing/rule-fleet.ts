import {
  type Alert,
  type Backtest,
  type DATED_TRIGGERS,
  DEFAULT_SETTINGS,
  type GeofenceShape,
  type Rule,
  type RuleTriggerKind,
} from '@milepost/contract';
import { celsius, degrees, metresPerSecond, percent } from '@milepost/units';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { openVisits } from '../src/modules/geofences/visits/visits.ts';
import { type DailyFigures, openDailyFigures } from '../src/modules/history/days/daily-figures.ts';
import { openRuleProjection } from '../src/modules/rules/rule-projection.ts';
import type { ReceivedPosition } from '../src/tracks/stored-position.ts';
import { type SignedIn, signedIn, type TestHttpServer } from './http-server.ts';
import { addVehicle } from './ingest.ts';
import { callerOf } from './organisation.ts';
import { receivedPosition, storePositions } from './stored-positions.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const TIMEOUT_MS = 20_000;

/** Meters east of the yard; a degree of longitude is 82.85 km there. */
export const east = (meters: number) => degrees(-87.68 + meters / 82_850);
export const circle = (meters: number, radiusM: number): GeofenceShape => ({
  kind: 'circle',
  center: [east(meters), 41.9],
  radiusM,
});
export const YARD = circle(0, 150);
export const CUSTOMER = circle(6000, 120);
/** The other way. */
export const MARKET = circle(-9000, 100);

const WELL = {
  temperature: celsius(4),
  fuel: percent(80),
  attributes: { externalVoltage: 13.8, batteryLevel: 95 },
};
export const stands = (fromMs: number, toMs: number, meters: number, ignition = false): ReceivedPosition[] =>
  Array.from({ length: Math.ceil((toMs - fromMs) / (5 * MINUTE)) }, (_, i) =>
    receivedPosition(fromMs + i * 5 * MINUTE, { lon: east(meters), ignition, ...WELL }),
  );
/** Of the driver who takes the vehicle there; someone else brings it back. */
export const CARD = 'AB-12 34';
/** With a fix every 20 seconds. */
export const drives = (fromMs: number, from: number, to: number, speed = 20, rfid: string | null = null) =>
  Array.from({ length: Math.floor(Math.abs(to - from) / (speed * 20)) + 1 }, (_, i) =>
    receivedPosition(fromMs + i * 20_000, {
      lon: east(from + i * speed * 20 * Math.sign(to - from)),
      speed: metresPerSecond(speed),
      ignition: true,
      rfid,
    }),
  );
/** Warm, with a weak battery and someone at the tank; nothing is measured at every other fix. */
export const neglected = (position: ReceivedPosition, nth: number): ReceivedPosition => ({
  ...position,
  temperature: nth % 2 === 0 ? null : celsius(11),
  fuel: nth % 2 === 0 ? percent(nth < 4 ? 80 : 50) : null,
  attributes: nth % 2 === 0 ? null : { externalVoltage: 11.4, batteryLevel: 20 },
});
/** Leaves the yard, is an hour at the customer's with its engine on, and comes back faster. */
export const tour = (leavesMs: number): ReceivedPosition[] => [
  ...stands(leavesMs - HOUR, leavesMs, 0),
  ...drives(leavesMs, 0, 6000, 20, CARD),
  ...stands(leavesMs + 6 * MINUTE, leavesMs + HOUR, 6000, true).map(neglected),
  ...drives(leavesMs + HOUR, 6000, 0, 25),
  ...stands(leavesMs + HOUR + 6 * MINUTE, leavesMs + 2 * HOUR, 0),
];
/** On a truck with its engine off, a kilometer away and back. */
export const towed = (fromMs: number): ReceivedPosition[] => [
  ...drives(fromMs, 0, 1000, 10).map(position => ({ ...position, ignition: false })),
  ...stands(fromMs + 5 * MINUTE, fromMs + 20 * MINUTE, 1000),
  ...drives(fromMs + 20 * MINUTE, 1000, 0, 10).map(position => ({ ...position, ignition: false })),
  ...stands(fromMs + 25 * MINUTE, fromMs + HOUR, 0),
];
/** Another vehicle, which waits near the customer's. */
export const waits = (fromMs: number, toMs: number) => stands(fromMs, toMs, 5900);

type WatchedTriggerKind = Exclude<RuleTriggerKind, (typeof DATED_TRIGGERS)[number]>;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

export interface TriggerPlaces {
  readonly yard: string;
  readonly customer: string;
  readonly market: string;
  readonly otherId: number;
  /** When a tour leaves. */
  readonly leavesMs: number;
}

/** Rules with every trigger that looks at positions, each of which alerts during a tour: a new trigger needs its own. */
export function everyTrigger({ customer, leavesMs, market, otherId, yard }: TriggerPlaces) {
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: DEFAULT_SETTINGS.timeZone } as const;
  const at = new Intl.DateTimeFormat('en-US', clock).format(leavesMs + HOUR / 2);
  const other = { otherIds: [String(otherId)] };
  return {
    enter: [{ trigger: { kind: 'enter' } }],
    exit: [{ trigger: { kind: 'exit', minutes: 10 } }],
    cross: [{ trigger: { kind: 'cross' }, repeatMinutes: 30 }],
    stay: [
      { trigger: { kind: 'stay', minutes: 20 }, repeatMinutes: 120 },
      { trigger: { kind: 'stay', minutes: 30 }, when: { days: EVERY_DAY, from: '08:00', to: '09:00', is: 'outside' } },
    ],
    absent: [{ trigger: { kind: 'absent', at, days: EVERY_DAY }, geofenceIds: [yard] }],
    order: [{ trigger: { kind: 'order' }, geofenceIds: [yard, market, customer] }],
    speed: [{ trigger: { kind: 'speed', kmh: 85, seconds: 60 } }],
    limit: [{ trigger: { kind: 'limit', overKmh: 5, seconds: 0 } }],
    vehicleLimit: [{ trigger: { kind: 'vehicleLimit', overKmh: 5, seconds: 30 } }],
    idle: [{ trigger: { kind: 'idle', minutes: 15 } }],
    drive: [{ trigger: { kind: 'drive' } }],
    unidentified: [{ trigger: { kind: 'unidentified', minutes: 1 } }],
    tow: [{ trigger: { kind: 'tow' } }],
    ignitionOn: [{ trigger: { kind: 'ignitionOn' } }],
    ignitionOff: [{ trigger: { kind: 'ignitionOff' }, where: 'outside' }],
    near: [
      { trigger: { kind: 'near', meters: 250, minutes: 0, ...other } },
      { trigger: { kind: 'near', meters: 250, minutes: 20, ...other } },
    ],
    apart: [{ trigger: { kind: 'apart', meters: 400, minutes: 10, ...other } }],
    temperature: [{ trigger: { kind: 'temperature', min: null, max: 8, minutes: 10 } }],
    fuel: [{ trigger: { kind: 'fuel', percent: 10 } }],
    voltage: [{ trigger: { kind: 'voltage', volts: 12, minutes: 5 } }],
    battery: [{ trigger: { kind: 'battery', percent: 30, minutes: 0 } }],
  } satisfies Record<WatchedTriggerKind, readonly object[]>;
}

export const iso = (ms: number) => new Date(ms).toISOString();

export interface Fleet {
  readonly server: TestHttpServer;
  readonly owner: SignedIn;
  readonly vehicleId: number;
  call: ReturnType<typeof callerOf>;
  fence(shape: GeofenceShape): Promise<string>;
  rule(fields: object, sinceMs?: number): Promise<Rule>;
  store(positions: readonly ReceivedPosition[]): Promise<void>;
  /** A server that watches, from the database. */
  open(): Promise<DailyFigures['manager']>;
  watch(): Promise<void>;
  alerts(): Promise<Alert[]>;
  backtest(rule: object, sinceMs: number, more?: object): Promise<Backtest>;
}

/** An account with one vehicle, whose rules are watched when the test says so. */
export async function ruleFleet(server: TestHttpServer): Promise<Fleet> {
  const owner = await signedIn(server);
  const { accountId } = owner;
  const { id: vehicleId } = await addVehicle(server.context, accountId);
  await server.directory.settled();
  const call = callerOf(server, owner);
  let made = 0;
  const open = async () => {
    const visits = await openVisits(server.context, { ...server.organisation, placeOf: () => null });
    const rules = await openRuleProjection(server.context, server.organisation, visits.book);
    const { directory, live } = server;
    return openDailyFigures(server.context, { directory, live, visits, rules }).manager;
  };
  let manager: DailyFigures['manager'] | null = null;
  return {
    server,
    owner,
    vehicleId,
    call,
    open,
    fence: async shape => {
      const answer = await call('POST', '/geofence', { name: `Place ${++made}`, shape });
      expect(answer.status).toBe(201);
      await server.context.feed.settled();
      return (answer.body as { id: string }).id;
    },
    rule: async (fields, sinceMs = 0) => {
      const answer = await call('POST', '/alert-rule', { name: `Rule ${++made}`, isOn: true, ...fields });
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      const { id } = answer.body as Rule;
      const since = new Date(sinceMs);
      const { system } = server.context.db;
      await system.updateTable('rule').set({ since }).where('id', '=', Number(id)).execute();
      await server.context.feed.settled();
      return answer.body as Rule;
    },
    store: positions => storePositions(server, accountId, vehicleId, positions),
    watch: async () => {
      manager ??= await open();
      await server.context.feed.settled();
      for (let i = 0; i < 2; i++) await manager.catchUp(accountId, [vehicleId], TIMEOUT_MS);
    },
    alerts: async () => {
      const answer = await call('GET', '/alert?limit=500');
      return (answer.body as { alerts: Alert[] }).alerts.filter(({ kind }) => kind === 'rule').reverse();
    },
    backtest: async (rule, sinceMs, more = {}) => {
      const period = { from: iso(sinceMs), to: iso(Date.now()) };
      const answer = await call('POST', '/geofence/backtest', { rule, ...period, ...more });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer.body as Backtest;
    },
  };
}

/** Alerts as the database has them, and as a test finds them. */
export async function comparedOf(it: Fleet, rules: readonly Rule[], terms: readonly object[], since: number) {
  const { rows } = await sql<{ rule_id: number; opened_at: Date; began_at: Date; closed_at: Date | null }>`
    select rule_id, opened_at, began_at, closed_at from alert
    where vehicle_id = ${it.vehicleId} and rule_id is not null order by rule_id, opened_at`.execute(
    it.server.context.db.system,
  );
  const tested = [];
  for (const [nth, each] of terms.entries()) {
    const vehicles = { folderIds: [], deviceIds: [String(it.vehicleId)] };
    const { alerts } = await it.backtest({ ...each, vehicles }, since);
    for (const { at, beganAt, endedAt } of alerts) {
      const [opened_at, began_at] = [new Date(at), new Date(beganAt)];
      tested.push({ rule_id: Number(rules[nth]?.id), opened_at, began_at, closed_at: endedAt && new Date(endedAt) });
    }
  }
  return { told: rows, tested };
}
